import { describe, expect, test } from 'vitest';
import { OPERATIONS } from '../../src/areas.ts';
import { type MoneyKit, moneyKit } from '../kit/money.ts';

/** The longest values that members take (spec 2.1, 2.8): a domain of 253 characters, and a name of 64 with its `$`. */
const DOMAIN = `${'d'.repeat(63)}.${'e'.repeat(63)}.${'f'.repeat(63)}.${'g'.repeat(61)}`;
const UMA = `$${'u'.repeat(63)}@${DOMAIN}`;
const OWN_ID = 'p'.repeat(255);
const CARD_ID = `${'c'.repeat(197)}999`;
const TOKEN = 't'.repeat(255);

/** Filters whose value people choose: the longest that the member can have, and the rows that are found by it. */
const LONGEST: Readonly<Record<string, readonly [value: string, rows: number]>> = {
  'listCustomers platformCustomerId': [OWN_ID, 1],
  'listCustomers umaAddress': [UMA, 1],
  'listTransactions platformCustomerId': [OWN_ID, 1],
  'listTransactions accountIdentifier': [UMA, 2],
  'listTransactions receiverAccountIdentifier': [UMA, 2],
  // A payment to a customer has a row on each side. Senders are found by their account, or by an address that the sandbox plays: any other finds nothing.
  'listTransactions senderAccountIdentifier': [UMA, 0],
  'listCards platformCardId': [CARD_ID, 1],
  'listTokens name': [TOKEN, 1],
};

/** Filters whose value the emulator makes, or which is a code of two letters. */
const MADE = /(?:^|\.)(?:\w*[iI]d|documentHolder|reference|cursor|region)$/;

interface Parameter {
  readonly in: string;
  readonly name: string;
  readonly schema: {
    readonly type?: string;
    readonly enum?: unknown;
    readonly format?: string;
    readonly pattern?: string;
  };
}

/** Every filter of a list that takes any text. */
async function textFilters(): Promise<string[]> {
  const it = await moneyKit({});
  const { body } = await it.control('GET', '/openapi.json');
  return OPERATIONS.flatMap(({ id, path, method }) => {
    const parameters = (body.paths[path]?.[method.toLowerCase()]?.parameters ?? []) as Parameter[];
    if (!id.startsWith('list')) return [];
    return parameters
      .filter(
        ({ in: place, schema: s }) => place === 'query' && s.type === 'string' && !s.enum && !s.format && !s.pattern,
      )
      .map(({ name }) => `${id} ${name}`);
  });
}

/** A customer with the longest words that there are, who is paid at their address, has a card and a token. */
async function filled(): Promise<MoneyKit> {
  const it = await moneyKit({});
  expect((await it.patch('/config', { umaDomain: DOMAIN })).status).toBe(200);
  const sent = { customerType: 'INDIVIDUAL', fullName: 'Bo Lind', umaAddress: UMA, platformCustomerId: OWN_ID };
  const { body: bo } = await it.post('/customers', sent);
  await it.settle();
  const source = { sourceType: 'ACCOUNT', accountId: (await it.funded('USD', 50_000)).id };
  const destination = { destinationType: 'UMA_ADDRESS', umaAddress: UMA, currency: 'EUR' };
  const { lookupId } = (await it.get(`/receiver/uma/${encodeURIComponent(UMA)}`)).body;
  const { body: quote } = await it.quote(source, destination, { lookupId });
  expect((await it.post(`/quotes/${quote.id}/execute`)).status).toBe(200);
  await it.settle();
  const account = (await it.account('USD', bo.id)).id;
  const card = { cardholderId: bo.id, form: 'VIRTUAL', fundingSources: [account], platformCardId: CARD_ID };
  expect((await it.post('/cards', card)).status).toBe(201);
  expect((await it.post('/tokens', { name: TOKEN, permissions: ['VIEW'] })).status).toBe(201);
  return it;
}

describe('filters of lists (spec 4.1, 4.7)', () => {
  test('every filter that takes free text is in the table of longest values', async () => {
    const found = (await textFilters()).filter((name) => !MADE.test(name.split(' ')[1] as string) || name in LONGEST);
    expect(found.sort()).toEqual(Object.keys(LONGEST).sort());
  });

  test('a filter takes the longest value that its member may have, and finds the row', async () => {
    const it = await filled();
    const seen: Record<string, unknown> = {};
    const wanted: Record<string, unknown> = {};
    for (const [name, [value, rows]] of Object.entries(LONGEST)) {
      const [id, filter] = name.split(' ') as [string, string];
      const op = OPERATIONS.find((one) => one.id === id);
      const { status, body } = await it.get(op?.path ?? '', { [filter]: value });
      seen[name] = [status, body.data?.length];
      wanted[name] = [200, rows];
    }
    expect(seen).toEqual(wanted);
  });
});
