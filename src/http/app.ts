import type { IncomingMessage, ServerResponse } from 'node:http';
import { Hono } from 'hono';
import { getPath } from 'hono/utils/url';
import { OPERATIONS, PRINCIPALS } from '../areas.ts';
import { Failure } from '../contract/errors.ts';
import { lazy } from '../contract/lazy.ts';
import { PROFILES, type Profile } from '../contract/profile.ts';
import { CONTROLS, type Control } from '../control/index.ts';
import type { Operation } from '../declare/operation.ts';
import type { Host } from '../sandbox/host.ts';
import { nearest } from '../scenario/load.ts';
import { Answers } from './answers.ts';
import { JSON_LIMIT } from './body.ts';
import { type Answer, Direct, isPlain, WRITTEN } from './direct.ts';
import { type App, begin, Call, type Route, runSteps } from './exchange.ts';
import { DROPPED, Dropped } from './fault-injection.ts';
import { Gate } from './gate.ts';
import { isInspector } from './inspector.ts';
import { visitOf } from './pages.ts';
import { Paths, plainPath } from './paths.ts';
import { refuse } from './refusal.ts';
import { routeOf } from './steps.ts';

/** An operation of the service, and its steps. */
interface Built {
  readonly op: Operation;
  readonly route: Route<Call>;
}

type Tree = Paths<Built>;
const trees = new WeakMap<readonly Operation[], Map<Profile, Tree>>();

/** Every path of a profile with its steps, made once a process: nothing in it is a host's. */
function treeOf(profile: Profile, operations: readonly Operation[]): Tree {
  const known = trees.get(operations) ?? new Map<Profile, Tree>();
  trees.set(operations, known);
  let tree = known.get(profile);
  if (tree) return tree;
  tree = new Paths<Built>();
  known.set(profile, tree);
  const built = new Map<string, Built>(operations.map((op) => [op.id, { op, route: routeOf(op.auth, op) }]));
  for (const one of built.values()) tree.add(one.op.method, one.op.path, one);
  for (const { method, from, path } of profile.aliases) {
    const aliased = tree.find(path)?.methods.get(method);
    if (aliased) tree.add(method, from, aliased);
  }
  return tree;
}

/** What answers requests. */
export interface Served {
  readonly fetch: Hono['fetch'];
  readonly request: Hono['request'];
  /** Answer a plain call of an operation as Node parsed it; false, with nothing done, for every other request. */
  direct(incoming: IncomingMessage, outgoing: ServerResponse, broken: (error: unknown) => void): boolean;
  /** Write the answers that wait for the end of this turn: something that is no request is answered next. */
  settle(): void;
}

/** Hono's context is never a `Direct`, so whatever the steps end with is a response. */
const toHono = (answer: Answer | Promise<Answer>) => answer as Response | Promise<Response>;

/** The whole emulator as one fetch handler. The operations are those that are built, unless a test brings others. */
export function createApp(
  host: Host,
  operations = OPERATIONS,
  principals = PRINCIPALS,
  answers = new Answers((error) => host.broken('the HTTP layer', error)),
): Served {
  const bases = [...new Set([host.basePath, ...Object.values(PROFILES).map((p) => p.basePath)])];
  const paths = lazy(() => treeOf(host.profile, operations));

  // API and control API are one route each to Hono; what is asked for is looked up once, in a tree of declared paths.
  const app = new Hono({
    getPath: (request) => {
      const path = getPath(request);
      if (path === '/_emulator/mcp') return '/mcp';
      if (path.startsWith('/_emulator') || path === '/openapi.json') return '/control';
      if (path.startsWith('/kyc/')) return path;
      return isInspector(path) ? '/inspector' : '/api';
    },
  });
  const shared: App = { host, gate: new Gate(host), principals };
  const nowhere = routeOf('nowhere');
  app.all('/api', (c) => {
    const path = getPath(c.req.raw);
    const base = bases.find((b) => path.startsWith(b) && path.charCodeAt(b.length) === 47);
    const found = base === undefined ? undefined : paths().find(path.slice(base.length));
    const method = c.req.method === 'HEAD' ? 'GET' : c.req.method;
    const at = found?.methods.get(method);
    const plain = found ? plainPath(path.slice(base?.length)) : path;
    if (at) return toHono(runSteps(new Call(shared, c, at.route, plain, found?.params, at.op), at.route));
    const missing = found ? wrongMethod(method, found.path, [...found.methods.keys()]) : unknownPath(host, path, base);
    return toHono(runSteps(new Call(shared, c, nowhere, plain, found?.params, undefined, missing), nowhere));
  });
  app.all('/control', (c) => {
    const path = getPath(c.req.raw);
    const found = doors().find(path);
    const door = found?.methods.get(c.req.method === 'HEAD' ? 'GET' : c.req.method);
    if (!door) return toHono(refuse(new Call(shared, c, nowhere, path), unknownControl(path)));
    const call = {
      ...begin(shared, c),
      door,
      params: found?.params ?? {},
      text: '',
      context: undefined,
      value: undefined,
    };
    return toHono(runSteps(call, controlRoute()));
  });
  const mcp = routeOf('mcp');
  app.all('/mcp', (c) => toHono(runSteps({ ...begin(shared, c), text: '' }, mcp)));
  const page = routeOf('page');
  app.on(['GET', 'POST'], '/kyc/:secret', (c) => toHono(runSteps(visitOf(begin(shared, c)), page)));
  const inspector = routeOf('inspector');
  app.all('/inspector', (c) => toHono(runSteps({ c, app: shared, path: getPath(c.req.raw) }, inspector)));
  app.notFound((c) => toHono(refuse(new Call(shared, c, nowhere, c.req.path), unknownControl(c.req.path))));
  app.onError((error, c) => toHono(refuse(new Call(shared, c, nowhere, c.req.path), error)));
  host.fetch = async (request) => {
    try {
      return await app.fetch(request);
    } catch (error) {
      throw error === DROPPED ? new Dropped() : error;
    }
  };
  return {
    fetch: (...given) => {
      answers.write();
      return app.fetch(...given);
    },
    request: app.request,
    settle: () => answers.write(),
    direct: (incoming, outgoing, broken) => {
      if (!isPlain(incoming, JSON_LIMIT)) return false;
      const url = incoming.url as string;
      const end = url.indexOf('?');
      const path = end < 0 ? url : url.slice(0, end);
      const base = bases.find((b) => path.startsWith(b) && path.charCodeAt(b.length) === 47);
      if (base === undefined) return false;
      const plain = path.slice(base.length);
      const found = paths().find(plain);
      const at = found?.methods.get(incoming.method as string);
      if (!at || at.op.upload) return false;
      answers.expect();
      const c = new Direct(incoming, outgoing, answers);
      const answer = runSteps(new Call(shared, c, at.route, plain, found?.params, at.op), at.route);
      if (answer instanceof Promise)
        answer.then((one) => {
          if (one !== WRITTEN) c.sendHeld(one).catch(broken);
        }, broken);
      else if (c.held) c.sendHeld(answer).catch(broken);
      return true;
    },
  };
}

const wrongMethod = (method: string, path: string, allow: readonly string[]): Failure =>
  new Failure('METHOD_NOT_ALLOWED', `${path} does not answer ${method}; it answers ${allow.join(', ')}`, {
    details: { allow },
  });

const unknownControl = (path: string): Failure =>
  new Failure('REFERENCE_NOT_FOUND', `there is no ${path}; the control API is described in docs/control-api.md`);

const controlRoute = lazy(() => routeOf('control'));

/** Every control by its path, made at the first call of one. */
const doors = lazy(() => {
  const tree = new Paths<Control>();
  for (const door of CONTROLS) tree.add(door.method, `/_emulator${door.path.replaceAll(/:(\w+)/g, '{$1}')}`, door);
  const document = tree.find('/_emulator/openapi.json')?.methods.get('GET');
  if (document) tree.add('GET', '/openapi.json', document);
  return tree;
});

/** Every path of the service, for a suggestion. */
const DECLARED = lazy(() => {
  const paths = [...new Set(OPERATIONS.map(({ path }) => path))];
  const tree = new Paths<true>();
  for (const path of paths) tree.add('GET', path, true);
  return { paths, tree };
});

/** Ids stand for parameters; what is much longer than any path of the service is like none of them. */
const withoutIds = (path: string): string =>
  path.length > 1000 ? path : path.replaceAll(/\b[A-Z][A-Za-z]{1,40}:[0-9a-f-]+/g, '{id}');

/** 404 for a path that the service does not have, naming the nearest one that it has. */
function unknownPath(host: Host, path: string, base: string | undefined): Failure {
  const shown = path.slice(base?.length ?? 0);
  const { paths, tree } = DECLARED();
  const near = tree.find(shown)?.path ?? nearest(withoutIds(shown), paths);
  return new Failure(
    'REFERENCE_NOT_FOUND',
    `there is no ${path}; ${near ? `did you mean ${host.basePath}${near}?` : `the API lives under ${host.basePath}`}`,
    { details: near ? { nearest: `${host.basePath}${near}` } : undefined },
  );
}
