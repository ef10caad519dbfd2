import { describe, expect, test } from 'vitest';
import { CARDS } from '../../src/areas/cards/index.ts';
import { CUSTOMERS } from '../../src/areas/customers/index.ts';
import { TRANSACTIONS } from '../../src/areas/transactions/index.ts';
import { CURRENCIES } from '../../src/contract/money.ts';
import { brokenRules } from '../kit/ledger.ts';
import { type Kit, kit } from '../kit/sandbox.ts';

const SHARES = { businesses: 0.2, pending: 0.1, outgoing: 0.5, failed: 0.05, cards: 0.2 };
const month = (more: object = {}) =>
  kit({
    scenario: {
      platform: { regulated: false, currencies: [{ code: 'USD' }] },
      generate: { customers: 200, transactions: 4000, days: 30, ...SHARES, ...more },
    },
    seed: 5,
  });
const rows = (it: Kit) => [...it.sandbox.world.rows(TRANSACTIONS).rows()];
const shareOf = (part: number, whole: number) => Math.round((part / whole) * 100) / 100;

/** Platforms that want more of customers or accounts than the default one. */
const PLATFORMS: readonly object[] = [
  ...[...CURRENCIES.keys()].map((code) => ({ currencies: [{ code }] })),
  { contactVerification: { US: ['email', 'phone'], DE: ['phone'] } },
  { requireEndUserTerms: true },
  { regulated: true },
  { currencies: [{ code: 'EUR', providerRequiredCustomerFields: ['FULL_NAME', 'BIRTH_DATE', 'PHONE_NUMBER'] }] },
  { currencies: [{ code: 'EUR', providerRequiredCounterpartyCustomerFields: ['PHONE_NUMBER', 'EMAIL'] }] },
  { currencies: [{ code: 'USD', minAmount: 500, maxAmount: 600 }] },
];

describe('a generated month (W24)', () => {
  test.each(['spec', 'grid'] as const)(
    'a generated month can be made on every platform, in profile %s',
    async (profile) => {
      for (const platform of PLATFORMS) {
        const generate = { customers: 20, transactions: 60, days: 5, businesses: 0.4, outgoing: 0.5 };
        const it = await kit({ profile, scenario: { platform, generate } });
        expect(rows(it), JSON.stringify(platform)).toHaveLength(60);
        expect(brokenRules(it.sandbox.world)).toEqual([]);
      }
    },
  );

  test('a generated month has businesses, payouts, failures, cards and undecided customers in the wanted shares', async () => {
    const it = await month();
    const customers = [...it.sandbox.world.rows(CUSTOMERS).rows()];
    expect(customers.filter(({ customerType }) => customerType === 'BUSINESS')).toHaveLength(40);
    expect(customers.filter(({ kycStatus }) => kycStatus === 'PENDING')).toHaveLength(20);
    const all = rows(it);
    expect(all).toHaveLength(4000);
    const out = all.filter(({ type }) => type === 'OUTGOING');
    const cards = all.filter(({ type }) => type === 'CARD');
    expect(shareOf(out.length, 4000)).toBeCloseTo(0.5, 1);
    expect(shareOf(cards.length, 4000)).toBeCloseTo(0.2, 1);
    expect(shareOf(out.filter(({ status }) => status === 'FAILED').length, out.length)).toBe(0.05);
    expect(cards.every(({ status }) => status === 'SETTLED')).toBe(true);
    expect(it.sandbox.world.rows(CARDS).size).toBeGreaterThan(50);
    const pending = new Set(customers.filter(({ kycStatus }) => kycStatus === 'PENDING').map(({ id }) => id));
    expect(all.filter(({ customerId }) => pending.has(customerId))).toEqual([]);
    expect(brokenRules(it.sandbox.world)).toEqual([]);
  });

  test('a generated month keeps the rules of the ledger in profile grid, where a business is checked before its approval', async () => {
    const it = await kit({
      profile: 'grid',
      scenario: { platform: { regulated: false }, generate: { customers: 50, transactions: 300, days: 3, ...SHARES } },
    });
    const statuses = [...it.sandbox.world.rows(CUSTOMERS).rows()].map(({ kycStatus }) => kycStatus);
    expect(statuses.filter((status) => status === 'APPROVED')).toHaveLength(45);
    expect(brokenRules(it.sandbox.world)).toEqual([]);
  });

  test('payouts of the last hours of a generated month are under way, and complete within six hours of the clock', async () => {
    const it = await month();
    const underWay = () => rows(it).filter(({ status }) => status === 'PROCESSING').length;
    expect(underWay()).toBeGreaterThan(5);
    await it.advance('PT6H');
    expect(underWay()).toBe(0);
    expect(brokenRules(it.sandbox.world)).toEqual([]);
  });

  test('no two generated people or businesses have the same name', async () => {
    const it = await kit({ scenario: { generate: { customers: 6000, businesses: 0.5 } } });
    const names = [...it.sandbox.world.rows(CUSTOMERS).rows()].map(
      ({ details }) => details.fullName ?? details.businessInfo?.legalName,
    );
    expect(names).toHaveLength(6000);
    expect(new Set(names).size).toBe(6000);
  });

  test('the same seed generates the same month, and another seed another month', async () => {
    const [one, two] = [rows(await month()), rows(await month())];
    expect(one).toEqual(two);
    const other = await kit({
      scenario: { generate: { customers: 20, transactions: 100, days: 3, ...SHARES } },
      seed: 6,
    });
    const again = await kit({
      scenario: { generate: { customers: 20, transactions: 100, days: 3, ...SHARES } },
      seed: 7,
    });
    expect(rows(other)).not.toEqual(rows(again));
  });

  test('generated payments in a currency without a bank of ours go to UMA addresses, and none is by card', async () => {
    const it = await kit({
      scenario: {
        platform: { currencies: [{ code: 'BRL' }] },
        generate: { customers: 10, transactions: 200, days: 2, ...SHARES },
      },
    });
    const all = rows(it);
    expect(all.some(({ type }) => type === 'CARD')).toBe(false);
    expect(all.some((t) => t.type === 'OUTGOING' && t.destination.kind === 'UMA_ADDRESS')).toBe(true);
    expect(brokenRules(it.sandbox.world)).toEqual([]);
  });

  test('generated shares that are more than the whole together are refused', async () => {
    await expect(month({ outgoing: 0.9, cards: 0.2 })).rejects.toThrow(
      'generate.cards: outgoing and cards are more than 1 together',
    );
    await expect(month({ failed: 2 })).rejects.toThrow('generate.failed');
  });
});
