import { expect, onTestFinished, test } from 'vitest';
import { TURNS } from '../../src/engine/turns.ts';
import { receiver } from '../kit/receiver.ts';
import { kit } from '../kit/sandbox.ts';

/** Work of other sandboxes that takes each turn of the event loop as a whole, until the test ends. */
function busyNeighbours(): void {
  let isOver = false;
  onTestFinished(() => {
    isOver = true;
  });
  const take = (): void => {
    for (const end = performance.now() + 5; performance.now() < end; );
    if (!isOver) for (let i = 0; i < 3; i += 1) TURNS.soon(i === 0 ? take : () => {});
  };
  for (let i = 0; i < 3; i += 1) TURNS.soon(take);
}

type World = Awaited<ReturnType<typeof kit>>;

/** A customer with money, and a function that pays at once and returns the status of the payment after it. */
async function payer(it: World) {
  const { body: ada } = await it.post('/customers', { customerType: 'INDIVIDUAL', fullName: 'Ada Keller' });
  const { body: accounts } = await it.get('/customers/internal-accounts', { customerId: ada.id });
  const [from, to] = ['USD', 'USDC'].map((code) =>
    accounts.data.find(
      (account: { balance: { currency: { code: string } } }) => account.balance.currency.code === code,
    ),
  );
  await it.post(`/sandbox/internal-accounts/${from.id}/fund`, { amount: 100_000 });
  return async (): Promise<string> => {
    const { body: quote } = await it.overlapping('POST', '/quotes', {
      source: { sourceType: 'ACCOUNT', accountId: from.id },
      destination: { destinationType: 'ACCOUNT', accountId: to.id },
      lockedCurrencySide: 'SENDING',
      lockedCurrencyAmount: 1000,
      immediatelyExecute: true,
    });
    return (await it.overlapping('GET', `/transactions/${quote.transactionId}`)).body.status;
  };
}

/** The replies of a day, one call after the other, and nothing waited for in between. */
async function replies(): Promise<string[]> {
  const it = await kit({ seed: 1 });
  const found: string[] = [];
  const does = async (method: string, path: string, body?: object) => {
    const answer = await it.overlapping(method, path, body);
    found.push(`${answer.status} ${answer.text}`);
    return answer.body;
  };
  const { id } = await does('POST', '/customers', {
    customerType: 'INDIVIDUAL',
    fullName: 'Ada Keller',
    birthDate: '1991-05-04',
  });
  const accounts = await does('GET', `/customers/internal-accounts?customerId=${id}`);
  const [from, to] = ['USD', 'USDC'].map((code) =>
    accounts.data.find(
      (account: { balance: { currency: { code: string } } }) => account.balance.currency.code === code,
    ),
  );
  await does('POST', `/sandbox/internal-accounts/${from.id}/fund`, { amount: 100_000 });
  for (let i = 0; i < 10; i += 1) {
    const quote = await does('POST', '/quotes', {
      source: { sourceType: 'ACCOUNT', accountId: from.id },
      destination: { destinationType: 'ACCOUNT', accountId: to.id },
      lockedCurrencySide: 'SENDING',
      lockedCurrencyAmount: 1000,
      immediatelyExecute: true,
    });
    // The inside first, by a control: it finds what the next call would find.
    if (i % 2 === 0) found.push((await it.control('GET', `/transactions/${quote.transactionId}`)).text);
    await does('GET', `/transactions/${quote.transactionId}`);
    await does('POST', '/customers', { customerType: 'INDIVIDUAL', fullName: `Bo ${i}` });
  }
  await it.settle();
  return found;
}

test('busy other sandboxes change no reply of a sandbox: its due jobs run before its next call', async () => {
  const alone = await replies();
  expect(alone.filter((reply) => reply.includes('"COMPLETED"')).length).toBeGreaterThan(5);
  busyNeighbours();
  expect(await replies()).toEqual(alone);
});

test('the due jobs of a call run before the next call, also with 700 deliveries due', async () => {
  const hooks = await receiver();
  const it = await kit({ seed: 1, webhookUrl: hooks.url, compares: false });
  const pay = await payer(it);
  await it.settle();
  await it.control('POST', '/webhooks/pause');
  for (let i = 0; i < 700; i += 1) await it.post('/customers', { customerType: 'INDIVIDUAL', fullName: `Bo ${i}` });
  await it.settle();
  await it.control('POST', '/webhooks/resume');
  const statuses: string[] = [];
  for (let i = 0; i < 10; i += 1) statuses.push(await pay());
  expect(statuses).toEqual(Array(10).fill('COMPLETED'));
  await it.settle();
});
