import type { CardNetwork, CardPayment } from '../../testkit/index.ts';
import { needed, type ToolAnswer } from '../tool.ts';
import { type Act, type Player, type PlayInput, theOne } from './player.ts';

interface Card {
  readonly id: string;
  readonly cardholderId?: string;
  readonly currency?: string;
}

const labelOf = ({ id, cardholderId }: Card): string => `${id} of ${cardholderId}`;

/** Returns every card. Throws a sentence that names the operation to create one if there is none. */
async function cardsOf(player: Player): Promise<readonly Card[]> {
  const { data } = await player.call('GET', '/cards?limit=100');
  if (data.length === 0)
    throw new Error('there is no card; next: describe_operation {id: "createCard"}, then call_operation makes one');
  return data;
}

/** Returns the network behind a card: the one named by its own id or its holder's, or the only one. */
async function networkOf({ target }: Player, cards: readonly Card[], of: string | undefined) {
  const { CardNetwork } = await import('../../testkit/index.ts');
  const { id: cardId, currency } = theOne(cards, of, 'card', labelOf);
  return { network: new CardNetwork({ ...target, cardId, ...(currency ? { currency } : {}) }), cardId };
}

/**
 * Returns a payment: the named one, the latest that was played for its card, or the only one. Otherwise throws a
 * sentence.
 */
async function paymentOf(player: Player, cards: readonly Card[], { of, payment }: PlayInput): Promise<CardPayment> {
  const read = (id: string) => player.call('GET', `/transactions/${encodeURIComponent(id)}`);
  if (payment !== undefined) return read(payment);
  const meant = of === undefined ? cards : [theOne(cards, of, 'card', labelOf)];
  const [last] = meant.length === 1 ? meant.flatMap(({ id }) => player.held.payments.get(id) ?? []) : [];
  if (last) return read(last.id);
  const { data } = await player.call('GET', '/transactions?limit=100');
  const all = (data as readonly CardPayment[]).filter(({ cardId }) => meant.some(({ id }) => id === cardId));
  const [one] = all;
  if (one === undefined)
    throw new Error(
      'there is no card payment; next: play {as: "card network", act: "authorize", amount: 1250} makes one',
    );
  if (all.length === 1) return one;
  const names = all.slice(0, 10).map(({ id, status, merchant, authorizedAmount }) => {
    const { amount, currency } = authorizedAmount;
    return `${id} (${status}, ${amount} ${currency.code} at ${merchant.descriptor})`;
  });
  throw new Error(`there are several card payments: payment names one, such as ${names.join('; ')}`);
}

const at = ({ merchant }: PlayInput) =>
  merchant === undefined ? {} : { merchant: { descriptor: merchant, mcc: '5812', country: 'US' } };

function said(payment: CardPayment | undefined): ToolAnswer {
  return payment
    ? {
        payment,
        next: nextOf(payment),
      }
    : {
        declined: true,
        next: 'the card was not charged: read_state {id} of the card shows its status, of its funding account the balance',
      };
}

/** Returns a sentence on what the network can do with a payment, by its status. */
function nextOf({ id, status }: CardPayment): string {
  const act = (name: string) => `play {as: "card network", act: "${name}", payment: "${id}"}`;
  if (status === 'AUTHORIZED') return `${act('clear')} collects it, act "expire" releases it`;
  if (status === 'PARTIALLY_SETTLED')
    return `${act('clear')} collects the rest, act "refund" gives back what was collected`;
  if (status === 'SETTLED') return `${act('refund')} gives it back`;
  return `it is ${status}: webhooks {act: "list"} shows its webhooks`;
}

/** Returns the act for a message that begins a payment. */
const opens =
  (begin: (network: CardNetwork, amount: number, input: PlayInput) => Promise<CardPayment | undefined>): Act =>
  async (player, input) => {
    const amount = needed(input.amount, 'amount, in minor units', input.act);
    const { network, cardId } = await networkOf(player, await cardsOf(player), input.of);
    const payment = await begin(network, amount, input);
    if (payment) player.held.payments.set(cardId, payment);
    return said(payment);
  };

/**
 * Returns the act for a message about a payment: the named one, the latest that was played for the card, or the only
 * one.
 */
const about =
  (go: (network: CardNetwork, payment: CardPayment, amount: number | undefined) => Promise<CardPayment>): Act =>
  async (player, input) => {
    const cards = await cardsOf(player);
    const payment = await paymentOf(player, cards, input);
    const { network } = await networkOf(player, cards, input.of ?? payment.cardId);
    return said(await go(network, payment, input.amount));
  };

/** Returns why a payment cannot be refunded, and the way on; undefined if some of it can be. */
function unrefundable({ id, status, settledAmount, refundedAmount }: CardPayment): string | undefined {
  const settled = settledAmount?.amount ?? 0;
  if (settled > (refundedAmount?.amount ?? 0)) return undefined;
  const look = `it is ${status}; next: read_state {id: "${id}"} shows it`;
  if (settled > 0) return `all that was settled is given back already: ${look}`;
  if (status !== 'AUTHORIZED') return `nothing was settled: ${look}`;
  return `nothing is settled yet: clear it first; next: play {as: "card network", act: "clear", payment: "${id}"}`;
}

/** Refunds the settled amount. Throws a sentence, before any call, if there is none. */
async function refund(network: CardNetwork, payment: CardPayment, amount: number | undefined): Promise<CardPayment> {
  const wrong = unrefundable(payment);
  if (wrong !== undefined) throw new Error(wrong);
  return network.refund(payment, amount);
}

/** The acts of merchants and of the network behind a card. */
export const CARD_NETWORK: Readonly<Record<string, Act>> = {
  authorize: opens((network, amount, input) => network.authorize(amount, at(input))),
  take: opens((network, amount, input) => network.take(amount, at(input))),
  give: opens((network, amount, input) => network.give(amount, at(input))),
  clear: about((network, payment, amount) => network.clear(payment, amount)),
  resize: about((network, payment, amount) => network.resize(payment, needed(amount, 'amount', 'resize'))),
  expire: about((network, payment) => network.expire(payment)),
  refund: about(refund),
  reverse_refund: about((network, payment) => network.reverseRefund(payment)),
};
