import { isIP } from 'node:net';
import { hostnameOf, isHostName, isLoopback, isOrigin } from '../contract/address.ts';
import { Failure, fail } from '../contract/errors.ts';
import type { HttpRequest } from './request.ts';

/** The rules by which callers are admitted. */
interface Bounds {
  /** True if the server is reachable from other machines. */
  readonly open: boolean;
  readonly options: {
    readonly allowHost?: readonly string[] | undefined;
    readonly allowOrigin?: readonly string[] | undefined;
    readonly publicUrl?: string | undefined;
    readonly host?: string | undefined;
  };
}

/** Headers that the script of an allowed page may read, besides those that every page may. */
const EXPOSED = 'x-request-id, x-sandbox-emulator, retry-after';
const MOST_KNOWN = 1000;

/**
 * Admits callers: programs, and pages of this emulator. A foreign name in `Host` is a sign that a page elsewhere has
 * rebound its own name to this machine.
 */
export class Gate {
  readonly #bounds: Bounds;
  readonly #names: ReadonlySet<string | undefined>;
  readonly #origins: ReadonlySet<string>;
  /** The public origin of our pages; a proxy may have put another name in `Host`. */
  readonly #public: string | undefined;
  /** Earlier verdicts, by the header as it arrived: every request needs one. */
  readonly #known = new Map<string, boolean>();

  /** Throws for an invalid name or origin. */
  constructor(bounds: Bounds) {
    const { allowHost = [], allowOrigin = [], publicUrl, host = '' } = bounds.options;
    const reached = publicUrl === undefined ? undefined : new URL(publicUrl);
    for (const name of allowHost)
      if (!isHostName(name))
        throw new Error(`allowHost: a name such as emulator, without scheme and port, not ${name}`);
    for (const origin of allowOrigin)
      if (!isOrigin(origin)) throw new Error(`allowOrigin: an origin such as http://localhost:3000, not ${origin}`);
    this.#bounds = bounds;
    this.#public = reached?.origin;
    // What it listens on is what it tells.
    const told = isIP(host) === 6 ? [`[${host}]`] : isHostName(host) ? [host] : [];
    this.#names = new Set([...allowHost, ...told, ...(reached ? [reached.hostname] : [])].map(hostnameOf));
    this.#origins = new Set(allowOrigin.map((origin) => origin.toLowerCase()));
  }

  /**
   * Returns whether a `Host` header names this emulator: loopback, any IP address if the server is open, what it
   * listens on, and the allowed names.
   */
  admits(header: string): boolean {
    const before = this.#known.get(header);
    if (before !== undefined) return before;
    const name = hostnameOf(header);
    const admitted =
      name !== undefined &&
      (isItself(name) || this.#names.has(name) || (this.#bounds.open && isIP(name.replace(/^\[|\]$/g, '')) > 0));
    if (this.#known.size >= MOST_KNOWN) this.#known.clear();
    this.#known.set(header, admitted);
    return admitted;
  }

  /**
   * Checks `Host` alone, for pages to which people may follow a link. A host in the request target counts as well. 400
   * `INVALID_REQUEST_FORMAT` for two of them; 403 `FORBIDDEN`.
   */
  host({ incoming }: HttpRequest): void {
    if (!incoming) return;
    if (hasTwoHosts(incoming.rawHeaders)) fail('INVALID_REQUEST_FORMAT', 'the request has more than one Host header');
    const own = incoming.headers.host ?? '';
    const host = this.admits(own) ? hostOfTarget(incoming.url ?? '') : own;
    if (host === undefined || this.admits(host)) return;
    fail('FORBIDDEN', `this emulator does not answer as Host ${host}; --allow-host makes a name one of its own`, {
      why: { rule: 'DNS rebinding', expected: 'this machine, or a name of --allow-host', seen: host },
    });
  }

  #isOurs(origin: string, host: string): boolean {
    return origin === this.#public || sameHost(origin, host);
  }

  /**
   * Admits this machine's own programs and pages to the control API, and addresses that a person opens to a control
   * that changes nothing. 403 `FORBIDDEN`.
   */
  control(request: HttpRequest, changes: boolean): void {
    this.host(request);
    const { origin, site, host, isOpened } = fromOf(request);
    if (origin !== undefined && !this.#isOurs(origin, host)) throw foreign('the control API', 'Origin', origin);
    if (isElsewhere(site)) throw foreign('the control API', 'Sec-Fetch-Site', site);
    if (changes && isOpened) throw opened('a control that may change something');
  }

  /** Admits forms of this emulator's own pages for people. 403 `FORBIDDEN`. */
  form(request: HttpRequest): void {
    this.host(request);
    const { origin, site, host } = fromOf(request);
    // A page without a referrer sends `Origin: null` with a form; `Sec-Fetch-Site` then shows its site.
    const own = origin === 'null' ? site === 'same-origin' : origin === undefined || this.#isOurs(origin, host);
    if (!own) throw foreign('the inspector', 'Origin', origin ?? '');
    if (isElsewhere(site)) throw foreign('the inspector', 'Sec-Fetch-Site', site);
  }

  /**
   * Admits callers of the API as of the control API, and also pages of an allowed origin, which it returns. 403
   * `FORBIDDEN`.
   */
  api(request: HttpRequest): string | undefined {
    this.host(request);
    const { origin, site, host, isOpened } = fromOf(request);
    if (origin !== undefined && this.#origins.has(origin)) return origin;
    if (origin !== undefined && !this.#isOurs(origin, host))
      throw foreign('the API', 'Origin', origin, '; --allow-origin lets it');
    if (isElsewhere(site)) throw foreign('the API', 'Sec-Fetch-Site', site, '; --allow-origin lets it');
    if (isOpened) throw opened('the API');
    return undefined;
  }
}

/**
 * Returns whether a name is one of loopback that browsers trust. A page elsewhere can name a picture at a mapped
 * address, `[::ffff:127.0.0.1]`, and the browser then says neither that nor whose picture it is.
 */
const isItself = (name: string): boolean => isLoopback(name) && !name.startsWith('[::ffff:');

/**
 * Returns whether a request has two `Host` headers: Node keeps the first, and a proxy in front may have judged by the
 * other.
 */
function hasTwoHosts(raw: readonly string[]): boolean {
  let hosts = 0;
  for (let i = 0; i < raw.length; i += 2) if (raw[i]?.length === 4 && raw[i]?.toLowerCase() === 'host') hosts += 1;
  return hosts > 1;
}

/** Returns the host in a target in absolute form, as clients send it to a proxy. */
const hostOfTarget = (target: string): string | undefined =>
  target.startsWith('/') || !URL.canParse(target) ? undefined : new URL(target).host;

/** Returns the origin of a call, by its headers. */
function fromOf(request: HttpRequest) {
  const headers = request.incoming?.headers;
  const header = (name: string) => (headers ? (headers[name] as string | undefined) : request.header(name));
  const site = siteOf(header);
  return {
    origin: header('origin'),
    site,
    host: header('host') ?? (headers ? '' : new URL(request.url).host),
    isOpened: header('sec-fetch-mode') === 'navigate' && site !== 'same-origin',
  };
}

/**
 * Returns the site of a call, if it is a browser's. What a browser fetches ahead at the wish of a page says `none`, as
 * an address that a person has typed does.
 */
function siteOf(header: (name: string) => string | undefined): string | undefined {
  const site = header('sec-fetch-site');
  return site === 'none' ? (header('sec-purpose') ?? site) : site;
}

const isElsewhere = (site: string | undefined): site is string =>
  site !== undefined && site !== 'same-origin' && site !== 'none';

const sameHost = (origin: string, host: string): boolean =>
  URL.canParse(origin) && new URL(origin).host === host.toLowerCase();

const foreign = (what: string, header: string, value: string, more = ''): Failure =>
  new Failure('FORBIDDEN', `${what} does not answer pages of other sites; ${header} was ${value}${more}`, {
    why: { rule: 'pages of other sites', seen: value },
  });

/** Returns the refusal of an address that a browser opens: a person may have typed it, or a site redirected to it. */
const opened = (what: string): Failure =>
  new Failure('FORBIDDEN', `${what} answers clients, not an address that a browser opens (Sec-Fetch-Mode: navigate)`, {
    why: { rule: 'addresses that a browser opens', expected: 'a client, or curl', seen: 'navigate' },
  });

/** Returns the headers that let a page of an allowed origin read a reply. */
export const corsHeaders = (origin: string): Record<string, string> => ({
  'access-control-allow-origin': origin,
  'access-control-expose-headers': EXPOSED,
  vary: 'origin',
});

/** Returns whether this is a browser's preflight for a page of another origin. */
export const isPreflight = (request: HttpRequest): boolean =>
  request.method === 'OPTIONS' && request.header('access-control-request-method') !== undefined;

/** Returns the headers of the preflight's reply: those that the API reads, and those that a generated client adds. */
export const preflightHeaders = (request: HttpRequest, signature: string): Record<string, string> => ({
  'access-control-allow-methods': 'GET, HEAD, POST, PUT, PATCH, DELETE',
  'access-control-allow-headers': ['Authorization, Content-Type, Idempotency-Key, Request-Id', signature]
    .concat(request.header('access-control-request-headers') ?? [])
    .join(', '),
  'access-control-max-age': '600',
  // Browsers require this before a page of a public site may call this machine.
  ...(request.header('access-control-request-private-network')
    ? { 'access-control-allow-private-network': 'true' }
    : {}),
});
