import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { bankOf, paymentOf, unescaped, type Visitor, visitor } from './visit.ts';

const textIn = (html: string): string => html.replaceAll(/<[^>]*>/g, ' ');

const PAGE = readFileSync(new URL('../../docs/first-payment.md', import.meta.url), 'utf8');
/** The operations that "In the inspector" names, in its order. */
const PATH_OF_PAGES = /Press "Send" in ([\s\S]*?), in this order/.exec(PAGE)?.[1]?.match(/(?<=`)\w+(?=`)/g) ?? [];

const STEPS = ['Create a customer', 'Fund an account', 'Register a bank account to pay', 'Make a quote', 'Execute it'];

test('an empty overview leads to a first payment step by step, and marks the steps that are done (W18)', async () => {
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

/** The steps that the overview says are done. */
const doneOn = async (world: Visitor): Promise<string[]> => {
  const { html } = await world.open('/');
  const items = html.split('class="first-steps"')[1]?.split('</ol>')[0]?.split('<li>') ?? [];
  return STEPS.filter((step) => items.some((item) => item.includes(step) && item.includes('badge good')));
};

test('a refused call does not mark a first step as done, and a rewind takes the mark back (W18)', async () => {
  const world = await visitor();
  const ada = { customerType: 'INDIVIDUAL', fullName: 'Ada Keller' };
  expect((await world.post('/customers', { ...ada, birthDate: '1990-13-40' })).status).toBe(400);
  expect((await world.post('/quotes', {})).status).toBe(400);
  expect(await doneOn(world)).toEqual([]);
  await world.post('/customers', ada);
  expect(await doneOn(world)).toEqual(['Create a customer']);
  await world.control('POST', '/requests/req_3/rewind');
  expect(await doneOn(world)).toEqual([]);
});

test.each(['demo', 'wallet', 'payouts'])(
  'the overview of scenario %s, which begins with customers, shows no first steps, before a call or after (W18)',
  async (scenario) => {
    const world = await visitor({ scenario });
    expect(textIn((await world.open('/')).html)).not.toContain('A first payment');
    expect((await world.post('/quotes', {})).status).toBe(400);
    await world.post('/customers', { customerType: 'INDIVIDUAL', fullName: 'Ada Keller' });
    expect(textIn((await world.open('/')).html)).not.toContain('A first payment');
  },
);

/** The fields of a form with the values that it offers; `part` is the id of the panel around it. */
async function formOf(world: Visitor, path: string, part: string): Promise<Record<string, string>> {
  const { html } = await world.open(path);
  const form = html.split(`id="${part}"`)[1]?.split('</form>')[0] ?? '';
  const hidden = [...form.matchAll(/<input type="(?:text|hidden)" name="([^"]+)" value="([^"]*)"/g)];
  const areas = [...form.matchAll(/<textarea[^>]* name="([^"]+)"[^>]*>([\s\S]*?)<\/textarea>/g)];
  const fields = [...hidden, ...areas].map(([, name = '', value = '']) => [name, unescaped(value).trim()]);
  return Object.fromEntries(fields);
}

const sendForm = async (world: Visitor, path: string, fields: Record<string, string>): Promise<string> =>
  (
    await world.ask(path, { method: 'POST', body: new URLSearchParams(fields), headers: { accept: 'text/html' } })
  ).text();

/** Presses "Send" on the page of an operation, its body changed or not. */
async function trying(world: Visitor, operation: string, change: (body: Body) => object = (body) => body) {
  const path = `/inspector/api/${operation}`;
  const form = await formOf(world, path, 'try');
  const body = form['body'] === undefined ? {} : { body: JSON.stringify(change(JSON.parse(form['body']))) };
  const html = await sendForm(world, path, { ...form, ...body, do: 'try' });
  expect(html, operation).toMatch(/It answered <span class="status good">20[01]</);
}

// biome-ignore lint/suspicious/noExplicitAny: a body of any operation
type Body = Record<string, any>;

/** The recipient in euros that the page names. */
const recipient = (): Body => {
  const [, body = ''] = /external-accounts -d '(\{[\s\S]*?\n\})'/.exec(PAGE) ?? [];
  return JSON.parse(body.replace(`'"$CUSTOMER"'`, '"$CUSTOMER"').replace(`"'$CUSTOMER'"`, '"$CUSTOMER"'));
};

const paid = async (world: Visitor): Promise<Body> => {
  await world.advance('PT1M');
  const [payment] = (await world.get('/transactions', { type: 'OUTGOING' })).body.data;
  return { status: payment.status, sent: payment.sentAmount.amount, to: payment.receivedAmount.currency.code };
};

test('the steps for the inspector in docs/first-payment.md pay 25.00 USD in dollars as they stand (W18)', async () => {
  const world = await visitor();
  expect(PATH_OF_PAGES).toHaveLength(5);
  for (const operation of PATH_OF_PAGES) await trying(world, operation);
  expect(await paid(world)).toEqual({ status: 'COMPLETED', sent: 2500, to: 'USD' });
});

test('the steps for the inspector in docs/first-payment.md pay 125.00 USD in euros where they are changed so (W18)', async () => {
  const world = await visitor();
  for (const operation of PATH_OF_PAGES) {
    if (operation === 'createQuote') {
      const { currency, accountInfo } = recipient();
      await trying(world, 'createCustomerExternalAccount', (body) => ({ ...body, currency, accountInfo }));
      const { id } = (await world.get('/customers/external-accounts', { currency: 'EUR' })).body.data[0];
      await trying(world, operation, (body) => ({
        ...body,
        destination: { ...body['destination'], accountId: id },
        lockedCurrencyAmount: 12_500,
      }));
    } else await trying(world, operation);
  }
  expect(await paid(world)).toEqual({ status: 'COMPLETED', sent: 12_500, to: 'EUR' });
});

test('a replay of the call that executed a quote gets 409, and the page of executeQuote then asks for another quote (W18)', async () => {
  const world = await visitor();
  for (const operation of PATH_OF_PAGES) await trying(world, operation);
  const path = '/inspector/requests/req_5';
  const form = await formOf(world, path, 'again');
  expect(await sendForm(world, path, { ...form, do: 'replay', against: 'now' })).toMatch(
    /<span class="status warn">409<[\s\S]*QUOTE_ALREADY_EXECUTED/,
  );
  expect(textIn((await world.open('/inspector/api/executeQuote')).html).replaceAll(/\s+/g, ' ')).toContain(
    'Nothing in this sandbox fits this call now. Create it with createQuote , or replace what stands in angle brackets.',
  );
});
