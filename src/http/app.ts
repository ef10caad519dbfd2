import { Hono } from 'hono';
import { getPath } from 'hono/utils/url';
import { OPERATIONS } from '../areas.ts';
import { CATALOGUE } from '../catalogue.ts';
import type { Host } from '../host/host.ts';
import { Failure } from '../kernel/errors.ts';
import type { Operation } from '../kernel/operation.ts';
import { PROFILES } from '../kernel/profile.ts';
import { nearest } from '../scenario/load.ts';
import { mountControl } from './control.ts';
import { begin, mount, refuse } from './mount.ts';

/** Routes under a base path live here inside; a request can never name it. */
const API = '/api';
const ELSEWHERE = '/elsewhere';

const honoPath = (path: string): string => API + path.replaceAll(/\{(\w+)\}/g, ':$1');

/** Literal segments before parameters, so that no path shadows another whatever the order of areas. */
const bySpecificity = (a: { path: string }, b: { path: string }): number =>
  a.path.replaceAll('{', '~') < b.path.replaceAll('{', '~') ? -1 : 1;

/** The whole emulator as one fetch handler. */
export function createApp(host: Host): Hono {
  const bases = [...new Set([host.basePath, ...Object.values(PROFILES).map((p) => p.basePath)])];
  const app = new Hono({
    getPath: (request) => {
      const path = getPath(request);
      if (path.startsWith('/_emulator') || path === '/openapi.json' || path === '/') return path;
      for (const base of bases) if (path.startsWith(base) && path.charCodeAt(base.length) === 47) return API + path.slice(base.length);
      return ELSEWHERE + path;
    },
  });
  const built = new Map(OPERATIONS.map((op) => [`${op.method} ${op.path}`, op]));
  const methods = new Map<string, string[]>();
  for (const listed of [...CATALOGUE].sort(bySpecificity)) {
    const op = built.get(`${listed.method} ${listed.path}`);
    methods.set(listed.path, [...(methods.get(listed.path) ?? []), listed.method]);
    app.on(listed.method, honoPath(listed.path), op ? mount(host, op) : (c) => refuse(begin(host, c, undefined), unbuilt(listed)));
  }
  for (const [path, allowed] of [...methods].sort(([a], [b]) => bySpecificity({ path: a }, { path: b }))) {
    app.all(honoPath(path), (c) => {
      const response = refuse(begin(host, c, undefined), wrongMethod(c.req.method, path, allowed));
      return new Response(response.body, { status: response.status, headers: { ...Object.fromEntries(response.headers), allow: allowed.join(', ') } });
    });
  }
  mountControl(app, host);
  app.notFound((c) => refuse(begin(host, c, undefined), unknownPath(host, c.req.path)));
  app.onError((error, c) => refuse(begin(host, c, undefined), error));
  return app;
}

const unbuilt = (listed: { method: string; path: string; id: string }): Failure =>
  new Failure('NOT_IMPLEMENTED', `${listed.id} (${listed.method} ${listed.path}) is an operation of the service that this emulator does not offer yet`, {
    details: { operation: listed.id },
  });

const wrongMethod = (method: string, path: string, allowed: readonly string[]): Failure =>
  new Failure('METHOD_NOT_ALLOWED', `${path} does not answer ${method}; it answers ${allowed.join(', ')}`, { details: { allowed } });

/** 404 for a path that the service does not have, naming the nearest one that it has. */
function unknownPath(host: Host, path: string): Failure {
  const shown = path.startsWith(API) ? path.slice(API.length) : path.slice(path.startsWith(ELSEWHERE) ? ELSEWHERE.length : 0);
  const paths = [...new Set(CATALOGUE.map((listed) => listed.path))];
  const near = nearest(shown, paths) ?? nearest(shown.replaceAll(/[A-Z]\w+:[0-9a-f-]+/g, '{id}'), paths);
  const suggestion = path.startsWith(API) ? near : paths.includes(shown) || near ? `${host.basePath}${near ?? shown}` : undefined;
  return new Failure('REFERENCE_NOT_FOUND', `there is no ${shown}${suggestion ? `; did you mean ${suggestion}?` : `; the API lives under ${host.basePath}`}`, {
    details: suggestion ? { nearest: suggestion } : undefined,
  });
}

/** Operations that are built, for documents and lists. */
export const builtOperations = (): readonly Operation[] => OPERATIONS;
