import { fail } from '../../contract/errors.ts';
import type { Infer } from '../../declare/operation.ts';
import type { World } from '../../engine/world.ts';
import { checkExecutable, executeQuote } from '../quotes/index.ts';
import { paymentOf } from '../transactions/index.ts';
import {
  collectTransfer,
  payTransfer,
  prepareTransferIn,
  prepareTransferOut,
  type TransferInRequest,
  type TransferOutRequest,
} from '../transfers/index.ts';
import { checkPolicy, type Payment } from './checks.ts';
import { accountsIn, ownAccount, ownExternalAccount, ownQuote } from './own.ts';
import type { Action, Agent } from './row.ts';
import type { ActionType, Permission } from './schema.ts';
import { ACTIONS } from './tables.ts';

type Transfer = NonNullable<Action['transfer']>;

/** The request of an agent; an action that waits for approval stores the same. */
export interface Order {
  readonly type: ActionType;
  readonly quoteId?: string | undefined;
  readonly transfer?: (Omit<Transfer, 'amount' | 'currency'> & { readonly amount?: number | undefined }) | undefined;
  /** The id of its action, if it waits for approval already. */
  readonly id?: string;
}

/** An order that can be carried out now. */
export interface Ready {
  readonly payment: Payment;
  /** The part that its action stores. */
  readonly kept: Pick<Action, 'type' | 'quoteId' | 'transfer'>;
  /** Carries it out; returns the id of its transaction. */
  readonly run: () => string;
}

/** The rules for a type of order: how it is found, checked against the rules of their operation, and carried out. */
interface Kind {
  readonly permission: Permission;
  /**
   * Finds what the order names, or refuses with 404. Returns the internal accounts that it touches, and a function that
   * applies the rules of its operation.
   */
  readonly find: (
    world: World,
    agent: Agent,
    order: Order,
  ) => { readonly accounts: readonly string[]; readonly ready: () => Ready };
}

/** Refuses a quote that waits for approval in another action: 409 CONFLICT. */
function checkNotWaiting(world: World, order: Order, quoteId: string): void {
  const other = world.rows(ACTIONS).find('waitingQuote', quoteId);
  if (other && other.id !== order.id)
    fail('CONFLICT', `quote ${quoteId} waits for approval already, as ${other.id}`, {
      details: { reason: 'QUOTE_AWAITS_APPROVAL', actionId: other.id },
      why: { rule: 'reference 7', seen: other.id },
    });
}

const named = (order: Order): NonNullable<Order['transfer']> => {
  if (!order.transfer) throw new Error(`an order of type ${order.type} without a transfer`);
  return order.transfer;
};

const refer = (accountId: string) => ({ accountId });

const KINDS: Readonly<Record<ActionType, Kind>> = {
  EXECUTE_QUOTE: {
    permission: 'EXECUTE_QUOTES',
    find: (world, agent, order) => {
      const quote = ownQuote(world, agent, order.quoteId ?? '');
      const accounts = accountsIn(world, agent, quote);
      const ready = (): Ready => {
        checkNotWaiting(world, order, quote.id);
        checkExecutable(world, quote);
        const { sent } = paymentOf(world, quote.transactionId);
        return {
          payment: { ...sent, accountId: accounts[0] },
          kept: { type: 'EXECUTE_QUOTE', quoteId: quote.id },
          run: () => executeQuote(world, quote).transactionId,
        };
      };
      return { accounts, ready };
    },
  },
  TRANSFER_OUT: {
    permission: 'CREATE_TRANSFERS',
    find: (world, agent, order) => {
      const { sourceAccountId, destinationAccountId, paymentRail, amount: amountOfOrder } = named(order);
      ownAccount(world, agent, sourceAccountId);
      ownExternalAccount(world, agent, destinationAccountId);
      const ready = (): Ready => {
        const destination = { accountId: destinationAccountId, paymentRail } as SentOut['destination'];
        const prepared = prepareTransferOut(world, {
          source: refer(sourceAccountId),
          destination,
          amount: amountOfOrder,
        });
        const { amount } = prepared;
        return {
          payment: { ...amount, accountId: sourceAccountId },
          kept: { type: 'TRANSFER_OUT', transfer: { ...amount, sourceAccountId, destinationAccountId, paymentRail } },
          run: () => payTransfer(world, prepared, { agentId: agent.id }).id,
        };
      };
      return { accounts: [sourceAccountId], ready };
    },
  },
  TRANSFER_IN: {
    permission: 'CREATE_TRANSFERS',
    find: (world, agent, order) => {
      const { sourceAccountId, destinationAccountId, amount: amountOfOrder } = named(order);
      ownAccount(world, agent, destinationAccountId);
      ownExternalAccount(world, agent, sourceAccountId);
      const ready = (): Ready => {
        const ends = { source: refer(sourceAccountId), destination: refer(destinationAccountId) };
        const prepared = prepareTransferIn(world, { ...ends, amount: amountOfOrder });
        const { amount } = prepared;
        return {
          payment: { ...amount, accountId: destinationAccountId },
          kept: { type: 'TRANSFER_IN', transfer: { ...amount, sourceAccountId, destinationAccountId } },
          run: () => collectTransfer(world, prepared, { agentId: agent.id }).id,
        };
      };
      return { accounts: [destinationAccountId], ready };
    },
  },
};

type SentIn = Infer<typeof TransferInRequest>;
type SentOut = Infer<typeof TransferOutRequest>;

/** Returns the order for a transfer that an agent sent. */
export const transferOrder = (type: 'TRANSFER_IN' | 'TRANSFER_OUT', sent: SentIn | SentOut): Order => ({
  type,
  transfer: {
    sourceAccountId: sent.source.accountId,
    destinationAccountId: sent.destination.accountId,
    ...('paymentRail' in sent.destination ? { paymentRail: sent.destination.paymentRail } : {}),
    amount: sent.amount,
  },
});

/** Returns the permission that orders of a type need. */
export const permissionFor = (type: ActionType): Permission => KINDS[type].permission;

/**
 * Checks an order against the agent's accounts, the rules of its operation and the policy, in this order; writes
 * nothing (reference 7.1). 404 for what is not the customer's, 403 FORBIDDEN with `details.reason`, else the refusals
 * of the operation.
 */
export function weigh(world: World, agent: Agent, order: Order): Ready {
  const { accounts, ready } = KINDS[order.type].find(world, agent, order);
  checkPolicy(world, agent, { accounts });
  const found = ready();
  checkPolicy(world, agent, { payment: found.payment });
  return found;
}
