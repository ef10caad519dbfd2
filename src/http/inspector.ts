import type { Answer } from '../contract/answer.ts';
import { Failure, fail } from '../contract/errors.ts';
import type { Host } from '../sandbox/host.ts';
import { VERSION } from '../version.ts';
import { readText } from './body.ts';
import { CHALLENGE } from './control-lock.ts';
import type { Exchange, Step } from './exchange.ts';
import { asFailure, failureText, refusalOf, replyHeaders, replyOf } from './failures.ts';
import { type HttpRequest, targetOf } from './request.ts';

/** Pages with forms that are sent to themselves: a request, to send it again or go back; an operation, to try it. */
const WITH_FORMS = /^\/inspector\/(?:requests|api)\/[^/]+$/;
/** Largest form: a body of the API, its characters escaped. */
const FORM_LIMIT = 4 * 1024 * 1024;

// The steps of a look at the pages for people, in `steps.ts`. Most only read: what they can do, their script does by the
// control API. Those with forms do the same acts without it, for this emulator's own pages only. None of it is in the request
// log, for it is not part of what is emulated.

/** One look: without a request id, because only cards and refusals carry one. */
export interface Look extends Pick<Exchange, 'request' | 'app'> {
  readonly path: string;
  /** The fields of a form. */
  form?: URLSearchParams;
}

/** A link on another site may lead here; another site's page may not load a page of ours into itself. */
export const admit: Step<Look> = ({ request, app, path }) => {
  if (isForm(request, path)) return app.gate.form(request);
  app.gate.host(request);
  if (!navigates(request)) fail('FORBIDDEN', 'the inspector is not shown inside pages of other sites');
};

export const unlock: Step<Look> = ({ request, app }) => {
  app.lock.check(request);
};

export const locate: Step<Look> = ({ request, path }) => {
  const { method } = request;
  if (method !== 'GET' && method !== 'HEAD' && !isForm(request, path)) throw onlyReads(method, path);
};

const isForm = ({ method }: HttpRequest, path: string): boolean => method === 'POST' && WITH_FORMS.test(path);

export const readBody: Step<Look> = async (look) => {
  const { request } = look;
  if (request.method === 'POST') look.form = new URLSearchParams(await readText(request, FORM_LIMIT));
};

export const send: Step<Look> = async ({ request, app: { host }, path, form }) => {
  if (path === '/' && !wantsPage(request)) return card(host, request);
  const isPage = path === '/' || path.startsWith('/inspector');
  // Of what browsers and crawlers ask for of their own accord, there is the icon.
  if (!isPage && path !== '/favicon.ico') return { status: 404, headers: {}, body: null };
  const { answer } = await import('../inspector/index.ts');
  return answer(host, request, form);
};

export function refuse({ request, app: { host, lock }, path }: Look, error: unknown): Answer | Promise<Answer> {
  const failure = asFailure(error);
  if (failure !== error) host.broken(`${request.method} ${path}`, error);
  if (failure.status === 401 && lock.isSet && request.method === 'GET' && wantsPage(request))
    return import('./login.ts').then(({ loginPage }) => loginPage({ host, request, next: targetOf(request) }));
  return refusalOf(request, failure.status, failureText(host.profile, failure), {
    ...replyHeaders(host.nextUnloggedId()),
    'cache-control': 'no-store',
    ...(failure.status === 401 ? CHALLENGE : {}),
    ...(failure.code === 'METHOD_NOT_ALLOWED'
      ? { allow: WITH_FORMS.test(path) ? 'GET, HEAD, POST' : 'GET, HEAD' }
      : {}),
  });
}

const onlyReads = (method: string, path: string): Failure =>
  new Failure('METHOD_NOT_ALLOWED', `the inspector's pages are only read; ${path} does not answer ${method}`);

/** Returns whether a person goes there, or a program asks. */
function navigates(request: HttpRequest): boolean {
  const site = request.header('sec-fetch-site');
  if (site === undefined || site === 'same-origin' || site === 'none') return true;
  const [mode, dest] = [request.header('sec-fetch-mode'), request.header('sec-fetch-dest')];
  return mode === 'navigate' && dest === 'document';
}

/** A browser asks for HTML by name; programs ask for anything, or for JSON. */
const wantsPage = (request: HttpRequest): boolean => request.header('accept')?.includes('text/html') ?? false;

/** Returns the reply to a program that requests `/`. */
function card(host: Host, request: HttpRequest): Answer {
  const origin = host.rootOf(request.url);
  const about = {
    name: 'sandbox-emulator',
    version: VERSION,
    profile: host.profile.name,
    baseUrl: `${origin}${host.basePath}`,
    inspector: `${origin}/`,
    control: `${origin}/_emulator`,
    openapi: `${origin}/openapi.json`,
  };
  const headers = { ...replyHeaders(host.nextUnloggedId()), 'cache-control': 'no-store', vary: 'accept' };
  return replyOf(200, `${JSON.stringify(about, null, 2)}\n`, headers);
}
