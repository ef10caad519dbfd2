import { createHash } from 'node:crypto';
import { type FieldError, fail, failFields } from '../../contract/errors.ts';
import { EU_COUNTRIES } from '../../contract/shapes.ts';
import { bySuffix, magicName, suffixOf } from '../../contract/suffix.ts';
import type { Infer } from '../../declare/operation.ts';
import { decidedByHand, decideLater } from '../../engine/decide-later.ts';
import { begin, lifecycle, move, type TriggerOf, transition } from '../../engine/machine.ts';
import type { World } from '../../engine/world.ts';
import { CUSTOMERS, type Customer, countryOf } from '../customers/index.ts';
import { platformOf } from '../platform/index.ts';
import { bind, eligible } from './funding.ts';
import { CARD } from './machine.ts';
import { byPinnedId, LATE_MS, PROVISIONING, type Provisioning } from './magic.ts';
import { CARDS, type Card, showCard } from './row.ts';
import type { CardCreate, CardUpdate } from './schema.ts';

const CARD_LIFE = lifecycle(CARDS, {
  state: 'cardState',
  machine: CARD,
  event: (_card, end) => `CARD.${end}`,
  view: showCard,
});

/** Refuses every call about cards if the platform has no issuer: 501 NOT_IMPLEMENTED (reference 3.1). */
export function checkIssuer(world: World): void {
  if (platformOf(world).cards === false)
    fail('NOT_IMPLEMENTED', 'this platform has no card issuer: its scenario says platform.cards: false', {
      why: { rule: 'reference 3.1', expected: 'a card issuer' },
    });
}

const wrongCardholder = (message: string, rule?: string): never =>
  failFields([{ field: 'cardholderId', message }], 'INVALID_INPUT', rule);

/**
 * Returns the future holder of a card. 400 INVALID_INPUT for an unknown customer, 400 CARDHOLDER_KYC_NOT_APPROVED
 * (reference 3.1).
 */
function cardholderOf(world: World, id: string): Customer {
  const customer = world.rows(CUSTOMERS).get(id);
  if (!customer || customer.isDeleted) return wrongCardholder('not a customer of this platform', 'reference 3.1');
  if (customer.kycStatus !== 'APPROVED')
    fail('CARDHOLDER_KYC_NOT_APPROVED', `customer ${id} is ${customer.kycStatus}: only an APPROVED one gets a card`, {
      why: { rule: 'reference 3.1', expected: 'APPROVED', seen: customer.kycStatus },
    });
  return customer;
}

/**
 * Issues a card (reference 3.1) in state `PROCESSING`; `provisionLater` schedules what the issuer decides. 400
 * INVALID_INPUT, 400 CARDHOLDER_KYC_NOT_APPROVED, 400 FUNDING_SOURCE_INELIGIBLE. A scenario may pin the id.
 */
export function issueCard(world: World, sent: Infer<typeof CardCreate>, id?: string): Card {
  const cardholder = cardholderOf(world, sent.cardholderId);
  const [first, ...others] = eligible(world, cardholder.id, sent.fundingSources);
  if (sent.threeDSecurePassword !== undefined && !EU_COUNTRIES.includes(countryOf(cardholder) ?? ''))
    failFields(
      [{ field: 'threeDSecurePassword', message: 'only cards issued in the EU have one' }],
      'INVALID_INPUT',
      'reference 3.2',
    );
  const now = world.clock.iso();
  const card = begin(world, CARD_LIFE, 'issue', (cardState) => ({
    id: id ?? world.newId('Card'),
    cardholderId: cardholder.id,
    platformCardId: sent.platformCardId ?? world.ids.hex(8),
    cardState,
    fundingSources: [first, ...others].map((account) => account.id),
    maxSpendPerTransaction: sent.maxSpendPerTransaction,
    currency: first.currency,
    createdAt: now,
    updatedAt: now,
  }));
  bind(world, card);
  return card;
}

/**
 * Schedules the issuer's decision on a new card, by the ending of `platformCardId`, or else of a pinned cardholder
 * (reference 3.3).
 */
export function provisionLater(world: World, card: Card, platformCardId: string | undefined): void {
  const [key, what] =
    platformCardId === undefined
      ? [byPinnedId(PROVISIONING, card.cardholderId), `the cardholder's id`]
      : [bySuffix(PROVISIONING, platformCardId), 'platformCardId'];
  const suffix = suffixOf(platformCardId ?? card.cardholderId);
  if (key) world.magic(`${what} ends in ${suffix}: ${SAYS[key]}`, magicName('platformCardId', suffix));
  if (key === 'never') return;
  const payload = { cardId: card.id, outcome: key === 'reject' ? 'reject' : 'activate' };
  decideLater(world, 'card.provision', payload, { afterMs: key === 'late' ? LATE_MS : 0 });
}

const SAYS: Readonly<Record<Provisioning, string>> = {
  never: 'the card stays PROCESSING',
  reject: 'the issuer rejects the card',
  late: 'the card is ACTIVE after 30 seconds',
};

/** The years for which a card is valid. */
const GOOD_FOR = 4;

/** Returns the last four digits of a text, padded with zeros; for a text without digits, four derived from it. */
function lastDigits(text: string): string {
  const digits = text.replaceAll(/\D/g, '').slice(-4);
  const four = digits === '' ? createHash('sha256').update(text).digest().readUInt32BE(0) % 10_000 : digits;
  return String(four).padStart(4, '0');
}

/** Activates a card with the issuer's data, or rejects it (reference 3.4). 409 CONFLICT if it is already decided. */
export function provision(world: World, card: Card, outcome: 'activate' | 'reject'): Card {
  if (outcome === 'reject') return end(world, card, 'reject');
  const now = new Date(world.clock.now());
  const last4 = lastDigits(card.platformCardId);
  return move(world, CARD_LIFE, card, 'activate', {
    issued: {
      brand: 'VISA',
      last4,
      expMonth: now.getUTCMonth() + 1,
      expYear: now.getUTCFullYear() + GOOD_FOR,
      processorRef: `card_${world.ids.hex(8)}`,
      issuerRef: `issuer_${world.ids.hex(8)}`,
    },
  });
}

/** The reasons for closing a card, by the trigger that closes it. */
const REASONS = {
  reject: 'ISSUER_REJECTED',
  close: 'CLOSED_BY_PLATFORM',
  'close by service': 'CLOSED_BY_SERVICE',
} as const;

/** Closes a card, for good. 409 CONFLICT if its state does not allow that. */
export const end = (world: World, card: Card, on: keyof typeof REASONS): Card =>
  move(world, CARD_LIFE, card, on, { stateReason: REASONS[on] });

/** The machine's trigger for a PATCH to each state. */
const TO = { ACTIVE: 'unfreeze', FROZEN: 'freeze', CLOSED: 'close' } as const satisfies Record<
  string,
  TriggerOf<typeof CARD>
>;

type Update = Infer<typeof CardUpdate>;

const notWithClosing = (change: Update): FieldError[] =>
  (['fundingSources', 'maxSpendPerTransaction'] as const)
    .filter((field) => change.state === 'CLOSED' && change[field] !== undefined)
    .map((field) => ({ field, message: 'not together with state CLOSED' }));

/** Refuses a change that the card's state does not allow, in the order of reference 3.4. */
function checkUpdate(card: Card, change: Update): void {
  const errors = notWithClosing(change);
  if (errors.length > 0) failFields(errors, 'INVALID_INPUT', 'reference 3.4');
  const { state } = change;
  const why = { rule: 'reference 3.4', seen: card.cardState };
  if (card.cardState === 'CLOSED' && state === 'CLOSED')
    fail('CARD_ALREADY_CLOSED', `card ${card.id} is CLOSED already`, { why });
  if (card.cardState === 'CLOSED' && state === undefined)
    fail('CARD_NOT_MUTABLE', `card ${card.id} is CLOSED: nothing of it changes any more`, { why });
  if (state !== undefined && !transition(CARD, card.cardState, TO[state]))
    fail('INVALID_STATE_TRANSITION', `card ${card.id} is ${card.cardState} and cannot become ${state}`, { why });
}

/**
 * Changes a card (reference 3.4), completely or not at all. 400 INVALID_INPUT, 400 FUNDING_SOURCE_INELIGIBLE; 409
 * CARD_ALREADY_CLOSED, CARD_NOT_MUTABLE, INVALID_STATE_TRANSITION.
 */
export function updateCard(world: World, card: Card, change: Update): Card {
  checkUpdate(card, change);
  const { state, fundingSources, maxSpendPerTransaction: most } = change;
  const sources = fundingSources && eligible(world, card.cardholderId, fundingSources, card.currency);
  const next: Partial<Card> = {
    ...(sources ? { fundingSources: sources.map(({ id }) => id) } : {}),
    ...(most === undefined ? {} : { maxSpendPerTransaction: most ?? undefined }),
  };
  const updatedAt = world.clock.iso();
  if (state === 'CLOSED') return end(world, card, TO[state]);
  const changed =
    state === undefined
      ? world.rows(CARDS).put({ ...card, ...next, updatedAt })
      : move(world, CARD_LIFE, card, TO[state], next);
  if (sources) {
    bind(world, changed);
    world.emit('CARD.FUNDING_SOURCE_CHANGE', changed.id, showCard(changed));
  }
  return changed;
}

/** Closes every card of a deleted customer. */
export function closeAll(world: World, { id }: Customer): void {
  for (const card of world.rows(CARDS).all('cardholder', id))
    if (card.cardState !== 'CLOSED') {
      end(world, card, 'close by service');
      if (card.cardState === 'PROCESSING') decidedByHand(world, 'card.provision', { cardId: card.id });
    }
}

/** Returns the name of a card within a sentence: `card emp-77`. */
export function cardName(world: World, id: string): string | undefined {
  const card = world.rows(CARDS).get(id);
  return card && `card ${card.platformCardId}`;
}
