import { beforeEach, describe, expect, test } from 'vitest';
import { type Kit, kit } from '../kit/sandbox.ts';

const ADA = { customerType: 'INDIVIDUAL', fullName: 'Ada Keller', birthDate: '1990-01-02', email: 'ada@example.com' };
const latest = ({ sandbox }: Kit): string => [...sandbox.requestLog.newest()][0]?.id as string;
const NEEDED = ', which creates what later calls use';

/** The calls of a recorded script, each by its title. */
const calls = (text: string): string[] => {
  const [, body = ''] = text.split('  fi\n}\n');
  return [...body.matchAll(/^# (\w+)(, which creates what later calls use)?$/gm)].map(
    ([, name, why = '']) => name + why,
  );
};

async function record(it: Kit, requests: unknown, as = 'shell'): Promise<string> {
  const { status, text } = await it.control('POST', '/record', { requests, as });
  expect(status, text).toBe(200);
  return text;
}

describe('recordings of a customer with two quotes, the second one executed', () => {
  let it: Kit;
  let made: string;
  let again: string;
  let account: string;
  let execute: () => Promise<string>;

  const quotes = async (funded: boolean): Promise<void> => {
    it = await kit();
    const customer = (await it.post('/customers', ADA)).body;
    made = latest(it);
    const { data } = (await it.get('/customers/internal-accounts', { customerId: customer.id })).body;
    account = data[0].id;
    if (funded) await it.post(`/sandbox/internal-accounts/${account}/fund`, { amount: 1000 });
    const terms = {
      source: { sourceType: 'ACCOUNT', accountId: account },
      destination: { destinationType: 'ACCOUNT', accountId: data[1].id },
      lockedCurrencySide: 'SENDING',
      lockedCurrencyAmount: 100,
    };
    expect((await it.post('/quotes', terms)).status).toBe(201);
    const quote = (await it.post('/quotes', terms)).body;
    again = latest(it);
    execute = async () => {
      expect((await it.post(`/quotes/${quote.id}/execute`)).status).toBe(202);
      return latest(it);
    };
  };
  beforeEach(() => quotes(false));

  test('a recording of the second quote includes the customer, and not the first quote, which only sent the same accounts', async () => {
    expect(calls(await record(it, [again]))).toEqual([`createCustomer${NEEDED}`, 'createQuote']);
    expect(calls(await record(it, [made, again]))).toEqual(['createCustomer', 'createQuote']);
  });

  test('a recording of later calls about an account leaves out the quotes that sent that account before', async () => {
    await it.get('/customers/internal-accounts', { limit: '5' });
    const listed = latest(it);
    await it.post(`/sandbox/internal-accounts/${account}/fund`, { amount: 1000 });
    const text = await record(it, [made, listed, latest(it)]);
    expect(calls(text)).toEqual(['createCustomer', 'listCustomerInternalAccounts', 'sandboxFundInternalAccount']);
    expect(text).not.toContain('Left out');
  });

  test('a recording of a payment includes the funding of the account that it pays from', async () => {
    await quotes(true);
    const text = await record(it, [await execute()]);
    expect(calls(text)).toEqual([
      `createCustomer${NEEDED}`,
      `sandboxFundInternalAccount${NEEDED}`,
      `createQuote${NEEDED}`,
      'executeQuote',
    ]);
    expect(text).not.toContain('Left out');
  });
});

test('a recording uses up no request number and no sandbox id, and counts for nothing in the coverage, in every form', async () => {
  const it = await kit({ scenario: 'payouts', coverage: 'unwritten' });
  const { data } = (await it.get('/customers')).body;
  await it.get(`/customers/${data[0].id}`);
  const numberOf = (id: string): number => Number(id.slice('req_'.length));
  const before = numberOf(latest(it));
  const counted = JSON.stringify(it.host.coverageReport());
  for (const as of ['vitest', 'shell', 'scenario', 'bruno']) await record(it, [latest(it)], as);
  expect(JSON.stringify(it.host.coverageReport())).toBe(counted);
  await it.get('/config');
  expect(numberOf(latest(it))).toBe(before + 1);
  expect((await it.host.create()).id).toBe('sandbox-1');
});

test('a recorded script quotes each run of fixed text in a body once, with variables between', async () => {
  const it = await kit();
  const { id } = (await it.post('/customers', { ...ADA, fullName: "Ada O'Keller" })).body;
  await it.post('/customers/external-accounts', { customerId: id, currency: 'USD' });
  const text = await record(it, { from: 'req_1', to: latest(it) });
  expect(text).toContain(`--data-raw '{"customerType":"INDIVIDUAL","fullName":"Ada O'\\''Keller","birthDate":`);
  expect(text).toContain(`--data-raw '{"customerId":"'"$customerId"'","currency":"USD"}'`);
});
