import { requestFor } from '../../control/index.ts';
import type { World } from '../../engine/world.ts';
import { type Command, execute, type InputOf, type Members } from '../../sandbox/commands/index.ts';
import type { Host } from '../../sandbox/host.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';

type Params = Readonly<Record<string, string | number | undefined>>;

/** A call of the control API that a page makes, or shows. */
export type PageCall = ReturnType<PageContext['call']>;

/** One look at one page: whose sandbox it shows, and its address. */
export class PageContext {
  readonly host: Host;
  readonly sandbox: Sandbox;
  readonly url: URL;
  /** The fields that a form of the page sent. */
  readonly form: URLSearchParams | undefined;

  /** Refuses 404 `REFERENCE_NOT_FOUND` for a sandbox that is not there. */
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

  /** A value of the query; an empty one is none. */
  query(name: string): string | undefined {
    return this.url.searchParams.get(name) || undefined;
  }

  /** A field of the form that was sent, its lines ended as JSON has them; an empty one is none. */
  field(name: string): string | undefined {
    return this.form?.get(name)?.replaceAll('\r\n', '\n') || undefined;
  }

  /** The address of a page of ours, in the same sandbox. */
  to(path: string, params: Params = {}): string {
    const query = new URLSearchParams();
    for (const [name, value] of Object.entries(params))
      if (value !== undefined && value !== '') query.set(name, `${value}`);
    if (this.sandbox !== this.host.default) query.set('sandbox', this.sandbox.id);
    const text = query.toString();
    return text === '' ? path : `${path}?${text}`;
  }

  /** The address of a page below `/inspector`, by the parts of its path. */
  at(...parts: readonly string[]): string {
    return this.to(['/inspector', ...parts.map((part) => encodeURIComponent(part))].join('/'));
  }

  /** The call of the control API that asks for a command, about the same sandbox. */
  call<M extends Members, R, C>(command: Command<M, R, C>, input: Partial<InputOf<M>> = {}) {
    const { method, path, query, body } = requestFor(command, input);
    return { method, url: this.to(`/_emulator${path}`, query as Params | undefined), body, origin: this.origin };
  }

  /** Does what a command does, as a call of the control API would. */
  do<M extends Members, R>(act: Command<M, R>, input: InputOf<M>): R {
    this.sandbox.written = true;
    return this.ask(act, input);
  }

  /** Returns what a question answers, as the control API would say it. */
  ask<M extends Members, R>(question: Command<M, R>, input: InputOf<M>): R {
    const { host, sandbox, origin } = this;
    return execute<M, R>(question, { host, sandbox, baseUrl: `${origin}${host.basePath}` }, input);
  }
}
