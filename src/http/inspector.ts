import type { Answer } from '../contract/answer.ts';
import { Failure, fail } from '../contract/errors.ts';
import type { Host } from '../sandbox/host.ts';
import { VERSION } from '../version.ts';
import { readText } from './body.ts';
import { CHALLENGE } from './control-lock.ts';
import type { Exchange, Step } from './exchange.ts';
import { asFailure, failureText, refusalOf, replyHeaders, replyOf } from './failures.ts';
import { type HttpRequest, targetOf } from './request.ts';

/** Pages with forms that are sent to themselves: a request, to replay it or go back; an operation, to try it. */
const WITH_FORMS = /^\/inspector\/(?:requests|api)\/[^/]+$/;
/** The most bytes of a form: a body of the API with its characters escaped. */
const FORM_LIMIT = 4 * 1024 * 1024;

// The steps of a visit to the pages for people, in `steps.ts`. Most only read; their script acts by the control API.
// Those with forms also act without it, for this emulator's own pages only. No visit is in the request log, because the
// pages are not part of the emulated service.

/** One visit: without a request id, because only cards and refusals carry one. */
export interface Look extends Pick<Exchange, 'request' | 'app'> {
  readonly path: string;
  /** The fields of a form. */
  form?: URLSearchParams;
}

/** Admits links from other sites, but does not let another site's page embed one of ours. */
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
  // Of the addresses that browsers and crawlers fetch by themselves, only the icon exists.
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

/** Returns whether a person navigates to a page, as opposed to a request by a program. */
function navigates(request: HttpRequest): boolean {
  const site = request.header('sec-fetch-site');
  if (site === undefined || site === 'same-origin' || site === 'none') return true;
  const [mode, dest] = [request.header('sec-fetch-mode'), request.header('sec-fetch-dest')];
  return mode === 'navigate' && dest === 'document';
}

/** Returns whether a browser sent the request: it names HTML, whereas programs accept anything, or JSON. */
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
