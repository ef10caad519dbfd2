import { expect } from 'vitest';
import type { Kit } from '../../kit/sandbox.ts';
import type { Scripted } from './scripted.ts';

// biome-ignore lint/suspicious/noExplicitAny: what one task hands from doing to proof
type Done = any;

/** A task as a person tells it: the sandbox that it begins in, how the agent goes about it, and the proof that it is done. */
export interface Task {
  readonly told: string;
  readonly scenario: string | object;
  /** The history of the sandbox before the agent begins. */
  readonly before?: (it: Kit) => Promise<unknown>;
  readonly go: (agent: Scripted) => Promise<Done>;
  readonly proof: (it: Kit, done: Done) => Promise<void> | void;
}

const IBAN = { accountType: 'EUR_ACCOUNT', iban: 'DE89370400440532013000' };
const ADA = {
  platform: {
    regulated: false,
    umaDomain: 'pay.example',
    accounts: { USD: 5_000_000, EUR: 5_000_000 },
    currencies: [{ code: 'USD' }, { code: 'EUR' }, { code: 'USDB' }],
  },
  customers: [
    {
      label: 'ada',
      customerType: 'INDIVIDUAL',
      fullName: 'Ada Keller',
      email: 'ada@example.com',
      birthDate: '1990-01-02',
      kycStatus: 'APPROVED',
      accounts: { USD: 100_000, EUR: 50_000 },
    },
    { label: 'ben', customerType: 'INDIVIDUAL', fullName: 'Ben Ode', birthDate: '1991-03-04', kycStatus: 'PENDING' },
  ],
  externalAccounts: [
    {
      label: 'german',
      customer: 'ada',
      currency: 'EUR',
      accountInfo: {
        ...IBAN,
        beneficiary: { beneficiaryType: 'INDIVIDUAL', fullName: 'Ada Keller', countryOfResidence: 'DE' },
      },
    },
  ],
};

const balanceOf = async (it: Kit, id: string): Promise<number> =>
  (await it.get('/customers/internal-accounts')).body.data.find((one: { id: string }) => one.id === id).balance.amount;

/** The two ends of a payment by Ada to her German bank. */
async function ends(agent: Scripted, currency: string): Promise<Done> {
  const ada = await agent.row('customers', 'Ada Keller');
  const from = await agent.row('accounts', ada.id, `"${currency}"`);
  return { from: from.id, to: (await agent.row('external-accounts', ada.id, 'EUR_ACCOUNT')).id };
}

/** A payment that failed at the bank, made before the agent begins. */
async function failedPayout(it: Kit): Promise<void> {
  const [from] = (await it.get('/platform/internal-accounts')).body.data;
  const { body: to } = await it.post('/platform/external-accounts', {
    currency: 'USD',
    accountInfo: {
      ...{ accountType: 'USD_ACCOUNT', accountNumber: '123456789002', routingNumber: '021000021' },
      beneficiary: { beneficiaryType: 'INDIVIDUAL', fullName: 'Bo Lind' },
    },
  });
  const { body: quote } = await it.post('/quotes', {
    source: { sourceType: 'ACCOUNT', accountId: from.id },
    destination: { destinationType: 'ACCOUNT', accountId: to.id },
    lockedCurrencySide: 'SENDING',
    lockedCurrencyAmount: 2500,
  });
  await it.post(`/quotes/${quote.id}/execute`, {});
  await it.advance('P7D');
}

const made = (it: Kit, json: object) => it.post('/customers', json);

/** A payment that waits for the proof of its customer, who is under strong customer authentication. */
async function owesProof(it: Kit): Promise<void> {
  const [nora] = (await it.get('/customers?platformCustomerId=nora')).body.data;
  const [from] = (await it.get(`/customers/internal-accounts?customerId=${nora.id}&currency=EUR`)).body.data;
  const [to] = (await it.get(`/customers/external-accounts?customerId=${nora.id}`)).body.data;
  const { body: quote } = await it.post('/quotes', {
    source: { sourceType: 'ACCOUNT', accountId: from.id },
    destination: { destinationType: 'ACCOUNT', accountId: to.id },
    lockedCurrencySide: 'SENDING',
    lockedCurrencyAmount: 2500,
  });
  await it.post(`/quotes/${quote.id}/execute`, {});
}

export const TASKS: readonly Task[] = [
  {
    told: 'Send 25 dollars from Ada to her German bank account, and prove that they arrived',
    scenario: ADA,
    go: async (agent) => {
      const { from, to } = await ends(agent, 'USD');
      const { body: quote } = await agent.do('send money abroad', {
        'body.source': { sourceType: 'ACCOUNT', accountId: from },
        'body.destination': { destinationType: 'ACCOUNT', accountId: to },
        'body.lockedCurrencySide': 'SENDING',
        'body.lockedCurrencyAmount': 2500,
      });
      await agent.do('confirm the payment', { 'params.quoteId': quote.id });
      const { event } = await agent.wait('OUTGOING_PAYMENT.COMPLETED', quote.transactionId);
      return { quote, event };
    },
    proof: async (it, { quote, event }) => {
      expect(event.payload.data).toMatchObject({ id: quote.transactionId, status: 'COMPLETED' });
      expect((await it.get(`/transactions/${quote.transactionId}`)).body.status).toBe('COMPLETED');
    },
  },
  {
    told: 'Find out why the last payout failed',
    scenario: ADA,
    before: failedPayout,
    go: async (agent) => {
      const [last] = (await agent.do('payment history', { 'query.status': 'FAILED' })).body.data;
      return agent.use('read_state', { id: last.id });
    },
    proof: (_, done) => expect(done.resource.failureReason).toEqual(expect.any(String)),
  },
  {
    told: 'Make the next three calls fail with 503',
    scenario: ADA,
    go: (agent) =>
      agent.use('faults', { act: 'add', fault: { match: { path: '/**', times: 3 }, then: { status: 503 } } }),
    proof: async (it) => {
      const statuses: number[] = [];
      for (let call = 0; call < 4; call += 1) statuses.push((await it.get('/customers')).status);
      expect(statuses).toEqual([503, 503, 503, 200]);
    },
  },
  {
    told: 'Refund the card purchase at the café',
    scenario: 'cards',
    go: async (agent) => {
      const purchase = await agent.row('transactions', 'NORTH PIER CAFE');
      return agent.use('play', { as: 'card network', act: 'refund', payment: purchase.id });
    },
    proof: (_, { payment }) => expect(payment.status).toBe('REFUNDED'),
  },
  {
    told: 'Approve the customer that waits',
    scenario: ADA,
    go: async (agent) => {
      const { id } = await agent.row('customers', '"PENDING"');
      return agent.use('decide', { id, answer: { decision: 'APPROVED' } });
    },
    proof: async (it, { resource }) =>
      expect((await it.get(`/customers/${resource.id}`)).body).toMatchObject({
        fullName: 'Ben Ode',
        kycStatus: 'APPROVED',
      }),
  },
  {
    told: 'Reject the customer that waits',
    scenario: ADA,
    go: async (agent) => {
      const { id } = await agent.row('customers', '"PENDING"');
      const { choices } = await agent.use('decide', { id });
      const reject = choices.find(({ label }: { label: string }) => label === 'Reject');
      return agent.use('decide', { id, answer: reject.body });
    },
    proof: (_, { resource }) => expect(resource.kycStatus).toBe('REJECTED'),
  },
  {
    told: 'Sign up a new customer called Dora Lind',
    scenario: ADA,
    go: (agent) => agent.do('sign up a new customer', { 'body.fullName': 'Dora Lind' }),
    proof: async (it, { body }) => expect((await it.get(`/customers/${body.id}`)).body.fullName).toBe('Dora Lind'),
  },
  {
    told: 'Add a German bank account for Ada',
    scenario: ADA,
    go: async (agent) => {
      const ada = await agent.row('customers', 'Ada Keller');
      return agent.do('add a bank account for a customer', {
        'body.customerId': ada.id,
        'body.currency': 'EUR',
        'body.accountInfo': {
          ...IBAN,
          iban: 'DE02120300000000202051',
          beneficiary: { beneficiaryType: 'INDIVIDUAL', fullName: 'Ada Keller', countryOfResidence: 'DE' },
        },
      });
    },
    proof: async (it, { body }) =>
      expect((await it.get(`/customers/external-accounts/${body.id}`)).body.currency).toBe('EUR'),
  },
  {
    told: 'How much money does Ada have?',
    scenario: ADA,
    go: async (agent) => {
      const ada = await agent.row('customers', 'Ada Keller');
      return agent.do('how much money does a customer have', { 'query.customerId': ada.id });
    },
    proof: (_, { body }) =>
      expect(body.data.map(({ balance }: Done) => `${balance.amount} ${balance.currency.code}`).sort()).toEqual(
        expect.arrayContaining(['100000 USD', '50000 EUR']),
      ),
  },
  {
    told: "Put 500 dollars of test money on Ada's account",
    scenario: ADA,
    go: async (agent) => {
      const ada = await agent.row('customers', 'Ada Keller');
      const { id } = await agent.row('accounts', ada.id, '"USD"');
      await agent.do('put test money on an account', { 'params.accountId': id, 'body.amount': 50_000 });
      return id;
    },
    proof: async (it, id) => expect(await balanceOf(it, id)).toBe(150_000),
  },
  {
    told: "Block Ana's stolen card",
    scenario: 'cards',
    go: async (agent) => {
      const { id } = await agent.row('cards', 'emp-77-4821');
      return agent.do('block a stolen card', { 'params.id': id, 'body.state': 'FROZEN' });
    },
    proof: async (it, { body }) => expect((await it.get(`/cards/${body.id}`)).body.state).toBe('FROZEN'),
  },
  {
    told: 'Issue a virtual card',
    scenario: 'cards',
    go: (agent) => agent.do('issue a virtual card'),
    proof: async (it, { body }) => expect((await it.get(`/cards/${body.id}`)).status).toBe(200),
  },
  {
    told: "Show the number of Ana's card",
    scenario: 'cards',
    go: async (agent) => {
      const { id } = await agent.row('cards', 'emp-77-4821');
      return agent.do('show the card number', { 'params.id': id });
    },
    proof: (_, { status, body }) =>
      expect([status, JSON.stringify(body)]).toEqual([200, expect.stringMatching(/https?:/)]),
  },
  {
    told: "Buy a coffee for 4.50 with Ana's card, and let the shop collect it",
    scenario: 'cards',
    go: async (agent) => {
      const { id: of } = await agent.row('cards', 'emp-77-4821');
      await agent.use('play', { as: 'card network', act: 'authorize', of, amount: 450, merchant: 'COFFEE' });
      return agent.use('play', { as: 'card network', act: 'clear', of });
    },
    proof: (_, { payment }) => expect(payment).toMatchObject({ status: 'SETTLED', settledAmount: { amount: 450 } }),
  },
  {
    told: 'Log in to the wallet of Zoe by email',
    scenario: 'wallet',
    go: (agent) => agent.use('play', { as: 'wallet', act: 'log_in', with: 'email' }),
    proof: async (it, { session }) =>
      expect((await it.get(`/auth/sessions?accountId=${session.accountId}`)).body.data.length).toBe(1),
  },
  {
    told: 'Export the seed phrase of the wallet',
    scenario: 'wallet',
    go: async (agent) => {
      await agent.use('play', { as: 'wallet', act: 'log_in' });
      return agent.use('play', { as: 'wallet', act: 'export' });
    },
    proof: (_, { mnemonic }) => expect(mnemonic.split(' ').length).toBe(12),
  },
  {
    told: 'Give Zoe a passkey, and log in with it',
    scenario: 'wallet',
    go: async (agent) => {
      await agent.use('play', { as: 'wallet', act: 'log_in' });
      await agent.use('play', { as: 'passkey', act: 'register' });
      return agent.use('play', { as: 'passkey', act: 'log_in' });
    },
    proof: (_, { session }) => expect(session.type).toBe('PASSKEY'),
  },
  {
    told: 'Pay a thousandth of a coin from the wallet of Zoe',
    scenario: 'wallet',
    go: async (agent) => {
      const wallet = await agent.row('accounts', 'EMBEDDED_WALLET');
      const to = await agent.do('add a wallet address of a recipient', {
        'body.customerId': wallet.customerId,
        'body.currency': 'USDB',
        'body.accountInfo': {
          accountType: 'SPARK_WALLET',
          address: 'spark1pgssyuuuhnrrdjswal5c3s3rafw9w3y5dd4cjy3duxlf7hjzkp0rqx6dj6mrhu',
        },
      });
      const quote = await agent.do('start a payment', {
        'body.source': { sourceType: 'ACCOUNT', accountId: wallet.id },
        'body.destination': { destinationType: 'ACCOUNT', accountId: to.body.id },
        'body.lockedCurrencySide': 'SENDING',
        'body.lockedCurrencyAmount': 100_000,
      });
      const { next } = await agent.do('confirm the payment', { 'params.quoteId': quote.body.id });
      expect(next).toContain('play {as: "wallet"');
      await agent.use('play', { as: 'wallet', act: 'log_in' });
      return agent.use('play', { as: 'wallet', act: 'pay', quote: quote.body.id });
    },
    proof: async (it, { quote }) => expect((await it.get(`/quotes/${quote.id}`)).body.status).toBe('COMPLETED'),
  },
  {
    told: 'Authorize the payment that waits for its customer',
    scenario: 'sca',
    before: owesProof,
    go: async (agent) => {
      const { id: quote } = await agent.row('quotes', 'PENDING_AUTHORIZATION');
      return agent.use('play', { as: 'authenticator', act: 'authorize', quote });
    },
    proof: (_, { quote }) => expect(quote.status).toBe('PROCESSING'),
  },
  {
    told: 'Set up an authenticator app for Nora, and log in with it',
    scenario: 'sca',
    go: async (agent) => {
      const { id: of } = await agent.row('customers', 'Nora Lind');
      await agent.use('play', { as: 'authenticator', act: 'enrol', of, with: 'app' });
      await agent.use('clock', { act: 'advance', by: '30s' });
      return agent.use('play', { as: 'authenticator', act: 'log_in', of, with: 'app' });
    },
    proof: (_, { session }) => expect(session.sessionExpiresAt).toEqual(expect.any(String)),
  },
  {
    told: 'Send webhooks to my server, and check that it is reached',
    scenario: ADA,
    go: async (agent) => {
      await agent.use('webhooks', { act: 'set_endpoint', url: 'http://127.0.0.1:9/hooks' });
      return agent.use('webhooks', { act: 'wait', type: 'TEST' });
    },
    proof: (_, { event }) => expect(event.type).toBe('TEST'),
  },
  {
    told: 'Make it happen that a customer is approved, and show the webhook',
    scenario: ADA,
    go: async (agent) => {
      await agent.use('webhooks', { act: 'trigger', type: 'CUSTOMER.KYC_APPROVED' });
      return agent.use('webhooks', { act: 'wait', type: 'CUSTOMER.KYC_APPROVED' });
    },
    proof: (_, { event }) => expect(event.payload.data.kycStatus).toBe('APPROVED'),
  },
  {
    told: 'Go on to tomorrow',
    scenario: ADA,
    go: (agent) => agent.use('clock', { act: 'advance', by: '1d' }),
    proof: (_, { now }) => expect(now).toBe('2026-01-06T09:00:00.000Z'),
  },
  {
    told: 'Keep the state, delete Ada, and bring her back',
    scenario: ADA,
    go: async (agent) => {
      const { id } = await agent.row('customers', 'Ben Ode');
      await agent.use('snapshots', { act: 'keep', name: 'before' });
      await agent.do('delete a customer', { 'params.customerId': id });
      await agent.use('snapshots', { act: 'restore', name: 'before' });
      return id;
    },
    proof: async (it, id) => expect((await it.get(`/customers/${id}`)).status).toBe(200),
  },
  {
    told: 'Try a change in a copy of the sandbox, and leave this one as it is',
    scenario: ADA,
    go: async (agent) => {
      const { sandbox } = await agent.use('snapshots', { act: 'fork' });
      const { id } = await agent.row('customers', 'Ben Ode');
      await agent.use('decide', { id, answer: { decision: 'APPROVED' }, sandbox });
      return { id, there: await agent.use('read_state', { id, path: 'resource.kycStatus', sandbox }) };
    },
    proof: async (it, { id, there }) => {
      expect(there['resource.kycStatus']).toBe('APPROVED');
      expect((await it.get(`/customers/${id}`)).body.kycStatus).toBe('PENDING');
    },
  },
  {
    told: 'Say why my last call was refused',
    scenario: ADA,
    before: (it) => made(it, { customerType: 'PERSON' }),
    go: (agent) => agent.use('why'),
    proof: (_, { why }) => expect(why.fields[0].field).toBe('customerType'),
  },
  {
    told: 'See whether the refused call would pass with another body, without changing anything',
    scenario: ADA,
    before: (it) => made(it, { customerType: 'PERSON' }),
    go: async (agent) => {
      const { id } = await agent.use('why');
      const body = { customerType: 'INDIVIDUAL', fullName: 'Eva Roth' };
      return agent.use('replay', { request: id, against: 'fork', body });
    },
    proof: async (it, done) => {
      expect(JSON.stringify(done)).toContain('201');
      expect((await it.get('/customers')).body.data.length).toBe(2);
    },
  },
  {
    told: 'Write down the calls that were made as a shell script',
    scenario: ADA,
    before: (it) => made(it, { customerType: 'INDIVIDUAL', fullName: 'Eva Roth' }),
    go: async (agent) => {
      const { lastRequests } = await agent.use('overview');
      const [request] = lastRequests[0].split(' ');
      return agent.use('record', { requests: [request], as: 'shell' });
    },
    proof: (_, { text }) => {
      expect(text).toContain('Eva Roth');
    },
  },
  {
    told: 'What is a dollar worth in euros?',
    scenario: ADA,
    go: (agent) => agent.do('exchange rate of dollars in euros', { 'query.sourceCurrency': 'USD' }),
    proof: (_, { body }) => {
      expect(JSON.stringify(body)).toContain('EUR');
    },
  },
  {
    told: 'Which currencies does the platform support?',
    scenario: ADA,
    go: (agent) => agent.do('supported currencies'),
    proof: (_, { body }) => {
      expect(JSON.stringify(body)).toContain('USDB');
    },
  },
  {
    told: 'Invite a friend of Ada',
    scenario: ADA,
    go: (agent) => agent.do('invite a friend'),
    proof: (_, { status }) => expect(status).toBe(201),
  },
  {
    told: 'Make another API key',
    scenario: ADA,
    go: (agent) => agent.do('create an api key'),
    proof: (_, { status, body }) => expect([status, body.id]).toEqual([201, expect.any(String)]),
  },
  {
    told: 'Let an AI agent spend for a customer',
    scenario: ADA,
    go: (agent) => agent.do('let an AI agent spend'),
    proof: async (it) => expect((await it.get('/agents')).body.data.length).toBe(1),
  },
  {
    told: 'Change the email address of Ben',
    scenario: ADA,
    go: async (agent) => {
      const { id } = await agent.row('customers', 'Ben Ode');
      return agent.do('change an email address', { 'params.customerId': id, 'body.email': 'ben@new.example' });
    },
    proof: (_, { body }) => expect(body.email).toBe('ben@new.example'),
  },
  {
    told: 'Collect money from a bank account of Ada',
    scenario: ADA,
    go: (agent) => agent.do('collect money from a bank account by direct debit'),
    proof: (_, { status }) => expect(status).toBe(201),
  },
  {
    told: 'Pay out 10 euros from Ada to her own bank',
    scenario: ADA,
    go: async (agent) => {
      const { from, to } = await ends(agent, 'EUR');
      const { body } = await agent.do('pay out to a bank account', {
        'body.source': { accountId: from },
        'body.destination': { accountId: to },
        'body.amount': 1000,
      });
      return agent.wait('OUTGOING_PAYMENT.COMPLETED', body.id);
    },
    proof: async (it, { event }) =>
      expect((await it.get(`/transactions/${event.payload.data.id}`)).body).toMatchObject({
        status: 'COMPLETED',
        sentAmount: { amount: 1000 },
      }),
  },
  {
    told: 'How do I check the signature of a webhook?',
    scenario: ADA,
    go: (agent) => agent.use('read_docs', { query: 'check the signature of a webhook' }),
    proof: (_, { sections }) => expect(sections[0]).toMatchObject({ page: 'docs/webhooks' }),
  },
  {
    told: 'Which account number makes a payout fail?',
    scenario: ADA,
    go: (agent) => agent.use('read_docs', { query: 'account number that makes a payout fail' }),
    proof: (_, { sections }) => expect(sections.map(({ page }: Done) => page)).toContain('docs/magic-values'),
  },
  {
    told: 'Lose the reply to the next payment, to see that my code does not pay twice',
    scenario: ADA,
    go: async (agent) => {
      const operation = await agent.find('confirm the payment');
      return agent.use('faults', {
        act: 'add',
        fault: { match: { operation, times: 1 }, then: { drop: true, when: 'after' } },
      });
    },
    proof: (_, { added }) => expect(added.match.operation).toBe('executeQuote'),
  },
  {
    told: 'Read the login code that was sent to Zoe',
    scenario: 'wallet',
    go: async (agent) => {
      await agent.do('send a login code by email');
      return agent.use('sent_codes');
    },
    proof: (_, { codes }) => expect(codes[0]).toMatchObject({ channel: 'email', code: '000000' }),
  },
];
