import type { Context, Hono } from 'hono';
import { CUSTOMERS, CustomerUpdate } from '../areas/customers/index.ts';
import { CHOICES, completeLink, KYC_LINKS, linkState, suggestedChoice } from '../areas/onboarding/index.ts';
import type { Host } from '../host/host.ts';
import type { Sandbox } from '../host/sandbox.ts';
import { stopwatch } from '../kernel/clock.ts';
import { Failure, type FieldError, fail } from '../kernel/errors.ts';
import type { Trace } from '../kernel/world.ts';
import { readText } from './body.ts';
import { asFailure, refusalOf, replyHeaders } from './failures.ts';
import type { Gate } from './gate.ts';
import { parseAs } from './parse.ts';

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

/** Serve the hosted pages (spec 2.2, kycUrl). The link's secret is all the permission there is, and finds the sandbox. */
export function mountPages(app: Hono, host: Host, gate: Gate): void {
  app.on(['GET', 'POST'], '/kyc/:secret', async (c) => {
    const started = stopwatch();
    const trace: Trace = { facts: [], jobs: [], magic: [] };
    const sandbox = sandboxOf(host, c.req.param('secret'));
    let shown: Shown;
    try {
      gate.host(c);
      shown = await kyc(c, sandbox, trace);
    } catch (error) {
      const failure = asFailure(error);
      if (failure !== error) host.broken(`${c.req.method} /kyc`, error);
      const { message } = await import('../inspector/kyc/layout.ts');
      shown = { status: failure.status, page: message('That did not work', '!', failure.message) };
    }
    return respond(c, host, sandbox ?? host.default, shown, trace, started);
  });
}

const sandboxOf = (host: Host, secret: string): Sandbox | undefined => {
  for (const sandbox of host.sandboxes) if (sandbox.world.rows(KYC_LINKS).find('secret', secret)) return sandbox;
  return undefined;
};

async function kyc(c: Context, sandbox: Sandbox | undefined, trace: Trace): Promise<Shown> {
  const pages = await import('../inspector/kyc/kyc.ts');
  const text = c.req.method === 'POST' ? await readText(c, FORM_LIMIT) : '';
  const world = sandbox?.world;
  const link = world?.rows(KYC_LINKS).find('secret', c.req.param('secret') as string);
  const customer = link && world?.rows(CUSTOMERS).get(link.customerId);
  if (!world || !link || !customer) return { status: 404, page: pages.unknownPage() };
  const state = linkState(world, link);
  if (state !== 'open') return { status: 410, page: pages.closedPage(state) };
  const formTo = link.redirectUri && leadsTo(link.redirectUri);
  const form = new URLSearchParams(text);
  if (c.req.method !== 'POST')
    return { status: 200, page: pages.kycPage({ link, customer, chosen: suggestedChoice(world, customer) }), formTo };
  const { changeOf } = await import('../inspector/kyc/fields.ts');
  const chosen = CHOICES.find((choice) => choice === form.get('outcome'));
  try {
    if (!chosen) fail('INVALID_INPUT', 'choose how the check should end');
    const change = parseAs(CustomerUpdate(), changeOf(customer, form));
    const done = world.transact(() => completeLink(world, link, change, chosen), trace);
    if (done.usedAt === undefined) return { status: 303, page: '', to: c.req.path };
    if (link.redirectUri !== undefined) return { status: 303, page: '', to: link.redirectUri };
    return { status: 200, page: pages.donePage() };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    for (const caused of Object.values(trace)) caused.length = 0;
    const typed = Object.fromEntries(form);
    const errors = errorsOf(error);
    return {
      status: error.status,
      page: pages.kycPage({ link, customer, chosen: chosen ?? suggestedChoice(world, customer), typed, errors }),
      formTo,
    };
  }
}

/**
 * Browsers hold every redirect that follows a form against the page's policy, and where the app sends people next is
 * not ours to know: the scheme is all that can be asked of it.
 */
const leadsTo = (redirectUri: string): string => (redirectUri.startsWith('https:') ? 'https:' : 'https: http:');

const errorsOf = (failure: Failure): FieldError[] =>
  (failure.details?.['errors'] as FieldError[] | undefined) ?? [{ field: 'outcome', message: failure.message }];

async function respond(
  c: Context,
  host: Host,
  sandbox: Sandbox,
  { status, page, to, formTo }: Shown,
  trace: Trace,
  started: number,
): Promise<Response> {
  const { pageHeaders } = await import('../inspector/kyc/style.ts');
  const id = host.nextRequestId();
  const mark = c.req.url.indexOf('?');
  host.note(sandbox, {
    id,
    at: sandbox.world.clock.iso(),
    method: c.req.method,
    path: c.req.path,
    query: mark < 0 ? '' : c.req.url.slice(mark),
    headers: [...c.req.raw.headers].flat(),
    // What people type about themselves is nobody's business in a log.
    body: '',
    operation: undefined,
    status,
    reply: to ?? '(a page)',
    ms: stopwatch() - started,
    code: undefined,
    why: undefined,
    trace,
  });
  const headers = { ...replyHeaders(id), ...pageHeaders(formTo), ...(to === undefined ? {} : { location: to }) };
  return refusalOf(c, status, String(await page), headers);
}
