import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { lookupIdOf } from '../../../src/areas/lookups/index.ts';
import { type MoneyKit, moneyKit } from '../../kit/money.ts';
import type { Answer } from '../../kit/sandbox.ts';

const PAGE = readFileSync('docs/payments.md', 'utf8');

/** A table of the page, below a heading: its columns, and its rows by their first cell. */
function tableOf(heading: string) {
  const section = PAGE.split(/^## /m).find((part) => part.startsWith(`${heading}\n`)) ?? '';
  const [head = [], , ...rows] = section
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .map((line) =>
      line
        .slice(2, -2)
        .split(' | ')
        .map((cell) => cell.replaceAll('`', '').trim()),
    );
  return rows.flatMap(([from = '', ...cells]) => cells.map((says, i) => ({ from, to: head[i + 1] as string, says })));
}

/** Ana and Bo, both approved, with accounts inside and outside, and the platform with its own. */
async function everybody() {
  const it = await moneyKit();
  const sent = { customerType: 'INDIVIDUAL', fullName: 'Bo Lind', umaAddress: '$bo@pay.example' };
  const bo = (await it.post('/customers', sent)).body.id as string;
  await it.settle();
  const id = async (currency: string, owner?: string) => (await it.account(currency, owner)).id as string;
  await it.funded('USD', 90_000);
  await it.funded('USDB', 90_000_000);
  await it.funded('USD', 90_000, 'platform');
  const usd = {
    "Ana's account": await id('USD'),
    "Ana's wallet": await id('USDB'),
    "the platform's account": await id('USD', 'platform'),
    "Ana's bank": it.bank('USD').id,
    "Bo's bank": it.bank('USD', '666', { customerId: bo }).id,
    "the platform's bank": it.bank('USD', '888', { customerId: undefined }).id,
  };
  const eur = {
    'another account of Ana': await id('EUR'),
    "Bo's account": await id('EUR', bo),
    'another bank of Ana': it.bank('EUR').id,
    "Bo's bank": it.bank('EUR', '777', { customerId: bo }).id,
  };
  const ids = (more: object) => new Map<string, string>(Object.entries({ ...usd, ...more }));
  return { it, from: ids({}), to: ids(eur) };
}

const said = ({ status, body }: Answer): string => (status < 400 ? String(status) : `${status} ${body.code}`);

const UMA: Readonly<Record<string, string>> = {
  "Ana's UMA address": '$ana@pay.example',
  "Bo's UMA address": '$bo@pay.example',
};

function sourceOf(from: string, it: MoneyKit, ids: ReadonlyMap<string, string>) {
  if (!from.startsWith('money sent')) return { sourceType: 'ACCOUNT', accountId: ids.get(from) };
  const customerId = from.endsWith('Ana') ? it.customer.id : undefined;
  return { sourceType: 'REALTIME_FUNDING', currency: 'USD', ...(customerId ? { customerId } : {}) };
}

async function quote(from: string, to: string): Promise<string> {
  const { it, ...ids } = await everybody();
  const umaAddress = UMA[to];
  const destination = umaAddress
    ? { destinationType: 'UMA_ADDRESS', umaAddress, currency: 'EUR' }
    : { destinationType: 'ACCOUNT', accountId: ids.to.get(to) };
  const more = umaAddress ? { lookupId: lookupIdOf(umaAddress) } : {};
  return said(await it.quote(sourceOf(from, it, ids.from), destination, more));
}

describe('who may pay whom (S26)', () => {
  const quotes = tableOf('By quote');

  test('docs/payments.md has a cell for each pair of payer and receiver (S26)', () => {
    expect(quotes).toHaveLength(7 * 8);
    for (const { says } of quotes) expect(says).toMatch(/^(201|400 [A-Z_]+)$/);
  });

  test.each(quotes)('a quote from $from to $to is answered with $says (S26)', async ({ from, to, says }) => {
    expect(await quote(from, to)).toBe(says);
  });

  test.each(["Ana's account", "Ana's wallet", "the platform's account", "Ana's bank", "the platform's bank"])(
    'a quote from %s to itself is refused with 400 SELF_PAYMENT (Y6, S26)',
    async (from) => {
      const { it, from: ids } = await everybody();
      const destination = { destinationType: 'ACCOUNT', accountId: ids.get(from) };
      expect(said(await it.quote(sourceOf(from, it, ids), destination))).toBe('400 SELF_PAYMENT');
    },
  );

  test.each(tableOf('By transfer'))(
    'a transfer of $from with $to is answered with $says (S26)',
    async ({ from, to, says }) => {
      const { it, from: ids } = await everybody();
      const [inner, outer] = [{ accountId: ids.get(from) }, { accountId: ids.get(to.replace(/ \(\w+\)/, '')) }];
      const answer = to.endsWith('(in)')
        ? await it.post('/transfer-in', { source: outer, destination: inner, amount: 100 })
        : await it.post('/transfer-out', { source: inner, destination: outer, amount: 100 });
      expect(said(answer)).toBe(says);
    },
  );
});
