import { KYC_LINKS } from '../areas/onboarding/index.ts';
import type { Answer } from '../contract/answer.ts';
import { stopwatch } from '../engine/clock.ts';
import type { World } from '../engine/world.ts';
import type { Shown } from '../hosted/index.ts';
import type { Host } from '../sandbox/host.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { readText } from './body.ts';
import type { Exchange, Step } from './exchange.ts';
import { asFailure, refusalOf, replyHeaders } from './failures.ts';
import type { FetchRequest } from './fetch.ts';

/** The most bytes of a form. */
const FORM_LIMIT = 64 * 1024;

// The steps of a visit to the hosted identity page (spec 2.2, kycUrl), in `steps.ts`. The link's secret identifies the
// sandbox.

/** A visit in progress. */
export interface PageExchange extends Exchange {
  readonly request: FetchRequest;
  readonly path: string;
  readonly secret: string;
  readonly sandbox: Sandbox | undefined;
  /** The life in which it began. */
  readonly world: World;
  /** The text of the form. */
  text: string;
  shown: Shown | undefined;
}

/**
 * Starts a visit to the page of a link; it gets a number and a line in the sandbox's log. For an unknown link there is
 * neither.
 */
export function visitOf(
  exchange: Exchange & Pick<PageExchange, 'request'>,
  path: string,
  secret: string,
): PageExchange {
  const { host } = exchange.app;
  const sandbox = sandboxOf(host, secret);
  const requestId = sandbox ? host.nextRequestId() : exchange.requestId;
  const { world } = sandbox ?? host.default;
  return { ...exchange, path, secret, requestId, sandbox, world, text: '', shown: undefined };
}

const sandboxOf = (host: Host, secret: string): Sandbox | undefined => {
  for (const sandbox of host.sandboxes) if (sandbox.world.rows(KYC_LINKS).find('secret', secret)) return sandbox;
  return undefined;
};

type PageStep = Step<PageExchange>;

export const admit: PageStep = ({ app, request }) => {
  app.gate.host(request);
};

export const readBody: PageStep = async (visit) => {
  if (visit.request.method === 'POST') visit.text = await readText(visit.request, FORM_LIMIT);
};

export const write: PageStep = async (visit) => {
  const { request, sandbox, world, text } = visit;
  const { visitLink } = await import('../hosted/index.ts');
  // No waits from here on: of two people who send the form at once, the second finds the link used.
  world.assertOpen();
  const form = request.method === 'POST' ? new URLSearchParams(text) : undefined;
  visit.shown = visitLink({ ...visit, form });
  if (sandbox && visit.shown.isDone) sandbox.written = true;
};

export const send: PageStep = async (visit) => {
  const { request, requestId } = visit;
  const { status, page, to, formTo } = visit.shown as Shown;
  const { pageHeaders } = await import('../hosted/index.ts');
  const location = to === undefined ? {} : { location: to };
  const headers = { ...replyHeaders(requestId), ...pageHeaders(formTo), ...location };
  note(visit, visit.shown as Shown);
  return status < 400 ? { status, headers, body: page } : refusalOf(request, status, page, headers);
};

export async function refuse(visit: PageExchange, error: unknown): Promise<Answer> {
  const failure = asFailure(error);
  if (failure !== error) visit.app.host.broken(`${visit.request.method} /kyc`, error);
  const { failureOf } = await import('../hosted/index.ts');
  visit.shown = failureOf(failure);
  return (await send(visit, 0)) as Answer;
}

/** Writes a visit's line in the request log; an unknown link has none. */
function note(visit: PageExchange, { status, to, refused }: Shown): void {
  const { request, path, app, sandbox, world, requestId: id, started } = visit;
  if (!sandbox) return;
  const mark = request.url.indexOf('?');
  app.host.note(sandbox, world, {
    id,
    at: world.clock.iso(),
    method: request.method,
    path,
    query: mark < 0 ? '' : request.url.slice(mark),
    headers: app.lock.logged([...request.raw.headers].flat()),
    // The log must not contain what people type about themselves.
    body: '',
    operation: undefined,
    status,
    reply: to ?? '(a page)',
    ms: stopwatch() - started,
    code: refused?.code,
    why: refused?.why,
  });
}
