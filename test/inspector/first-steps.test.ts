import { expect, test } from 'vitest';
import { bankOf, paymentOf, visitor } from './visit.ts';

const textIn = (html: string): string => html.replaceAll(/<[^>]*>/g, ' ');

const STEPS = ['Create a customer', 'Fund an account', 'Register a bank account to pay', 'Make a quote', 'Execute it'];

test('an empty overview leads to a first payment, step by step, and says which are done (W18)', async () => {
  const world = await visitor();
  const first = await world.open('/');
  for (const step of STEPS) expect(textIn(first.html)).toContain(step);
  const { body: ada } = await world.post('/customers', { customerType: 'INDIVIDUAL', fullName: 'Ada Keller' });
  expect((await world.open('/')).html).toMatch(/Create a customer<\/a>.*?<span class="badge good">done<\/span><\/li>/);
  const { body: accounts } = await world.get('/customers/internal-accounts', { customerId: ada.id, currency: 'USD' });
  await world.post(`/sandbox/internal-accounts/${accounts.data[0].id}/fund`, { amount: 50_000 });
  const { body: bank } = await world.post('/customers/external-accounts', bankOf(ada.id));
  const { body: quote } = await world.post('/quotes', paymentOf(accounts.data[0].id, bank.id));
  expect(textIn((await world.open('/')).html)).toContain('Execute it');
  await world.post(`/quotes/${quote.id}/execute`);
  expect(textIn((await world.open('/')).html)).not.toContain('A first payment');
});

test('a scenario with payments has no need of first steps', async () => {
  const world = await visitor({ scenario: 'demo' });
  expect(textIn((await world.open('/')).html)).not.toContain('A first payment');
});
