import type { Answer } from '../contract/answer.ts';
import { Failure } from '../contract/errors.ts';
import type { Host } from '../sandbox/host.ts';
import { readText } from './body.ts';
import type { Exchange, Step } from './exchange.ts';
import { asFailure, failureHeaders, failureText, refusalOf, replyHeaders } from './failures.ts';
import type { HttpRequest } from './request.ts';

// The steps of a person's login with the control token, in `steps.ts`. No part of it is in the request log.

/** A visit to the page with the token field, or a press of the button that ends a login. */
export interface LoginVisit extends Exchange {
  readonly path: string;
  form: URLSearchParams | undefined;
}

/** The most bytes of a form. */
const FORM_LIMIT = 16 * 1024;
const LOGIN = '/inspector/login';

/** Refuses forms of other sites, which must not log a person in or out. */
export const admit: Step<LoginVisit> = ({ request, app, path }) => {
  if (request.method === 'POST') return app.gate.form(request);
  app.gate.host(request);
  if (path === LOGIN && (request.method === 'GET' || request.method === 'HEAD')) return;
  const allow = path === LOGIN ? ['GET', 'HEAD', 'POST'] : ['POST'];
  throw new Failure('METHOD_NOT_ALLOWED', `${path} does not answer ${request.method}`, { details: { allow } });
};

export const readBody: Step<LoginVisit> = async (visit) => {
  if (visit.request.method === 'POST') visit.form = new URLSearchParams(await readText(visit.request, FORM_LIMIT));
};

export const send: Step<LoginVisit> = async ({ request, app: { host, lock }, path, form }) => {
  const { prefix } = host;
  const isSecure = host.rootOf(request.url).startsWith('https:');
  if (path !== LOGIN) return seeOther(`${prefix}/`, lock.end(request, prefix, isSecure));
  if (!form) return lock.session(request) ? seeOther(`${prefix}/`) : loginPage({ host, request, next: '/' }, 200);
  const next = pageIn(form.get('next') ?? '');
  if (lock.accepts(form.get('token')?.trim() ?? '')) return seeOther(`${prefix}${next}`, lock.begin(prefix, isSecure));
  return loginPage({ host, request, next }, 401, true);
};

export function refuse({ request, app: { host }, path, requestId }: LoginVisit, error: unknown) {
  const failure = asFailure(error);
  if (failure !== error) host.broken(`${request.method} ${path}`, error);
  const headers = { ...failureHeaders(failure, replyHeaders(requestId)), 'cache-control': 'no-store' };
  return refusalOf(request, failure.status, failureText(host.profile, failure), headers);
}

/** Returns the page of ours that a form names; the overview for any other target, so that no form leads elsewhere. */
const pageIn = (target: string): string => (/^\/(?:inspector\/[!-[\]-~]*|\?[!-[\]-~]*)?$/.test(target) ? target : '/');

/** Returns the page with the token field, in place of one that requires the token. */
export async function loginPage(
  { host, request, next }: { host: Host; request: HttpRequest; next: string },
  status = 401,
  isWrong = false,
): Promise<Answer> {
  const { loginText, LOGIN_HEADERS } = await import('../inspector/login/login.ts');
  const site = request.header('sec-fetch-site') ?? 'none';
  const isFromElsewhere = site !== 'same-origin' && site !== 'none';
  const body = loginText({ next: pageIn(next), isWrong, isFromElsewhere }, host.prefix);
  return { status, headers: { ...replyHeaders(host.nextUnloggedId()), ...LOGIN_HEADERS }, body };
}

const seeOther = (location: string, cookie?: string): Answer => ({
  status: 303,
  headers: { location, 'cache-control': 'no-store', ...(cookie === undefined ? {} : { 'set-cookie': cookie }) },
  body: null,
});
