import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { Failure } from '../contract/errors.ts';
import { stopwatch } from '../engine/clock.ts';
import { allowAnyNumber } from '../engine/listeners.ts';
import { FetchRequest } from './fetch.ts';
import type { HttpRequest } from './request.ts';

/** A person's login, identified by a cookie in the browser. */
export interface Session {
  /** Real milliseconds, as the stopwatch counts them. */
  readonly until: number;
  /** Aborted when the login ends, with every stream that it holds open. */
  readonly ended: AbortController;
}

/** The real milliseconds that a login lasts. */
const LASTS_MS = 24 * 3_600_000;
/** The most logins at a time; the oldest makes room. */
const MOST_SESSIONS = 1000;

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/**
 * The control token, which guards pages, control API and MCP. Without one, everyone whom the gate admits may use them.
 * It keeps neither the token nor the value of a cookie, only their digests.
 */
export class ControlLock {
  readonly #digest: Buffer | undefined;
  readonly #sessions = new Map<string, Session>();
  readonly #own = new WeakSet<Request>();
  /**
   * A name unique to this process: cookies ignore ports, and two emulators on a machine must not end each other's
   * logins.
   */
  readonly #cookie = `sandbox_emulator_${randomBytes(4).toString('hex')}`;

  constructor(token: string | undefined) {
    this.#digest = token === undefined ? undefined : digest(token);
  }

  get isSet(): boolean {
    return this.#digest !== undefined;
  }

  /** Marks a request that this process sends to itself. */
  own(request: Request): Request {
    if (this.#digest) this.#own.add(request);
    return request;
  }

  /** Returns whether a text is the token, in a time that does not depend on how much of it is right. */
  accepts(token: string): boolean {
    return this.#digest !== undefined && timingSafeEqual(digest(token), this.#digest);
  }

  /**
   * Refuses a request with neither the token nor the cookie of a login: 401 `UNAUTHORIZED`. A cookie does not make up
   * for a wrong token. Returns the login, if a cookie names one.
   */
  check(request: HttpRequest): Session | undefined {
    if (!this.#digest || (request instanceof FetchRequest && this.#own.has(request.raw))) return undefined;
    const bearer = tokenIn(request.header('authorization') ?? '');
    const sent = [request.header('x-control-token'), bearer].filter((token) => token !== undefined);
    if (sent.length > 0) {
      if (sent.every((token) => this.accepts(token))) return undefined;
      throw refusal('this is not the control token');
    }
    const session = this.session(request);
    if (session) return session;
    throw refusal(
      'the control token is missing: send it as Authorization: Bearer <token> or as x-control-token, or log in on a page',
    );
  }

  /** Returns the login of a request's cookie. */
  session(request: HttpRequest): Session | undefined {
    const id = this.#idIn(request);
    const key = id === undefined ? '' : keyOf(id);
    const session = this.#sessions.get(key);
    if (!session || session.until > stopwatch()) return session;
    this.#end(key);
    return undefined;
  }

  /** Begins a login. Returns the cookie for it. */
  begin(path: string, secure: boolean): string {
    const [oldest] = this.#sessions.keys();
    if (this.#sessions.size >= MOST_SESSIONS && oldest !== undefined) this.#end(oldest);
    const id = randomBytes(24).toString('hex');
    const ended = new AbortController();
    allowAnyNumber(ended.signal);
    this.#sessions.set(keyOf(id), { until: stopwatch() + LASTS_MS, ended });
    return this.#setCookie(id, path, secure);
  }

  /** Ends the login of a request, and the streams that it holds open. Returns the cookie that clears the browser's. */
  end(request: HttpRequest, path: string, secure: boolean): string {
    const id = this.#idIn(request);
    if (id !== undefined) this.#end(keyOf(id));
    return `${this.#setCookie('', path, secure)}; Max-Age=0`;
  }

  /** Returns the headers of a request for the log: without the token, and without the cookie of a login. */
  logged(headers: readonly string[]): readonly string[] {
    if (!this.#digest) return headers;
    const kept: string[] = [];
    for (let i = 0; i < headers.length; i += 2) {
      const [name, value] = [headers[i] as string, headers[i + 1] as string];
      const plain = name.toLowerCase();
      if (plain === 'x-control-token' || (plain === 'authorization' && this.accepts(tokenIn(value) ?? ''))) continue;
      if (plain !== 'cookie') kept.push(name, value);
      else if (this.#withoutOurs(value) !== '') kept.push(name, this.#withoutOurs(value));
    }
    return kept;
  }

  #withoutOurs(cookies: string): string {
    const others = cookies.split(';').filter((one) => !one.trim().startsWith('sandbox_emulator_'));
    return others.join(';').trim();
  }

  #setCookie(value: string, path: string, secure: boolean): string {
    return `${this.#cookie}=${value}; Path=${path || '/'}; HttpOnly; SameSite=Strict${secure ? '; Secure' : ''}`;
  }

  #idIn(request: HttpRequest): string | undefined {
    for (const one of request.header('cookie')?.split(/[;,]/) ?? []) {
      const [name, value] = one.trim().split('=', 2);
      if (name === this.#cookie && value) return value;
    }
    return undefined;
  }

  #end(key: string): void {
    this.#sessions.get(key)?.ended.abort();
    this.#sessions.delete(key);
  }
}

const keyOf = (id: string): string => digest(id).toString('hex');

/** Returns the token of an `Authorization` header with the scheme `Bearer`; undefined for any other scheme. */
const tokenIn = (header: string): string | undefined => /^bearer +(.*)$/i.exec(header)?.[1]?.trim();

const refusal = (message: string): Failure => new Failure('UNAUTHORIZED', message, { why: { rule: 'control token' } });

/** The header that tells a program how to authenticate; browsers show no dialog for it. */
export const CHALLENGE = { 'www-authenticate': 'Bearer realm="sandbox-emulator control"' } as const;
