import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { bankOf, paymentOf, unescaped, type Visitor, visitor } from './visit.ts';

const textIn = (html: string): string => html.replaceAll(/<[^>]*>/g, ' ');

const PAGE = readFileSync(new URL('../../docs/first-payment.md', import.meta.url), 'utf8');
/** The operations that "In the inspector" names, in its order. */
const PATH_OF_PAGES = /Press "Send" in ([\s\S]*?), in this order/.exec(PAGE)?.[1]?.match(/(?<=`)\w+(?=`)/g) ?? [];

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

/** The steps that the overview says are done. */
const doneOn = async (world: Visitor): Promise<string[]> => {
  const { html } = await world.open('/');
  const items = html.split('class="first-steps"')[1]?.split('</ol>')[0]?.split('<li>') ?? [];
  return STEPS.filter((step) => items.some((item) => item.includes(step) && item.includes('badge good')));
};

test('a refused call is no step that is done, and a rewind takes the mark of a step back (W18)', async () => {
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
  'scenario %s, which begins with customers, shows no first steps, before its first call and after it (W18)',
  async (scenario) => {
    const world = await visitor({ scenario });
    expect(textIn((await world.open('/')).html)).not.toContain('A first payment');
    expect((await world.post('/quotes', {})).status).toBe(400);
    await world.post('/customers', { customerType: 'INDIVIDUAL', fullName: 'Ada Keller' });
    expect(textIn((await world.open('/')).html)).not.toContain('A first payment');
  },
);

/** The form of an operation's page, with the values that it offers. */
async function formOf(world: Visitor, operation: string): Promise<Record<string, string>> {
  const { html } = await world.open(`/inspector/api/${operation}`);
  const form = html.split('id="try"')[1]?.split('</form>')[0] ?? '';
  const inputs = [...form.matchAll(/<input type="text" name="([^"]+)" value="([^"]*)"/g)];
  const areas = [...form.matchAll(/<textarea[^>]* name="([^"]+)"[^>]*>([\s\S]*?)<\/textarea>/g)];
  const fields = [...inputs, ...areas].map(([, name = '', value = '']) => [name, unescaped(value).trim()]);
  return { do: 'try', ...Object.fromEntries(fields) };
}

const sendForm = (world: Visitor, path: string, fields: Record<string, string>) =>
  world.ask(path, { method: 'POST', body: new URLSearchParams(fields), headers: { accept: 'text/html' } });

/** The body of the recipient in `docs/first-payment.md`, for the customer that a form is about. */
const euros = (body: string): string => {
  const [recipient = ''] = /-d '\{\n(?: .*\n)*?\s+"accountInfo"[\s\S]*?\n\}'/.exec(PAGE) ?? [];
  const { customerId } = JSON.parse(body);
  return recipient.slice(4, -1).replace(/'"\$CUSTOMER"'|'\$CUSTOMER'/, customerId);
};

test('the way of the inspector in docs/first-payment.md pays 25.00 USD as it stands, and euros as it says (W18)', async () => {
  for (const inEuros of [false, true]) {
    const world = await visitor();
    for (const operation of PATH_OF_PAGES) {
      const form = await formOf(world, operation);
      if (inEuros && operation === 'createCustomerExternalAccount') form['body'] = euros(form['body'] ?? '');
      if (inEuros && operation === 'createQuote')
        form['body'] = JSON.stringify({ ...JSON.parse(form['body'] ?? ''), lockedCurrencyAmount: 12_500 });
      const html = await (await sendForm(world, `/inspector/api/${operation}`, form)).text();
      expect(html, operation).toMatch(/It answered <span class="status good">20[01]</);
    }
    await world.advance('PT1M');
    const [payment] = (await world.get('/transactions', { type: 'OUTGOING' })).body.data;
    expect(payment.status).toBe('COMPLETED');
    expect([payment.sentAmount.amount, payment.sentAmount.currency.code]).toEqual([inEuros ? 12_500 : 2500, 'USD']);
    expect(payment.receivedAmount.currency.code).toBe(inEuros ? 'EUR' : 'USD');
  }
});

test('a replay of the call that executed a quote is 409, and trying once more asks for another quote (W18)', async () => {
  const world = await visitor();
  for (const operation of PATH_OF_PAGES)
    await sendForm(world, `/inspector/api/${operation}`, await formOf(world, operation));
  const replayed = await sendForm(world, '/inspector/requests/req_5', { do: 'replay', against: 'now' });
  expect(textIn(await replayed.text())).toMatch(/409.*QUOTE_ALREADY_EXECUTED/s);
  expect(textIn((await world.open('/inspector/api/executeQuote')).html).replaceAll(/\s+/g, ' ')).toContain(
    'Nothing in this sandbox fits this call now. Create it with createQuote , or replace what stands in angle brackets.',
  );
});
