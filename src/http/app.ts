import { Hono } from 'hono';
import { getPath } from 'hono/utils/url';
import { OPERATIONS } from '../areas.ts';
import { CATALOGUE, type Listed } from '../catalogue.ts';
import type { Host } from '../host/host.ts';
import { Failure } from '../kernel/errors.ts';
import type { Operation } from '../kernel/operation.ts';
import { PROFILES } from '../kernel/profile.ts';
import { nearest } from '../scenario/load.ts';
import { mountControl } from './control.ts';
import { isInspector, mountInspector } from './inspector.ts';
import { enter } from './mount.ts';
import { mountPages } from './pages.ts';
import { begin, refuse } from './passage.ts';
import { Paths } from './paths.ts';

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
  app.all('/api', (c) => {
    const path = getPath(c.req.raw);
    const base = bases.find((b) => path.startsWith(b) && path.charCodeAt(b.length) === 47);
    const found = base === undefined ? undefined : paths.find(path.slice(base.length));
    if (!found) return refuse(begin(host, c, undefined, path, {}), unknownPath(host, path, base));
    const op = found.methods.get(c.req.method);
    const passage = begin(host, c, op && 'run' in op ? op : undefined, path.slice(base?.length), found.params);
    if (!op) return refuse(passage, wrongMethod(c.req.method, found.path, [...found.methods.keys()]));
    if (!('run' in op)) return refuse(passage, unbuilt(op));
    return enter(passage, op);
  });
  mountControl(app, host);
  mountPages(app, host);
  mountInspector(app, host);
  app.notFound((c) => refuse(begin(host, c, undefined, c.req.path, {}), unknownControl(c.req.path)));
  app.onError((error, c) => refuse(begin(host, c, undefined, c.req.path, {}), error));
  return app;
}

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

/** 404 for a path that the service does not have, naming the nearest one that it has. */
function unknownPath(host: Host, path: string, base: string | undefined): Failure {
  const shown = path.slice(base?.length ?? 0);
  const paths = [...new Set(CATALOGUE.map((listed) => listed.path))];
  const known = new Paths<true>();
  for (const declared of paths) known.add('GET', declared, true);
  const near = known.find(shown)?.path ?? nearest(shown.replaceAll(/[A-Z]\w+:[0-9a-f-]+/g, '{id}'), paths);
  return new Failure(
    'REFERENCE_NOT_FOUND',
    `there is no ${path}; ${near ? `did you mean ${host.basePath}${near}?` : `the API lives under ${host.basePath}`}`,
    {
      details: near ? { nearest: `${host.basePath}${near}` } : undefined,
    },
  );
}
