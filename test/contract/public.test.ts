import { describe, expect, test } from 'vitest';
import { OPERATIONS } from '../../src/areas.ts';
import { PROFILES } from '../../src/contract/profile.ts';
import { BEYOND } from '../kit/beyond-contract.ts';
import { CONTRACT, eventBeyondContract, replyBeyondContract, wrongWith } from '../kit/contract.ts';
import { moneyKit } from '../kit/money.ts';
import { kit } from '../kit/sandbox.ts';

const { grid, spec } = PROFILES;

/** A real quote of profile grid, changed. */
async function quoteWith(change: object): Promise<unknown> {
  const it = await moneyKit({ profile: 'grid' });
  const from = await it.account('USD');
  const to = { destinationType: 'ACCOUNT', accountId: it.bank('EUR').id };
  const { body } = await it.quote({ sourceType: 'ACCOUNT', accountId: from.id }, to);
  return { ...body, ...change };
}

describe('the public contract as data', () => {
  test('the public contract has every operation of this emulator, by method and path, and no other', () => {
    const ours = OPERATIONS.map(({ id, method, path }) => `${id} ${method} ${path}`).sort();
    const theirs = Object.entries(CONTRACT.operations).map(([id, { method, path }]) => `${id} ${method} ${path}`);
    expect(ours.map((line) => line.replaceAll(/\{\w+\}/g, '{}'))).toEqual(
      theirs.sort().map((line) => line.replaceAll(/\{\w+\}/g, '{}')),
    );
  });

  test('the public contract, as data, holds no text that is for people', () => {
    expect(JSON.stringify(CONTRACT)).not.toMatch(/"(?:description|summary|title|examples?)":"/);
  });

  test('the public contract has every shape that the list of replies beyond it names', () => {
    for (const { shapes } of BEYOND) for (const shape of shapes) expect(Object.keys(CONTRACT.$defs)).toContain(shape);
  });

  test('the public contract compiles for every reply and every event', () => {
    for (const { replies } of Object.values(CONTRACT.operations))
      for (const shape of Object.values(replies)) if (shape) wrongWith(shape, {});
    for (const shape of Object.values(CONTRACT.events)) expect(wrongWith(shape, {})).toContain('required');
  });
});

describe('the check of replies and events against the public contract (K1)', () => {
  test.each([
    ['a fraction where an int64 is declared', { totalSendingAmount: 12.5 }, '/totalSendingAmount must be integer'],
    ['a member that is not declared', { surprise: 1 }, 'additional properties {"additionalProperty":"surprise"}'],
    ['a day where a date-time is declared', { createdAt: '2026-01-05' }, '/createdAt must match format "date-time"'],
    ['a word that is not listed', { status: 'DONE' }, '/status must be equal to one of the allowed values'],
    ['a member that is missing', { transactionId: undefined }, "must have required property 'transactionId'"],
  ])('%s in a quote is found by the check against the public contract', async (_, change, fault) => {
    const quote = JSON.parse(JSON.stringify(await quoteWith(change)));
    expect(replyBeyondContract(grid, 'createQuote', 201, quote)).toContain(fault);
  });

  test('a fraction of a fee, deep in a reply, is found by the check against the public contract', async () => {
    const { rateDetails } = (await quoteWith({})) as { rateDetails: object };
    const quote = await quoteWith({ rateDetails: { ...rateDetails, gridApiVariableFeeAmount: 12.5 } });
    expect(replyBeyondContract(grid, 'createQuote', 201, quote)).toContain('/rateDetails/gridApiVariableFeeAmount');
  });

  test('a real reply passes the check against the public contract; the names of the default profile are exchanged first', async () => {
    expect(replyBeyondContract(grid, 'createQuote', 201, await quoteWith({}))).toBeUndefined();
    const refused = (await (await kit()).get('/quotes/Quote:1')).body;
    expect(replyBeyondContract(spec, 'getQuoteById', 404, refused)).toBeUndefined();
    expect(replyBeyondContract(spec, 'getQuoteById', 404, { ...refused, code: 'NO_QUOTE' })).toContain('/code');
  });

  test('an event with a member that is not declared is found by the check against the public contract', async () => {
    const it = await kit({ profile: 'grid' });
    await it.post('/customers', { customerType: 'INDIVIDUAL', fullName: 'Ada Keller' });
    const [event] = it.events('CUSTOMER.KYC_APPROVED');
    if (!event) throw new Error('no event');
    expect(eventBeyondContract(grid, event)).toBeUndefined();
    expect(eventBeyondContract(grid, { ...event, data: { ...event.data, surprise: 1 } } as never)).toContain(
      'surprise',
    );
  });
});
