import type { IncomingMessage, ServerResponse } from 'node:http';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { type Context, Hono } from 'hono';
import { OPERATIONS, PRINCIPALS } from '../areas.ts';
import type { Answer } from '../contract/answer.ts';
import { Failure } from '../contract/errors.ts';
import { lazy } from '../contract/lazy.ts';
import { CONTROLS, type Control } from '../control/index.ts';
import { Host } from '../sandbox/host.ts';
import { Api, wrongMethod } from './api.ts';
import { refuseUnlogged } from './control.ts';
import { ControlLock } from './control-lock.ts';
import { type App, begin, Call, runSteps } from './exchange.ts';
import { asFailure } from './failures.ts';
import { Dropped, FetchRequest, madeFor, toResponse } from './fetch.ts';
import { Gate } from './gate.ts';
import { writeAnswer } from './node.ts';
import { visitOf } from './pages.ts';
import { Paths } from './paths.ts';
import { unprefixed } from './prefix.ts';
import { refuse } from './refusal.ts';
import { routeOf } from './steps.ts';

/** Hono's bindings for a request that arrived over a socket. */
type Env = { Bindings: { readonly incoming?: IncomingMessage; readonly outgoing?: ServerResponse } };

/**
 * The emulator's app: it serves every request as fetch does, and the API separately for callers without a `Request`.
 */
export interface Served extends Pick<Hono<Env>, 'fetch' | 'request'> {
  readonly api: Api;
}

const NO_BYTES = new Uint8Array();

/**
 * Builds the whole emulator as one fetch handler. The operations are those of the service, unless a test passes others.
 */
export function createApp(host: Host, operations = OPERATIONS, principals = PRINCIPALS): Served {
  const lock = new ControlLock(host.options.controlToken);
  const shared: App = { host, gate: new Gate(host), lock, principals };
  const api = new Api(shared, operations);
  const [controls, mcp, page, inspector, login, nowhere] = [
    routeOf('control'),
    routeOf('mcp'),
    routeOf('page'),
    routeOf('inspector'),
    routeOf('login'),
    routeOf('nowhere'),
  ];

  const app = new Hono<Env>();
  app.all('/_emulator/mcp', (c) => handled(c, (request) => runSteps({ ...begin(shared, request), text: '' }, mcp)));

  const control = (c: Context<Env>) =>
    handled(c, (request) => {
      const found = doors().find(c.req.path);
      const door = found?.at(request.method);
      if (!door) {
        const missing = found ? wrongMethod(request.method, found) : unknownControl(c.req.path);
        return lockedOut(shared, request) ?? refuseUnlogged(begin(shared, request), missing);
      }
      const params = found?.params ?? {};
      const nothing = { context: undefined, value: undefined, session: undefined };
      return runSteps({ ...begin(shared, request), door, params, bytes: NO_BYTES, ...nothing }, controls);
    });
  app.all('/openapi.json', control);
  app.all('/:control{_emulator.*}', control);

  app.on(['GET', 'POST'], '/kyc/:secret', (c) =>
    handled(c, (request) => runSteps(visitOf(begin(shared, request), c.req.path, c.req.param('secret')), page)),
  );
  app.all('/:page{kyc(?:/.*)?}', (c) =>
    handled(c, (request) => refuseUnlogged(begin(shared, request), unknownPage(c.req.path))),
  );

  if (lock.isSet)
    for (const path of ['/inspector/login', '/inspector/logout'])
      app.all(path, (c) =>
        handled(c, (request) => runSteps({ ...begin(shared, request), path, form: undefined }, login)),
      );
  const look = (c: Context<Env>) =>
    handled(c, (request) => runSteps({ request, app: shared, path: c.req.path }, inspector));
  for (const path of ['/', '/inspector/*', ...ASKED_BY_ITSELF]) app.all(path, look);

  app.all('*', (c) => handled(c, (request) => api.answer(request, c.req.path)));
  app.onError((error, c) => {
    if (error instanceof Dropped) throw error;
    return handled(c, (request) => refuse(new Call(shared, request, nowhere, c.req.path), error));
  });
  host.fetch = async (request, sandbox) => app.fetch(madeFor(lock.own(unprefixed(host, request)), sandbox));
  host.another = async (options) => {
    const other = await Host.start(options);
    createApp(other);
    return other;
  };
  return { fetch: app.fetch, request: app.request, api };
}

/** Refuses an unknown control without the token, if one is set: the reply does not even say which controls exist. */
function lockedOut(app: App, request: FetchRequest): Answer | Promise<Answer> | undefined {
  try {
    app.lock.check(request);
    return undefined;
  } catch (error) {
    return refuseUnlogged(begin(app, request), asFailure(error));
  }
}

/**
 * Addresses that browsers and crawlers fetch of their own accord; they are not calls of the API, and not in the request
 * log.
 */
const ASKED_BY_ITSELF = [
  '/favicon.ico',
  '/robots.txt',
  '/:icon{apple-touch-icon.*}',
  '/:tools{\\.well-known/appspecific/.*}',
];

/** Serves a request from Hono: to Node if it arrived over a socket, otherwise as a `Response`. */
async function handled(
  c: Context<Env>,
  answer: (request: FetchRequest) => Answer | Promise<Answer>,
): Promise<Response> {
  const { incoming, outgoing } = c.env ?? {};
  const answered = await answer(new FetchRequest(c.req.raw, incoming));
  if (!outgoing) return toResponse(answered, c.req.method);
  writeAnswer(answered, outgoing);
  return RESPONSE_ALREADY_SENT;
}

const unknownControl = (path: string): Failure =>
  new Failure('REFERENCE_NOT_FOUND', `there is no ${path}; the control API is described in docs/control-api.md`);

const unknownPage = (path: string): Failure =>
  new Failure(
    'REFERENCE_NOT_FOUND',
    `there is no ${path}; the hosted page is at the kycUrl of a link (docs/hosted-page.md)`,
  );

/** Every control by its path, built at the first call of one. */
const doors = lazy(() => {
  const tree = new Paths<Control>();
  for (const door of CONTROLS) tree.add(door.method, `/_emulator${door.path.replaceAll(/:(\w+)/g, '{$1}')}`, door);
  const document = tree.find('/_emulator/openapi.json')?.methods.get('GET');
  if (document) tree.add('GET', '/openapi.json', document);
  return tree;
});
