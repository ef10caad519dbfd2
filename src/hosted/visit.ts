import { CUSTOMERS, type Customer, CustomerUpdate } from '../areas/customers/index.ts';
import {
  CHOICES,
  completeLink,
  KYC_LINKS,
  type KycLink,
  type LinkState,
  linkState,
  suggestedChoice,
} from '../areas/onboarding/index.ts';
import { Failure, type FieldError, fail, type Why } from '../contract/errors.ts';
import { parseAs } from '../engine/parse-as.ts';
import type { World } from '../engine/world.ts';
import { changeOf } from './fields.ts';
import { closedPage, donePage, failedPage, kycPage, unknownPage } from './pages.ts';
import { formTargets } from './redirect.ts';

/** A person who opens the page of a link, or submits its form. */
export interface Visit {
  readonly world: World;
  /** The link's secret, which is the only credential. */
  readonly secret: string;
  readonly path: string;
  readonly requestId: string;
  /** The submitted form; undefined for a person who only opens the page. */
  readonly form: URLSearchParams | undefined;
}

/** The reason of a refusal, for the log alone: to a person the page says it. */
interface Refused {
  readonly code: string;
  readonly why: Why;
}

/** The response to a visit. */
export interface Shown {
  readonly status: number;
  /** HTML; empty for a redirect. */
  readonly page: string;
  /** The address of a redirect, in place of a page. */
  readonly to?: string;
  /** The `form-action` sources of the page's form besides this origin. */
  readonly formTo?: string | undefined;
  /** Set once the form was accepted. */
  readonly isDone?: true;
  readonly refused?: Refused;
}

const page = (status: number, body: unknown): Shown => ({ status, page: String(body) });

/** Returns the page that says that something failed and nothing was changed. */
export const failureOf = ({ status, code, why, message }: Failure): Shown => ({
  ...page(status, failedPage()),
  refused: { code, why: { ...why, seen: undefined, message } },
});

/** The status of a link that is not open, and what the log says of a visit to it. */
const CLOSED: Readonly<Record<Exclude<LinkState, 'open'>, [status: number, code: string, message: string]>> = {
  used: [410, 'LINK_USED', 'the link has been used'],
  expired: [410, 'LINK_EXPIRED', 'the link has expired'],
  gone: [410, 'LINK_GONE', 'the customer of the link was deleted'],
  unverified: [409, 'CONTACT_UNVERIFIED', 'a contact of the customer is not verified yet'],
};

function closed(state: keyof typeof CLOSED): Shown {
  const [status, code, message] = CLOSED[state];
  const rule = state === 'unverified' ? 'spec 3.2, 7 condition rule 2' : 'spec 2.2: single use';
  return { ...page(status, closedPage(state)), refused: { code, why: { rule, message } } };
}

/**
 * Responds to a visit of the hosted identity page (spec 2.2, `kycUrl`). 200 with the form or the page after it, 303 to
 * where the person goes next. 404 for an unknown link, 410 for one that was used or expired, 409 while contact details
 * are unverified. If input is refused, the form is shown again with the status of the refusal.
 */
export function visitLink(visit: Visit): Shown {
  const { world, secret, form } = visit;
  const link = world.rows(KYC_LINKS).find('secret', secret);
  const customer = link && world.rows(CUSTOMERS).get(link.customerId);
  if (!link || !customer) return page(404, unknownPage());
  const state = linkState(world, link);
  if (state !== 'open') return closed(state);
  return form ? submit(visit, link, customer, form) : shownForm(visit, link, customer, 200);
}

/** Completes the check, or shows the form again with what is wrong. */
function submit(visit: Visit, link: KycLink, customer: Customer, form: URLSearchParams): Shown {
  const { world, path, requestId } = visit;
  try {
    const chosen = chosenIn(form) ?? fail('INVALID_INPUT', 'choose how the check should end');
    const change = parseAs(CustomerUpdate(), changeOf(customer, form));
    // The page is built inside the transaction: if it cannot be built, the link is not used up (spec 2.2, single use).
    return world.transact((): Shown => {
      const { usedAt, redirectUri } = completeLink(world, link, change, chosen);
      const to = usedAt === undefined ? path : redirectUri && new URL(redirectUri).href;
      return to === undefined
        ? { ...page(200, donePage()), isDone: true }
        : { status: 303, page: '', to, isDone: true };
    }, requestId);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const errors = errorsOf(error);
    // By name alone: the log must not contain what people type about themselves.
    const message = `the form is shown again: ${errors.map(({ field }) => field).join(', ')}`;
    const refused = { code: error.code, why: { ...error.why, seen: undefined, message } };
    return { ...shownForm(visit, link, customer, error.status, errors), refused };
  }
}

/** Returns the form, with the person's input if it is shown again. */
function shownForm(
  { world, form }: Visit,
  link: KycLink,
  customer: Customer,
  status: number,
  errors: readonly FieldError[] = [],
): Shown {
  const target = link.redirectUri === undefined ? undefined : new URL(link.redirectUri);
  const view = {
    link,
    customer,
    today: world.clock.iso().slice(0, 10),
    returnTo: target?.host,
    chosen: (form && chosenIn(form)) ?? suggestedChoice(world, customer),
    ...(form ? { typed: Object.fromEntries(form), errors } : {}),
  };
  return { ...page(status, kycPage(view)), formTo: target && formTargets(target) };
}

const chosenIn = (form: URLSearchParams) => CHOICES.find((choice) => choice === form.get('outcome'));

const errorsOf = (failure: Failure): FieldError[] =>
  (failure.details?.['errors'] as FieldError[] | undefined) ?? [{ field: 'outcome', message: failure.message }];
