import { type Context, Hono } from 'hono';
import { getPath } from 'hono/utils/url';
import { OPERATIONS } from '../areas.ts';
import { CATALOGUE, type Listed } from '../catalogue.ts';
import type { Host } from '../host/host.ts';
import { Failure } from '../kernel/errors.ts';
import { lazy } from '../kernel/lazy.ts';
import type { Operation } from '../kernel/operation.ts';
import { PROFILES } from '../kernel/profile.ts';
import { nearest } from '../scenario/load.ts';
import { mountControl } from './control.ts';
import { replyHeaders, replyOf } from './failures.ts';
import { Gate, isPreflight, preflightHeaders } from './gate.ts';
import { isInspector, mountInspector } from './inspector.ts';
import { enter } from './mount.ts';
import { mountPages } from './pages.ts';
import { begin, refuse } from './passage.ts';
import { Paths, plainPath } from './paths.ts';

/** The whole emulator as one fetch handler. */
export function createApp(host: Host): Hono {
  const bases = [...new Set([host.basePath, ...Object.values(PROFILES).map((p) => p.basePath)])];
  const built = new Map(OPERATIONS.map((op) => [op.id, op]));
  const paths = new Paths<Operation | Listed>();
  for (const listed of CATALOGUE) paths.add(listed.method, listed.path, built.get(listed.id) ?? listed);

  for (const { method, from, path } of host.profile.aliases) {
    const aliased = paths.find(path)?.methods.get(method);
    if (aliased) paths.add(method, from, aliased);
  }

  // The API is one route to Hono; which operation it is, is looked up once, in the tree of declared paths.
  const app = new Hono({
    getPath: (request) => {
      const path = getPath(request);
      if (path.startsWith('/_emulator') || path.startsWith('/kyc/') || path === '/openapi.json') return path;
      return isInspector(path) ? '/inspector' : '/api';
    },
  });
  const gate = new Gate(host);
  app.all('/api', (c) => {
    const path = getPath(c.req.raw);
    const base = bases.find((b) => path.startsWith(b) && path.charCodeAt(b.length) === 47);
    const found = base === undefined ? undefined : paths.find(path.slice(base.length));
    const method = c.req.method === 'HEAD' ? 'GET' : c.req.method;
    const op = found?.methods.get(method);
    const passage = begin(
      host,
      c,
      op && 'run' in op ? op : undefined,
      found ? plainPath(path.slice(base?.length)) : path,
      found?.params ?? {},
    );
    try {
      passage.origin = gate.api(c);
    } catch (error) {
      return refuse(passage, error);
    }
    if (passage.origin !== undefined && isPreflight(c)) return preflight(host, c, passage.origin);
    if (!found) return refuse(passage, unknownPath(host, path, base));
    if (!op) return refuse(passage, wrongMethod(method, found.path, [...found.methods.keys()]));
    if (!('run' in op)) return refuse(passage, unbuilt(op));
    return enter(passage, op);
  });
  mountControl(app, host, gate);
  mountPages(app, host, gate);
  mountInspector(app, host, gate);
  app.notFound((c) => refuse(begin(host, c, undefined, c.req.path, {}), unknownControl(c.req.path)));
  app.onError((error, c) => refuse(begin(host, c, undefined, c.req.path, {}), error));
  return app;
}

/** What a page of another origin may send; it is no call of the API, and has no place in the request log. */
const preflight = (host: Host, c: Context, origin: string): Response =>
  replyOf(c, 204, '', {
    ...replyHeaders(host.nextRequestId()),
    ...preflightHeaders(c, origin, host.profile.walletSignatureHeader),
  });

const unbuilt = (listed: Listed): Failure =>
  new Failure(
    'NOT_IMPLEMENTED',
    `${listed.id} (${listed.method} ${listed.path}) is an operation of the service that this emulator does not offer yet`,
    {
      details: { operation: listed.id },
    },
  );

const wrongMethod = (method: string, path: string, allow: readonly string[]): Failure =>
  new Failure('METHOD_NOT_ALLOWED', `${path} does not answer ${method}; it answers ${allow.join(', ')}`, {
    details: { allow },
  });

const unknownControl = (path: string): Failure =>
  new Failure('REFERENCE_NOT_FOUND', `there is no ${path}; the control API is described in docs/control-api.md`);

/** Every path of the service, for a suggestion. */
const DECLARED = {
  paths: [...new Set(CATALOGUE.map((listed) => listed.path))],
  tree: lazy(() => {
    const tree = new Paths<true>();
    for (const path of DECLARED.paths) tree.add('GET', path, true);
    return tree;
  }),
};

/** Ids stand for parameters; what is much longer than any path of the service is like none of them. */
const withoutIds = (path: string): string =>
  path.length > 1000 ? path : path.replaceAll(/\b[A-Z][A-Za-z]{1,40}:[0-9a-f-]+/g, '{id}');

/** 404 for a path that the service does not have, naming the nearest one that it has. */
function unknownPath(host: Host, path: string, base: string | undefined): Failure {
  const shown = path.slice(base?.length ?? 0);
  const near = DECLARED.tree().find(shown)?.path ?? nearest(withoutIds(shown), DECLARED.paths);
  return new Failure(
    'REFERENCE_NOT_FOUND',
    `there is no ${path}; ${near ? `did you mean ${host.basePath}${near}?` : `the API lives under ${host.basePath}`}`,
    {
      details: near ? { nearest: `${host.basePath}${near}` } : undefined,
    },
  );
}
