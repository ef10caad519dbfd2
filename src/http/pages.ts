import { CUSTOMERS, CustomerUpdate } from '../areas/customers/index.ts';
import { CHOICES, completeLink, KYC_LINKS, linkState, suggestedChoice } from '../areas/onboarding/index.ts';
import type { Answer } from '../contract/answer.ts';
import { Failure, type FieldError, fail } from '../contract/errors.ts';
import { stopwatch } from '../engine/clock.ts';
import { parseAs } from '../engine/parse-as.ts';
import type { World } from '../engine/world.ts';
import type { Host } from '../sandbox/host.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { readText } from './body.ts';
import type { Exchange, Step } from './exchange.ts';
import { asFailure, refusalOf, replyHeaders } from './failures.ts';
import type { FetchRequest } from './fetch.ts';

/** Largest form. */
const FORM_LIMIT = 64 * 1024;

/** What a page answers with. */
interface Shown {
  status: number;
  page: unknown;
  /** Where the person goes instead of seeing a page. */
  to?: string;
  /** Where else the page's form may lead. */
  formTo?: string | undefined;
}

/** A page and the answer that carries it. */
interface Made {
  readonly shown: Shown;
  readonly answer: Answer & { readonly body: string };
}
type Make = (shown: Shown) => Made;

// The steps of a visit to the hosted identity check (spec 2.2, kycUrl), in `steps.ts`. The link's secret is all the
// permission there is, and finds the sandbox.

/** A visit on its way through. */
export interface PageExchange extends Exchange {
  readonly request: FetchRequest;
  readonly path: string;
  readonly secret: string;
  readonly sandbox: Sandbox | undefined;
  /** The life that it began in. */
  readonly world: World;
  /** The form. */
  text: string;
  made: Made | undefined;
}

/** Starts a visit to the page of a link; the log has a line for it, so it has a number there. */
export function visitOf(
  exchange: Exchange & Pick<PageExchange, 'request'>,
  path: string,
  secret: string,
): PageExchange {
  const { host } = exchange.app;
  const sandbox = sandboxOf(host, secret);
  const requestId = host.nextRequestId();
  const { world } = sandbox ?? host.default;
  return { ...exchange, path, secret, requestId, sandbox, world, text: '', made: undefined };
}

type PageStep = Step<PageExchange>;

export const admit: PageStep = ({ app, request }) => {
  app.gate.host(request);
};

export const readBody: PageStep = async (visit) => {
  if (visit.request.method === 'POST') visit.text = await readText(visit.request, FORM_LIMIT);
};

export const write: PageStep = async (visit) => {
  visit.made = await kyc(visit, await makerOf(visit));
};

async function makerOf({ requestId }: PageExchange): Promise<Make> {
  const { pageHeaders } = await import('../inspector/kyc/style.ts');
  return (shown) => ({ shown, answer: answerOf(requestId, shown, pageHeaders(shown.formTo)) });
}

export const send: PageStep = (visit) => {
  const { answer, shown } = visit.made as Made;
  note(visit, shown);
  return answer.status < 400 ? answer : refusalOf(visit.request, answer.status, answer.body, answer.headers);
};

export async function refuse(visit: PageExchange, error: unknown): Promise<Answer> {
  const failure = asFailure(error);
  if (failure !== error) visit.app.host.broken(`${visit.request.method} /kyc`, error);
  const { failedPage } = await import('../inspector/kyc/kyc.ts');
  visit.made = (await makerOf(visit))({ status: failure.status, page: failedPage() });
  return (await send(visit, 0)) as Answer;
}

const sandboxOf = (host: Host, secret: string): Sandbox | undefined => {
  for (const sandbox of host.sandboxes) if (sandbox.world.rows(KYC_LINKS).find('secret', secret)) return sandbox;
  return undefined;
};

async function kyc(
  { request, path, secret, sandbox, world, requestId, text }: PageExchange,
  make: Make,
): Promise<Made> {
  const [pages, { changeOf }] = await Promise.all([
    import('../inspector/kyc/kyc.ts'),
    import('../inspector/kyc/fields.ts'),
  ]);
  // From here on nothing is waited for: of two who send the form at once the second finds the link used.
  world.assertOpen();
  const link = sandbox && world.rows(KYC_LINKS).find('secret', secret);
  const customer = link && world.rows(CUSTOMERS).get(link.customerId);
  if (!link || !customer) return make({ status: 404, page: pages.unknownPage() });
  const state = linkState(world, link);
  if (state !== 'open') return make({ status: state === 'unverified' ? 409 : 410, page: pages.closedPage(state) });
  const target = link.redirectUri === undefined ? undefined : new URL(link.redirectUri);
  const formTo = target && leadsTo(target);
  const today = world.clock.iso().slice(0, 10);
  const view = { link, customer, today, returnTo: target?.host };
  const form = new URLSearchParams(text);
  if (request.method !== 'POST')
    return make({ status: 200, page: pages.kycPage({ ...view, chosen: suggestedChoice(world, customer) }), formTo });
  const chosen = CHOICES.find((choice) => choice === form.get('outcome'));
  try {
    if (!chosen) fail('INVALID_INPUT', 'choose how the check should end');
    const change = parseAs(CustomerUpdate(), changeOf(customer, form));
    // The answer is made before anything is certain: what cannot be answered is not done (spec 2.2, single use).
    const made = world.transact(() => {
      const done = completeLink(world, link, change, chosen);
      if (done.usedAt === undefined) return make({ status: 303, page: '', to: path });
      if (target) return make({ status: 303, page: '', to: target.href });
      return make({ status: 200, page: pages.donePage() });
    }, requestId);
    sandbox.written = true;
    return made;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const typed = Object.fromEntries(form);
    const errors = errorsOf(error);
    return make({
      status: error.status,
      page: pages.kycPage({ ...view, chosen: chosen ?? suggestedChoice(world, customer), typed, errors }),
      formTo,
    });
  }
}

/**
 * Browsers hold every redirect that follows a form against the page's policy, and where the app sends people next is
 * not ours to know: the scheme is all that can be asked of it.
 */
const leadsTo = ({ protocol }: URL): string => (protocol === 'https:' ? 'https:' : 'https: http:');

const errorsOf = (failure: Failure): FieldError[] =>
  (failure.details?.['errors'] as FieldError[] | undefined) ?? [{ field: 'outcome', message: failure.message }];

const answerOf = (id: string, { status, page, to }: Shown, headers: Record<string, string>): Made['answer'] => ({
  status,
  headers: { ...replyHeaders(id), ...headers, ...(to === undefined ? {} : { location: to }) },
  body: String(page),
});

/** A visit's line in the request log. */
function note(visit: PageExchange, shown: Shown): void {
  const { request, path, app, sandbox = app.host.default, world, requestId: id, started } = visit;
  const mark = request.url.indexOf('?');
  app.host.note(sandbox, world, {
    id,
    at: world.clock.iso(),
    method: request.method,
    path,
    query: mark < 0 ? '' : request.url.slice(mark),
    headers: [...request.raw.headers].flat(),
    // What people type about themselves is nobody's business in a log.
    body: '',
    operation: undefined,
    status: shown.status,
    reply: shown.to ?? '(a page)',
    ms: stopwatch() - started,
    code: undefined,
    why: undefined,
  });
}
