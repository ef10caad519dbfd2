import { fail } from '../contract/errors.ts';
import { CONTROLS } from '../control/index.ts';
import type { World } from '../engine/world.ts';
import type { Host } from '../sandbox/host.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';

type Params = Readonly<Record<string, string | number | undefined>>;

/** One look at one page: whose sandbox it shows, and what was asked of it. */
export class PageContext {
  readonly host: Host;
  readonly sandbox: Sandbox;
  readonly url: URL;
  /** The OpenAPI document as JSON text. */
  readonly openApi: () => Promise<string>;

  /** Refuses 404 `REFERENCE_NOT_FOUND` for a sandbox that is not there. */
  constructor(host: Host, url: URL, openApi: () => Promise<string>) {
    this.host = host;
    this.url = url;
    this.openApi = openApi;
    const named = url.searchParams.get('sandbox');
    this.sandbox =
      named === null ? host.default : (host.find(named) ?? fail('REFERENCE_NOT_FOUND', `there is no sandbox ${named}`));
  }

  get world(): World {
    return this.sandbox.world;
  }

  get path(): string {
    return this.url.pathname;
  }

  get origin(): string {
    return this.url.origin;
  }

  /** A value of the query; an empty one is none. */
  query(name: string): string | undefined {
    return this.url.searchParams.get(name) || undefined;
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

  /** The address of a door of the control API, in the same sandbox. */
  door(path: string): string {
    return this.to(`/_emulator${path}`);
  }

  /** What the control API answers, without a socket. Its replies have no schema: the caller says what it reads of them. */
  async ask<T>(method: Method, path: string, params: Record<string, string> = {}, query: object = {}): Promise<T> {
    const door = CONTROLS.find((d) => d.method === method && d.path === path);
    if (!door) return fail('NOT_IMPLEMENTED', `this emulator has no ${method} /_emulator${path}`);
    const asked = door.query ? door.query().parse(query) : query;
    const { host, sandbox, origin, openApi } = this;
    return (await door.run({ host, sandbox, params, query: asked, body: undefined, origin, openApi } as never)) as T;
  }
}

type Method = (typeof CONTROLS)[number]['method'];
