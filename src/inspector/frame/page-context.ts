import { requestFor } from '../../control/index.ts';
import type { World } from '../../engine/world.ts';
import { type Command, execute, type InputOf, type Members } from '../../sandbox/commands/index.ts';
import type { Host } from '../../sandbox/host.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';

type Params = Readonly<Record<string, string | number | undefined>>;

/** A call of the control API that a page makes, or shows. */
export type PageCall = ReturnType<PageContext['call']>;

/** One request for one page: the sandbox that it shows, and its address. */
export class PageContext {
  readonly host: Host;
  readonly sandbox: Sandbox;
  readonly url: URL;
  /** The fields that a form of the page sent. */
  readonly form: URLSearchParams | undefined;

  /** Refuses an unknown sandbox: 404 `REFERENCE_NOT_FOUND`. */
  constructor(host: Host, url: URL, form?: URLSearchParams) {
    this.host = host;
    this.url = url;
    this.form = form;
    const named = url.searchParams.get('sandbox');
    this.sandbox = named === null ? host.default : host.named(named);
  }

  get world(): World {
    return this.sandbox.world;
  }

  get path(): string {
    return this.url.pathname;
  }

  get origin(): string {
    return this.host.rootOf(this.url.href);
  }

  /** Returns a value of the query; undefined if it is empty. */
  query(name: string): string | undefined {
    return this.url.searchParams.get(name) || undefined;
  }

  /** Returns a field of the submitted form, with line ends as in JSON; undefined if it is empty. */
  field(name: string): string | undefined {
    return this.form?.get(name)?.replaceAll('\r\n', '\n') || undefined;
  }

  /** Returns the address of one of these pages, in the same sandbox. */
  to(path: string, params: Params = {}): string {
    const query = new URLSearchParams();
    for (const [name, value] of Object.entries(params))
      if (value !== undefined && value !== '') query.set(name, `${value}`);
    if (this.sandbox !== this.host.default) query.set('sandbox', this.sandbox.id);
    const text = query.toString();
    return text === '' ? path : `${path}?${text}`;
  }

  /** Returns the address of a page below `/inspector`, by the parts of its path. */
  at(...parts: readonly string[]): string {
    return this.to(['/inspector', ...parts.map((part) => encodeURIComponent(part))].join('/'));
  }

  /** Returns the call of the control API for a command, about the same sandbox. */
  call<M extends Members, R, C>(command: Command<M, R, C>, input: Partial<InputOf<M>> = {}) {
    const { method, path, query, body } = requestFor(command, input);
    return { method, url: this.to(`/_emulator${path}`, query as Params | undefined), body, origin: this.origin };
  }

  /** Runs a command, as a call of the control API would. */
  do<M extends Members, R>(act: Command<M, R>, input: InputOf<M>): R {
    this.sandbox.written = true;
    return this.ask(act, input);
  }

  /** Returns the result of a question, as the control API would return it. */
  ask<M extends Members, R>(question: Command<M, R>, input: InputOf<M>): R {
    const { host, sandbox, origin } = this;
    return execute<M, R>(question, { host, sandbox, baseUrl: `${origin}${host.basePath}` }, input);
  }
}
