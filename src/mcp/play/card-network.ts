import type { CardNetwork, CardPayment } from '../../testkit/index.ts';
import { needed, type ToolAnswer } from '../tool.ts';
import { type Act, type Player, type PlayInput, theOne } from './player.ts';

interface Card {
  readonly id: string;
  readonly cardholderId?: string;
  readonly currency?: string;
}

/** The network behind a card: the one that is named by its id or its holder's, or the only one. */
async function networkOf(
  player: Player,
  { of, payment }: PlayInput,
): Promise<{ network: CardNetwork; cardId: string }> {
  const { CardNetwork } = await import('../../testkit/index.ts');
  const { data } = await player.call('GET', '/cards?limit=100');
  const used = of === undefined && payment !== undefined ? await cardOf(player, payment) : undefined;
  const labelOf = ({ id, cardholderId }: Card) => `${id} of ${cardholderId}`;
  const { id: cardId, currency } = theOne(data as readonly Card[], of ?? used, 'card', labelOf);
  return { network: new CardNetwork({ ...player.target, cardId, ...(currency ? { currency } : {}) }), cardId };
}

async function cardOf(player: Player, payment: string): Promise<string | undefined> {
  return (await player.call('GET', `/transactions/${encodeURIComponent(payment)}`)).cardId;
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

/** Says what the network can do with a payment, by its status. */
function nextOf({ id, status }: CardPayment): string {
  const act = (name: string) => `play {as: "card network", act: "${name}", payment: "${id}"}`;
  if (status === 'AUTHORIZED') return `${act('clear')} collects it, act "expire" releases it`;
  if (status === 'PARTIALLY_SETTLED')
    return `${act('clear')} collects the rest, act "refund" gives back what was collected`;
  if (status === 'SETTLED') return `${act('refund')} gives it back`;
  return `it is ${status}: webhooks {act: "list"} shows its webhooks`;
}

/** A message that begins a payment. */
const opens =
  (begin: (network: CardNetwork, amount: number, input: PlayInput) => Promise<CardPayment | undefined>): Act =>
  async (player, input) => {
    const amount = needed(input.amount, 'amount, in minor units', input.act);
    const { network, cardId } = await networkOf(player, input);
    const payment = await begin(network, amount, input);
    if (payment) player.held.payments.set(cardId, payment);
    return said(payment);
  };

/** A message about a payment: the one that is named, or the last that was played for the card. */
const about =
  (go: (network: CardNetwork, payment: CardPayment, amount: number | undefined) => Promise<CardPayment>): Act =>
  async (player, input) => {
    const { network, cardId } = await networkOf(player, input);
    const id = input.payment ?? player.held.payments.get(cardId)?.id;
    const payment = await network.read({ id: needed(id, 'payment, the id of a card payment', input.act) });
    return said(await go(network, payment, input.amount));
  };

/** The acts of merchants and of the network behind a card. */
export const CARD_NETWORK: Readonly<Record<string, Act>> = {
  authorize: opens((network, amount, input) => network.authorize(amount, at(input))),
  take: opens((network, amount, input) => network.take(amount, at(input))),
  give: opens((network, amount, input) => network.give(amount, at(input))),
  clear: about((network, payment, amount) => network.clear(payment, amount)),
  resize: about((network, payment, amount) => network.resize(payment, needed(amount, 'amount', 'resize'))),
  expire: about((network, payment) => network.expire(payment)),
  refund: about((network, payment, amount) => network.refund(payment, amount)),
  reverse_refund: about((network, payment) => network.reverseRefund(payment)),
};
