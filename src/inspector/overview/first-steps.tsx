import { TRANSACTIONS } from '../../areas/transactions/index.ts';
import type { PageContext } from '../frame/page-context.ts';
import { Panel } from '../frame/parts.tsx';

/** The calls of a first payment (`docs/first-payment.md`), in their order, each with what it is for. */
const STEPS = [
  ['createCustomer', 'Create a customer', 'approved at once, with an account in each currency'],
  ['sandboxFundInternalAccount', 'Fund an account', 'as a bank transfer does with the real service'],
  ['createCustomerExternalAccount', 'Register a bank account to pay', "its last three digits choose the payment's end"],
  ['createQuote', 'Make a quote', 'the rate holds for five minutes'],
  ['executeQuote', 'Execute it', 'the payment goes on by itself, and each step is a webhook'],
] as const;

/** The way to a first payment, until a quote is executed; each step leads to a form that is filled already. */
export const FirstSteps = ({ visit }: { visit: PageContext }) => {
  const { calls } = visit.sandbox.requestLog;
  const isDone = (id: string): boolean => (calls.get(id) ?? 0) > 0;
  const isUsed = visit.world.rows(TRANSACTIONS).size > 0 && !isDone('createQuote');
  if (isDone('executeQuote') || isUsed) return null;
  return (
    <Panel id="first-steps" title="A first payment">
      <ol class="first-steps">
        {STEPS.map(([id, what, about]) => (
          <li>
            <a href={visit.to(`/inspector/api/${id}`)}>{what}</a> <small>{about}</small>{' '}
            {isDone(id) ? <span class="badge good">done</span> : null}
          </li>
        ))}
      </ol>
    </Panel>
  );
};
