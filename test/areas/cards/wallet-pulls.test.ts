import { expect, test } from 'vitest';
import { CARD_PAYMENTS, type CardPayment, perUnit, pulled } from '../../../src/areas/transactions/index.ts';
import { balanceOf, POSTINGS } from '../../../src/ledger/ledger.ts';
import { MERCHANT } from '../../kit/cards.ts';
import { proof } from '../../kit/wallet.ts';
import { keyKit } from '../delegated-keys/material.ts';

/*
 * Every road by which money leaves a wallet, against everything that can have ended by then (Y1, reference 3.4, 5). A pull asks
 * for an ACTIVE key at its own moment; what was pulled before goes on.
 */
type It = Awaited<ReturnType<typeof keyKit>>;

/** What may have ended before the road is taken. */
const ENDS = {
  nothing: async () => undefined,
  'key revoked': revoke,
  'key revoked, card closed': async (it: It) => {
    await revoke(it);
    await close(it);
  },
  'customer deleted': async (it: It) => {
    expect((await it.del(`/customers/${it.customerId}`)).status).toBe(200);
  },
  'key replaced': async (it: It) => {
    await revoke(it);
    expect((await it.delegate()).status).toBe(201);
  },
  'session ended': async (it: It) => {
    expect((await it.sign(it.key, 'DELETE', `/auth/sessions/${it.session.id}`)).status).toBe(204);
  },
  'card frozen': async (it: It) => {
    expect((await it.patch(`/cards/${it.card.id}`, { state: 'FROZEN' })).status).toBe(200);
  },
  'card closed': close,
};
type End = keyof typeof ENDS;

async function revoke(it: It): Promise<void> {
  const active = (await it.keys()).find(({ status }) => status === 'ACTIVE');
  expect((await it.del(`/auth/delegated-keys/${active.id}`)).status).toBe(204);
}
async function close(it: It): Promise<void> {
  expect((await it.patch(`/cards/${it.card.id}`, { state: 'CLOSED' })).status).toBe(200);
}

const payments = (it: It): CardPayment[] =>
  [...it.sandbox.world.rows(CARD_PAYMENTS).rows()].filter(({ type }) => type === 'CARD');

/** Tells something of the card; of the payment that came before where it names one. */
async function tell(it: It, what: string, body: object): Promise<CardPayment | undefined> {
  const before = payments(it).length;
  const answer = await it.post(`/sandbox/cards/${it.card.id}/simulate/${what}`, body);
  expect(answer.status, answer.text).toBe(202);
  await it.settle();
  const all = payments(it);
  return 'cardTransactionId' in body ? undefined : all.length > before ? all.at(-1) : undefined;
}
const asks = (it: It, what: string, descriptor = MERCHANT.descriptor) =>
  tell(it, what, { amount: 1000, currency: { code: 'USD' }, merchant: { ...MERCHANT, descriptor } });
const open = async (it: It, descriptor?: string): Promise<string> =>
  (await asks(it, 'authorization', descriptor))?.id ?? '';

/** A road: what stands before the end, and what is done after it. It returns the payment's id where there is one. */
interface Road {
  readonly before?: (it: It) => Promise<string>;
  readonly then: (it: It, id: string) => Promise<string | undefined>;
}
const told =
  (what: string, more: object = {}): Road['then'] =>
  async (it, id) => {
    await tell(it, what, { cardTransactionId: id, ...more });
    return id;
  };

const ROADS = {
  authorization: { then: async (it) => (await asks(it, 'authorization'))?.id },
  'financial authorization': { then: async (it) => (await asks(it, 'financial_authorization'))?.id },
  'clearing of 15.00 where 10.00 were held': { before: open, then: told('clearing', { amount: 1500 }) },
  'second clearing above the hold': {
    before: async (it) => {
      const id = await open(it);
      await tell(it, 'clearing', { cardTransactionId: id, amount: 600 });
      return id;
    },
    then: told('clearing', { amount: 900 }),
  },
  'advice to 15.00': { before: open, then: told('authorization_advice', { amount: 1500 }) },
  'advice to 15.00 after a part was cleared': {
    before: async (it) => {
      const id = await open(it);
      await tell(it, 'clearing', { cardTransactionId: id, amount: 600 });
      return id;
    },
    then: told('authorization_advice', { amount: 1500 }),
  },
  'return reversal': {
    before: async (it) => {
      const id = await open(it);
      await tell(it, 'clearing', { cardTransactionId: id, amount: 1000 });
      await tell(it, 'return', { cardTransactionId: id, amount: 1000 });
      return id;
    },
    then: told('return_reversal'),
  },
  'confirmation of a pull that was under way': {
    before: (it) => open(it, 'SHOP 005'),
    then: async (it, id) => {
      await it.advance('PT31S');
      return id;
    },
  },
  'clearing of what is held': { before: open, then: told('clearing', { amount: 1000 }) },
  'clearing of 0': { before: open, then: told('clearing', { amount: 0 }) },
  'end of a hold after a week': {
    before: open,
    then: async (it, id) => {
      await it.advance('P8D');
      return id;
    },
  },
} satisfies Record<string, Road>;

/** The payment's status, or that there is none, and what left the wallet after the end, in cents. */
type Outcome = readonly [status: string, paid: number];
const DECLINED: Outcome = ['declined', 0];
const every = (outcome: Outcome, ...others: readonly Partial<Record<End, Outcome>>[]): Record<End, Outcome> =>
  Object.assign(Object.fromEntries(Object.keys(ENDS).map((end) => [end, outcome])), ...others);
const ended = (outcome: Outcome) => ({
  'key revoked': outcome,
  'key revoked, card closed': outcome,
  'customer deleted': outcome,
});
/** Above the hold: an exception while the card is there, the service's loss once it is closed. */
const above = {
  'key revoked': ['EXCEPTION', 0],
  'key revoked, card closed': ['SETTLED', 0],
  'customer deleted': ['SETTLED', 0],
} as const;
const noCard = { 'card frozen': DECLINED, 'card closed': DECLINED };

const OUTCOMES: Record<keyof typeof ROADS, Record<End, Outcome>> = {
  authorization: every(['AUTHORIZED', 1000], ended(DECLINED), noCard),
  'financial authorization': every(['SETTLED', 1000], ended(DECLINED), noCard),
  'clearing of 15.00 where 10.00 were held': every(['SETTLED', 500], above),
  'second clearing above the hold': every(['SETTLED', 500], above),
  'advice to 15.00': every(['AUTHORIZED', 500], ended(['AUTHORIZED', 0])),
  'advice to 15.00 after a part was cleared': every(['PARTIALLY_SETTLED', 500], ended(['PARTIALLY_SETTLED', 0])),
  'return reversal': every(['SETTLED', 1000], ended(['EXCEPTION', 0])),
  'confirmation of a pull that was under way': every(['AUTHORIZED', 1000]),
  'clearing of what is held': every(['SETTLED', 0]),
  'clearing of 0': every(['SETTLED', -1000]),
  'end of a hold after a week': every(['SETTLED', -1000]),
};

/** What left the wallet for payments by card, held money included, in cents; and in all. */
const total = (it: It): number =>
  balanceOf(it.sandbox.world, it.accountId).available + balanceOf(it.sandbox.world, it.accountId).held;

/** Account lines of each payment by card are its refunds less its pulls. */
function checkLines(it: It): void {
  for (const t of payments(it)) {
    const lines = [...it.sandbox.world.rows(POSTINGS).rows()]
      .filter(({ cause }) => cause === t.id)
      .flatMap(({ lines: all }) => all)
      .filter(({ account, part }) => account === t.accountId && part === undefined)
      .reduce((sum, { amount }) => sum + amount, 0);
    expect(lines, `${t.id} ${t.status}`).toBe(t.refunded * perUnit(t) - pulled(t));
  }
}

const CELLS = Object.keys(OUTCOMES).flatMap((road) =>
  (Object.keys(ENDS) as End[]).map((end) => [road as keyof typeof ROADS, end] as const),
);

test.each(CELLS)(
  'a card payment from a wallet, step "%s" after "%s", moves only what an active key pulls (Y1, reference 5)',
  async (road, end) => {
    const it = await keyKit();
    expect((await it.delegate()).status).toBe(201);
    const { before, then }: Road = ROADS[road];
    const id = (await before?.(it)) ?? '';
    const held = total(it);
    await ENDS[end](it);
    const paid = await then(it, id);
    const t = paid === undefined ? undefined : it.sandbox.world.rows(CARD_PAYMENTS).get(paid);
    const status = t?.type === 'CARD' ? t.status : 'declined';
    expect([status, (held - total(it)) / 10_000]).toEqual(OUTCOMES[road][end]);
    checkLines(it);
  },
);

test('a signed quote pays while its session lasts and its customer exists, whatever became of the card and its key (Y1, spec 5)', async () => {
  const outcomes: Record<End, number> = {
    nothing: 200,
    'key revoked': 200,
    'key revoked, card closed': 200,
    'customer deleted': 404,
    'key replaced': 200,
    'session ended': 401,
    'card frozen': 200,
    'card closed': 200,
  };
  for (const [end, status] of Object.entries(outcomes) as [End, number][]) {
    const it = await keyKit();
    expect((await it.delegate()).status).toBe(201);
    const usd = (await it.get('/customers/internal-accounts', { currency: 'USD' })).body.data[0];
    const { body: quote } = await it.post('/quotes', {
      source: { sourceType: 'ACCOUNT', accountId: it.accountId },
      destination: { destinationType: 'ACCOUNT', accountId: usd.id },
      lockedCurrencySide: 'SENDING',
      lockedCurrencyAmount: 10_000_000,
    });
    const first = await it.post(`/quotes/${quote.id}/execute`, {});
    const held = total(it);
    await ENDS[end](it);
    const paid = await it.post(`/quotes/${quote.id}/execute`, {}, { headers: await proof(it.key, first) });
    expect([end, paid.status, held - total(it)]).toEqual([end, status, status === 200 ? 10_000_000 : 0]);
  }
});

test('a larger advice that is declined without an active key has its reason in the log and emits no event (Y1)', async () => {
  const it = await keyKit();
  await it.delegate();
  const id = await open(it);
  await revoke(it);
  const events = it.events().length;
  await tell(it, 'authorization_advice', { cardTransactionId: id, amount: 1500 });
  const [last] = it.sandbox.requestLog.newest();
  expect(last?.caused?.magic?.[0]).toMatch(/^declined, NO_DELEGATED_KEY: /);
  expect(it.events().length).toBe(events);
});
