import { describe, expect, test } from 'vitest';
import { DELIVERIES } from '../../../src/areas/webhooks/index.ts';
import { keptOnce, keptTexts, sharing } from '../../../src/areas/webhooks/shared.ts';
import { receiver } from '../../kit/receiver.ts';
import { kit } from '../../kit/sandbox.ts';

/** Objects that a list of values holds, each counted once. */
function objectsOf(values: readonly unknown[]): number {
  const seen = new Set<unknown>();
  const walk = (value: unknown): void => {
    if (typeof value !== 'object' || value === null || seen.has(value)) return;
    seen.add(value);
    for (const member of Object.values(value)) walk(member);
  };
  for (const value of values) walk(value);
  return seen.size;
}

async function failing(body: string) {
  const hooks = await receiver();
  hooks.react = () => ({ status: 500, body });
  const it = await kit({ webhookUrl: hooks.url });
  await it.settle();
  const [account] = (await it.get('/platform/internal-accounts', { currency: 'USD' })).body.data;
  for (let i = 0; i < 50; i += 1) await it.post(`/sandbox/internal-accounts/${account.id}/fund`, { amount: 5 });
  await it.settle();
  const rows = () => [...it.sandbox.world.rows(DELIVERIES).rows()].filter(({ subject }) => subject === account.id);
  return { ...it, hooks, rows };
}

describe('memory of undeliverable webhooks', () => {
  test('events of one resource share the parts that did not change between them (R9)', async () => {
    const { rows } = await failing('no');
    const waiting = rows();
    expect(waiting).toHaveLength(50);
    const data = waiting.map(
      (row) => row.data as { balance: { currency: object }; fundingPaymentInstructions: object },
    );
    expect(new Set(data.map((one) => one.fundingPaymentInstructions)).size).toBe(1);
    expect(new Set(data.map((one) => one.balance.currency)).size).toBe(1);
    const [first] = data;
    const whole = objectsOf([first]);
    // Each further event adds itself and its two amounts, however large the account is.
    expect(objectsOf(data)).toBeLessThanOrEqual(whole + 3 * 49);
    expect(whole).toBeGreaterThan(5);
  });

  test('events that share parts are still sent with their own amounts and the same members (R9)', async () => {
    const { hooks, rows, advance } = await failing('no');
    hooks.react = () => 200;
    await advance('P1D');
    const sent = hooks.received.filter(({ event }) => event.type === 'INTERNAL_ACCOUNT.BALANCE_UPDATED');
    const amounts = [...new Map(sent.map(({ event }) => [event.id, event.data.balance.amount])).values()];
    expect(amounts).toEqual(rows().map((_, i) => (i + 1) * 5));
    const first = Object.keys(sent[0]?.event.data);
    expect(sent.every(({ event }) => Object.keys(event.data).join() === first.join())).toBe(true);
  });

  test('equal answers of receivers are kept once, and at most 200 different ones are kept (R9)', () => {
    const before = keptTexts();
    for (let i = 0; i < 1000; i += 1) keptOnce('busy '.repeat(300));
    expect(keptTexts()).toBeLessThanOrEqual(before + 1);
    for (let i = 0; i < 1000; i += 1) keptOnce(`answer ${i}`);
    expect(keptTexts()).toBeLessThanOrEqual(200);
  });
});

describe('sharing of equal parts', () => {
  test('sharing returns an equal value as the earlier one, and keeps the equal parts of a changed value', () => {
    const earlier = { id: 'a', deep: { list: [1, { x: 1 }] }, amount: { value: 1, currency: { code: 'USD' } } };
    expect(sharing(structuredClone(earlier), earlier)).toBe(earlier);
    const changed = structuredClone(earlier);
    changed.amount.value = 2;
    const shared = sharing(changed, earlier);
    expect(shared).toEqual(changed);
    expect(shared.deep).toBe(earlier.deep);
    expect(shared.amount.currency).toBe(earlier.amount.currency);
    expect(shared.amount).not.toBe(earlier.amount);
  });

  test.each([
    [
      { a: 1, b: 2 },
      { b: 2, a: 1 },
    ],
    [[1, 2], { 0: 1, 1: 2 }],
    [{ a: undefined }, {}],
    [[1, 2], [1]],
    [{ a: null }, { a: {} }],
  ])('sharing does not take %j for %j', (value, earlier) => {
    expect(sharing(value, earlier)).toBe(value);
  });
});
