import { TRANSACTIONS } from '../../areas/transactions/index.ts';
import { rowsOf } from '../../scenario/apply.ts';
import { chosen } from '../frame/bounded.ts';
import type { PageContext } from '../frame/page-context.ts';
import { Panel } from '../frame/parts.tsx';

/** The calls of a first payment (`docs/first-payment.md`), in order, each with its purpose. */
const STEPS = [
  ['createCustomer', 'Create a customer', 'approved at once, with an account in each currency'],
  ['sandboxFundInternalAccount', 'Fund an account', 'as a bank transfer does with the real service'],
  [
    'createCustomerExternalAccount',
    'Register a bank account to pay',
    'its last three digits decide how the payment ends',
  ],
  ['createQuote', 'Make a quote', 'the rate holds for five minutes'],
  ['executeQuote', 'Execute it', 'the payment goes on by itself, and each step is a webhook'],
] as const;

/** The most payments that are searched for one whose money has left. */
const LOOKED_AT = 2000;

/** Returns whether a payment has been made: money has left an account, by any operation. */
const isPaid = ({ world }: PageContext): boolean =>
  chosen(
    world.rows(TRANSACTIONS).newest(),
    (t) => t.type === 'CARD' || (t.type === 'OUTGOING' && t.debited === true),
    1,
    LOOKED_AT,
  ).length > 0;

/** Returns the operations that calls of the log carried out, without refused calls and those that a rewind undid. */
function doneIn({ sandbox }: PageContext): ReadonlySet<string> {
  const done = new Set<string>();
  for (const { operation, status, undone } of sandbox.requestLog.newest())
    if (operation !== undefined && status >= 200 && status < 300 && !undone) done.add(operation);
  return done;
}

/**
 * The way to a first payment, until one is made; each step leads to a form that is already filled. A scenario with
 * customers or payments of its own does not show it.
 */
export const FirstSteps = ({ visit }: { visit: PageContext }) => {
  if (rowsOf(visit.sandbox.scenario) > 0 || isPaid(visit)) return null;
  const done = doneIn(visit);
  return (
    <Panel id="first-steps" title="A first payment">
      <ol class="first-steps">
        {STEPS.map(([id, what, about]) => (
          <li>
            <a href={visit.to(`/inspector/api/${id}`)}>{what}</a> <small>{about}</small>{' '}
            {done.has(id) ? <span class="badge good">done</span> : null}
          </li>
        ))}
      </ol>
    </Panel>
  );
};
