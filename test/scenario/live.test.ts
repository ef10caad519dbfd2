import { describe, expect, test } from 'vitest';
import { LIVE_PAYMENTS } from '../../src/areas/live/row.ts';
import { TRANSACTIONS } from '../../src/areas/transactions/index.ts';
import { POSTINGS } from '../../src/ledger/ledger.ts';
import { kit } from '../kit/sandbox.ts';

const live = (more: object = {}) => ({ live: { paymentsPerHour: 20, ...more } });

const tables = async (it: Awaited<ReturnType<typeof kit>>) => (await it.control('GET', '/state')).body.tables;
const rulesOf = async (it: Awaited<ReturnType<typeof kit>>) =>
  (await it.control('GET', '/ledger/check')).body.invariants.filter(({ ok }: { ok: boolean }) => !ok);

describe('live traffic', () => {
  test('live traffic makes about as many payments an hour as the scenario says, completes them, and keeps the rules of the ledger', async () => {
    const it = await kit({ scenario: ['demo', live()], holdClock: true });
    const before = it.sandbox.world.rows(TRANSACTIONS).size;
    await it.advance('PT10H');
    const made = it.sandbox.world.rows(LIVE_PAYMENTS).size;
    expect(made).toBeGreaterThan(170);
    expect(made).toBeLessThan(240);
    expect(it.sandbox.world.rows(TRANSACTIONS).size).toBeGreaterThanOrEqual(before + made);
    expect(it.events('OUTGOING_PAYMENT.COMPLETED').length).toBeGreaterThan(20);
    expect(it.events('INCOMING_PAYMENT.COMPLETED').length).toBeGreaterThan(20);
    const { world } = it.sandbox;
    const old = [...world.rows(LIVE_PAYMENTS).rows()].filter(({ at }) => at < world.clock.now() - 600_000);
    expect(new Set(old.map(({ id }) => world.rows(TRANSACTIONS).get(id)?.status))).toEqual(new Set(['COMPLETED']));
    expect(await rulesOf(it)).toEqual([]);
  });

  test('live traffic makes no fewer payments because customers joined who lack what a currency requires', async () => {
    const made = async (joining: number) => {
      const it = await kit({ scenario: ['demo', live()], holdClock: true, seed: 7 });
      for (let i = 0; i < joining; i += 1)
        await it.post('/customers', { customerType: 'INDIVIDUAL', fullName: `Mine ${i}` });
      await it.advance('PT5H');
      return it.sandbox.world.rows(LIVE_PAYMENTS).size;
    };
    expect(await made(12)).toBeGreaterThan((await made(0)) * 0.9);
  });

  test('live traffic is the same for the same seed, however the clock is moved', async () => {
    const [one, other] = await Promise.all(
      [1, 2].map(() => kit({ scenario: ['demo', live()], holdClock: true, seed: 7, now: '2026-01-05T09:00:00Z' })),
    );
    await one?.advance('PT6H');
    for (let i = 0; i < 12; i += 1) await other?.advance('PT30M');
    const [a, b] = [await tables(one as never), await tables(other as never)];
    expect(a).toEqual(b);
  });

  test('live traffic over 24 hours keeps the rules of the ledger, and no more rows than its age allows', async () => {
    const it = await kit({ scenario: ['demo', live({ keep: 'PT4H' })], holdClock: true });
    const sizes: number[][] = [];
    for (let hour = 0; hour < 24; hour += 4) {
      await it.advance('PT4H');
      const { world } = it.sandbox;
      sizes.push([world.rows(LIVE_PAYMENTS).size, world.rows(POSTINGS).size, world.rows(TRANSACTIONS).size]);
      expect(await rulesOf(it)).toEqual([]);
    }
    // 20 an hour, and a round of 20 that is not old yet.
    for (const [payments = 0] of sizes) expect(payments).toBeLessThan(150);
    const [, second, , , , last] = sizes as [number[], number[], number[], number[], number[], number[]];
    for (const i of [1, 2]) expect(last[i]).toBeLessThan((second[i] as number) + 100);
    const { postings } = Object.fromEntries(
      (await tables(it)).map((t: { name: string; rows: object[] }) => [t.name, t.rows]),
    );
    expect(postings.some(({ cause }: { cause: string }) => cause === 'live.earlier')).toBe(true);
    const state = (await it.control('GET', '/state')).body;
    expect((await it.control('PUT', '/state', state)).status).toBe(200);
  });

  test('live traffic keeps every posting that it did not make itself, and the rules of the ledger hold', async () => {
    const it = await kit({ scenario: live({ keep: 'PT1H' }), holdClock: true });
    const { data } = (await it.get('/platform/internal-accounts')).body;
    const id = data.find(({ currency }: { currency: string }) => currency === 'USD')?.id ?? data[0].id;
    for (let i = 0; i < 5; i += 1) {
      await it.advance('PT1H');
      await it.post(`/sandbox/internal-accounts/${id}/fund`, { amount: 1000 });
    }
    await it.advance('PT5H');
    const causes = [...it.sandbox.world.rows(POSTINGS).rows()].map(({ cause }) => cause);
    expect(causes.filter((cause) => cause !== 'live.earlier' && !cause.startsWith('Transaction:')).length).toBe(5);
    expect(await rulesOf(it)).toEqual([]);
  });
});

describe('a sandbox that resets itself', () => {
  test('resetEvery starts the sandbox over again and again, and calls after an advance across a reset meet the new start', async () => {
    const it = await kit({ scenario: { resetEvery: 'P1D' }, holdClock: true, now: '2026-01-05T00:00:00Z' });
    for (let life = 0; life < 2; life += 1) {
      const { world } = it.sandbox;
      await it.post('/customers', { customerType: 'INDIVIDUAL', fullName: 'Ada' });
      await it.advance('PT23H');
      expect((await it.get('/customers')).body.data.length).toBe(1);
      const ran = await it.advance('P2D');
      expect(ran.map(({ kind }) => kind)).toContain('live.startOver');
      expect(it.sandbox.world).not.toBe(world);
      expect((await it.get('/customers')).body.data).toEqual([]);
      expect((await it.control('GET', '/clock')).body.now).toBe('2026-01-05T00:00:00.000Z');
    }
  });

  test('resetEvery of a large scenario is complete when the advance across it is answered', async () => {
    const scenario = { resetEvery: 'PT1H', generate: { customers: 400, transactions: 800, days: 30 } };
    const it = await kit({ scenario, seed: 1, holdClock: true, now: '2026-01-05T00:00:00Z' });
    const ada = { customerType: 'INDIVIDUAL', platformCustomerId: 'ada', fullName: 'Ada' };
    const first = await it.post('/customers', ada);
    expect(first.status).toBe(201);
    for (const across of [
      () => it.advance('PT90M'),
      () => it.control('GET', '/webhooks/wait?type=CARD.STATE_CHANGE&within=PT90M'),
      () => it.control('POST', '/clock', { settle: 'PT90M' }),
    ]) {
      await across();
      expect((await it.post('/customers', ada)).body.id).toBe(first.body.id);
    }
  });

  test.each([
    ['reset', '/reset', '2026-01-05T00:00:00.000Z'],
    ['restore', '/snapshots/kept/restore', '2026-01-05T00:30:00.000Z'],
  ])(
    'resetEvery of a large scenario gives way to a %s that is requested while the scenario is filled',
    async (_, control, now) => {
      const scenario = { resetEvery: 'PT1H', generate: { customers: 400, transactions: 800, days: 30 } };
      const it = await kit({ scenario, seed: 1, holdClock: true, now: '2026-01-05T00:00:00Z' });
      await it.advance('PT30M');
      await it.control('POST', '/snapshots', { name: 'kept' });
      const moved = it.control('POST', '/clock', { advance: 'PT60M' });
      while (it.host.filling.length === 0) await new Promise((resolve) => setImmediate(resolve));
      expect((await it.control('POST', control)).status).toBe(200);
      expect((await moved).status).toBe(200);
      expect((await it.control('GET', '/clock')).body.now).toBe(now);
    },
  );

  test('resetEvery of a large scenario stops when the emulator closes during the filling, and nothing is reported as broken', async () => {
    const scenario = { resetEvery: 'PT1H', generate: { customers: 400, transactions: 800, days: 30 } };
    const it = await kit({ scenario, seed: 1, holdClock: true, now: '2026-01-05T00:00:00Z' });
    const moved = it.control('POST', '/clock', { advance: 'PT90M' });
    while (it.host.filling.length === 0) await new Promise((resolve) => setImmediate(resolve));
    it.host.close();
    expect((await moved).status).toBe(200);
  });

  test('an emulator that is closed before a new start begins reports nothing as broken', async () => {
    const scenario = { resetEvery: 'PT1H', generate: { customers: 400, transactions: 800, days: 30 } };
    const it = await kit({ scenario, seed: 1, holdClock: true, now: '2026-01-05T00:00:00Z' });
    it.sandbox.world.startOver();
    it.host.close();
    await it.sandbox.freshStart;
  });

  test('resetEvery with live traffic and a seed repeats the same state after each reset', async () => {
    const it = await kit({
      scenario: { ...live(), resetEvery: 'PT3H' },
      seed: 3,
      holdClock: true,
      now: '2026-01-05T00:00:00Z',
    });
    await it.advance('PT2H');
    const first = await tables(it);
    await it.advance('PT1H');
    await it.advance('PT2H');
    expect(await tables(it)).toEqual(first);
  });

  test.each(['0s', '900ms', 'soon', '366d'])('resetEvery: %s is refused at its line', async (resetEvery) => {
    const { control } = await kit();
    const { body } = await control('POST', '/scenarios/check', { text: `resetEvery: ${resetEvery}\n` });
    expect([body.valid, body.problems[0].line]).toEqual([false, 1]);
  });
});
