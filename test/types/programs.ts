import { type Api, defineScenario, type SandboxHandle, startEmulator, type Webhook } from 'sandbox-emulator';
import { WebhookReceiver } from 'sandbox-emulator/testkit';
import type { SandboxFixtures } from 'sandbox-emulator/vitest';

// What programs may write and what they may not, held by the compiler: nothing here is run.
// Every error that is expected has to be there; one more, or one fewer, fails `npm run check`.

/** Compiles only for two types that are the same. */
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const same = <A, B>(_: Same<A, B>): void => {};

declare const sandbox: SandboxHandle;
declare const gridSandbox: SandboxHandle<'grid'>;
declare const anyText: string;

export async function events(): Promise<void> {
  const approved = await sandbox.webhooks.waitFor('CUSTOMER.KYC_APPROVED');
  same<typeof approved, Webhook<'CUSTOMER.KYC_APPROVED'>>(true);
  same<typeof approved.data, Api.IndividualCustomer>(true);
  await sandbox.webhooks.waitFor('CUSTOMER.KYB_APPROVED', { where: ({ data }) => data.businessInfo !== undefined });
  // @ts-expect-error a customer has no balance
  approved.data.balance;
  // @ts-expect-error a type that is misspelt
  await sandbox.webhooks.waitFor('CUSTOMER.KYC_APROVED');
  // @ts-expect-error a type of profile grid only
  await sandbox.webhooks.waitFor('VERIFICATION.APPROVED');

  await sandbox.webhooks.waitFor('CARD.STATE_CHANGE', { timeoutMs: 100, where: ({ data }) => data.state === 'ACTIVE' });
  // @ts-expect-error a state that no card has
  await sandbox.webhooks.waitFor('CARD.STATE_CHANGE', { where: ({ data }) => data.state === 'OPEN' });

  const unknown = await sandbox.webhooks.waitFor(anyText, { where: (event) => event.type !== 'TEST' });
  same<typeof unknown.data, unknown>(true);

  const either = await sandbox.webhooks.waitFor(anyText as 'CARD.STATE_CHANGE' | 'OUTGOING_PAYMENT.COMPLETED');
  same<typeof either.data, Api.Card | Api.OutgoingTransaction>(true);
}

export async function eventsOfGrid(): Promise<void> {
  const verified = await gridSandbox.webhooks.waitFor('VERIFICATION.APPROVED');
  same<typeof verified.data.verificationStatus, import('sandbox-emulator').GridApi.VerificationStatus>(true);
  // @ts-expect-error a type that the profile does not tell
  await gridSandbox.webhooks.waitFor('OUTGOING_PAYMENT');

  const emulator = await startEmulator({ profile: 'grid', port: 0 });
  same<typeof emulator.sandbox, SandboxHandle<'grid'>>(true);
  const other = await emulator.createSandbox();
  same<typeof other, SandboxHandle<'grid'>>(true);
  const plain = await startEmulator();
  same<typeof plain.sandbox, SandboxHandle>(true);
  same<typeof plain.sandbox, typeof emulator.sandbox>(false);
}

export async function calls(): Promise<void> {
  const made = await sandbox.call('createCustomer', { body: { customerType: 'INDIVIDUAL', fullName: 'Ada Keller' } });
  if (made.status === 201) same<typeof made.body, Api.Customer>(true);
  else if (made.status === 400) same<typeof made.body, Api.Error400>(true);
  else if (made.status === 502) same<typeof made.body, Api.OtherError>(true);
  // @ts-expect-error the body depends on the status
  made.body.customerType;
  // @ts-expect-error no operation answers this
  if (made.status === 299) made.body;
  // @ts-expect-error an operation that there is not
  await sandbox.call('createCustomr', { body: { customerType: 'INDIVIDUAL' } });
  // @ts-expect-error a body is asked for
  await sandbox.call('createCustomer');
  // @ts-expect-error a kind of customer that there is not
  await sandbox.call('createCustomer', { body: { customerType: 'PERSON' } });
  // @ts-expect-error a member that is misspelt
  await sandbox.call('createCustomer', { body: { customerType: 'INDIVIDUAL', fulName: 'Ada Keller' } });

  const listed = await sandbox.call('listTransactions', { query: { limit: 10, status: 'COMPLETED' } });
  if (listed.status === 200) for (const { id } of listed.body.data) id.toUpperCase();
  await sandbox.call('listTransactions');
  // @ts-expect-error a parameter that the operation does not have
  await sandbox.call('listTransactions', { query: { limits: 10 } });
  // @ts-expect-error the path has a parameter
  await sandbox.call('getQuoteById');
  // @ts-expect-error that is named otherwise
  await sandbox.call('getQuoteById', { params: { id: 'Quote:1' } });
  await sandbox.call('getQuoteById', { params: { quoteId: 'Quote:1' }, headers: { 'Accept-Language': 'en' } });

  const gone = await sandbox.call('deleteTokenById', { params: { tokenId: 'Token:1' } });
  if (gone.status === 204) same<typeof gone.body, null>(true);
  const text = { name: 'id.txt', text: 'passport' };
  await sandbox.call('uploadDocument', {
    body: { documentHolder: 'Customer:1', documentType: 'PASSPORT', country: 'US', documentNumber: '1', file: text },
  });

  const unknown = await sandbox.call(anyText, { body: { any: 'thing' } });
  same<typeof unknown.body, unknown>(true);

  // A body may say that it leaves a member out, and that it is not to be changed.
  const fullName = anyText === '' ? undefined : anyText;
  const body: Api.CustomerCreateRequest = { customerType: 'INDIVIDUAL', fullName, currencies: ['USD'] as const };
  const answer = await gridSandbox.call('createCustomer', { body, headers: { 'X-Trace': undefined } });
  if (answer.status === 201) same<typeof answer.body, import('sandbox-emulator').GridApi.Customer>(true);
}

export async function scenarios(): Promise<void> {
  const scenario = defineScenario({
    title: 'Two customers and a card',
    platform: { currencies: [{ code: 'USD', minAmount: 1 }, { code: 'USDB' }], accounts: { USD: 1_000_000 } },
    policies: { 'customer.decide': 'after 2s', 'transaction.settle': 'hold', 'card.pull': 'at once' },
    limits: { quoteSeconds: 60, dailyVolume: { 'USD/MXN': 5_000 } },
    clock: { now: new Date(0), mode: 'held' },
    customers: [{ label: 'ada', customerType: 'INDIVIDUAL', fullName: 'Ada Keller', accounts: { USD: 100 } }],
    externalAccounts: [
      {
        label: 'bank',
        customer: 'ada',
        currency: 'MXN',
        accountInfo: {
          accountType: 'MXN_ACCOUNT',
          clabeNumber: '646180157000004501',
          beneficiary: { beneficiaryType: 'INDIVIDUAL', fullName: 'Nora Lind' },
        },
      },
    ],
    cards: [{ customer: 'ada', state: 'FROZEN' }],
    faults: [
      { match: { operation: 'createQuote', times: 1 }, then: { status: 503 } },
      { match: { webhook: 'CUSTOMER.*' }, then: { duplicate: true } },
      { match: { webhook: 'VERIFICATION.APPROVED' }, then: { drop: true } },
    ],
  });
  await startEmulator({ scenario: ['wallet', scenario, 'my-own.yaml', anyText] });
  await (await startEmulator({ scenario })).createSandbox({ scenario, seed: 1 });

  // @ts-expect-error a key that no scenario has
  defineScenario({ customer: [] });
  // @ts-expect-error a kind of work that there is not
  defineScenario({ policies: { 'customer.decided': 'hold' } });
  // @ts-expect-error no policy
  defineScenario({ policies: { 'customer.decide': 'later' } });
  // @ts-expect-error a limit that there is not
  defineScenario({ limits: { quoteSecond: 60 } });
  // @ts-expect-error a currency that there is not
  defineScenario({ platform: { currencies: [{ code: 'USX' }] } });
  // @ts-expect-error a member that no customer has
  defineScenario({ customers: [{ customerType: 'INDIVIDUAL', fulName: 'Ada Keller' }] });
  // @ts-expect-error an operation that there is not
  defineScenario({ faults: [{ match: { operation: 'createQuotes' }, then: { status: 503 } }] });
  // @ts-expect-error an event that there is not
  defineScenario({ faults: [{ match: { webhook: 'CUSTOMER.KYC' }, then: { drop: true } }] });
  // @ts-expect-error checked where it is written, also without defineScenario
  await startEmulator({ scenario: { clock: { mode: 'helt' } } });
  // @ts-expect-error and in a list
  await startEmulator({ scenario: ['wallet', { clocks: {} }] });
  // @ts-expect-error and for a sandbox
  await (await startEmulator()).createSandbox({ scenario: { limits: { quotes: 1 } } });
}

export function faults(): void {
  sandbox.faults.add({ match: { operation: 'createQuote', method: 'POST' }, then: { status: 503, retryAfter: 1 } });
  sandbox.faults.add({ match: { webhook: 'OUTGOING_PAYMENT.*' }, then: { reorder: true }, probability: 0.5 });
  sandbox.faults.add({ then: { delayMs: 100 } });
  // @ts-expect-error an operation that there is not
  sandbox.faults.add({ match: { operation: 'createQuotes' }, then: { status: 503 } });
  // @ts-expect-error an effect on webhooks, for a call
  sandbox.faults.add({ match: { operation: 'createQuote' }, then: { duplicate: true } });
}

export async function receivers(): Promise<void> {
  const receiver = await WebhookReceiver.start();
  const { event } = await receiver.waitFor('INTERNAL_ACCOUNT.BALANCE_UPDATED', {
    where: ({ data }) => data.balance.amount > 0,
  });
  same<typeof event.data, Api.InternalAccount>(true);
  same<typeof event.type, 'INTERNAL_ACCOUNT.BALANCE_UPDATED'>(true);
  const paid = await receiver.next('INCOMING_PAYMENT.COMPLETED');
  same<typeof paid.event.data, Api.IncomingPayment>(true);
  const whatever = await receiver.next();
  whatever.event.data.anything.at.all;
  receiver.deliveries[0]?.event.data.anything;
  await receiver.waitFor(anyText);
  // @ts-expect-error a type that is misspelt
  await receiver.waitFor('INCOMING_PAYMENT.COMPLETE');
  // @ts-expect-error a type that is misspelt
  await receiver.next('INCOMING_PAYMENT.COMPLETE');
  const grid = await WebhookReceiver.start<'grid'>();
  await grid.next('VERIFICATION.REJECTED');
}

export async function fixtures({ sandbox, emulator }: SandboxFixtures): Promise<void> {
  same<typeof sandbox, SandboxHandle>(true);
  await (await emulator.createSandbox()).call('listCustomers');
  // @ts-expect-error a type that is misspelt
  await sandbox.webhooks.waitFor('CUSTOMER.APPROVED');
}

export async function fixturesOfGrid({ sandbox }: SandboxFixtures<'grid'>): Promise<void> {
  await sandbox.webhooks.waitFor('VERIFICATION.APPROVED');
}
