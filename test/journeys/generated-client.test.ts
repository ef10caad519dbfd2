import { expect, test } from 'vitest';
import { PROFILES } from '../../src/contract/profile.ts';
import { eventBeyondContract, replyBeyondContract } from '../kit/contract.ts';
import { type Answered, generatedClient, schemaOfEvent } from '../kit/generated-client.ts';
import { leaveQuoteWaiting, within } from '../kit/live.ts';
import { client, commandLine } from '../kit/process.ts';
import { type Received, receiver, signedBy } from '../kit/receiver.ts';
import { operationAt } from '../kit/seen.ts';

const { grid } = PROFILES;

/** Passes a request on, and holds the reply against the public contract with closed shapes and number formats. */
async function held(request: Request, baseUrl: string): Promise<Response> {
  const response = await fetch(request);
  const path = request.url.slice(baseUrl.length);
  const operation = operationAt(request.method, path);
  if (!operation) throw new Error(`no operation is at ${path}`);
  const text = await response.clone().text();
  const body = text === '' ? undefined : JSON.parse(text);
  expect(replyBeyondContract(grid, operation, response.status, body), operation).toBe(undefined);
  return response;
}

test('a client generated from the public contract, with validation at run time, onboards, pays and gets the webhook (K5)', async () => {
  const program = await generatedClient();
  const hooks = await receiver();
  const emulator = commandLine(['--json', '--port', '0', '--profile', 'grid', '--webhook-url', hooks.url]);
  const ready = await emulator.ready();
  const { baseUrl, credentials, webhookPublicKey } = ready;
  await leaveQuoteWaiting(client(ready));
  const auth = () => `${credentials.id}:${credentials.secret}`;
  const generated = program.createClient({ baseUrl, auth, fetch: (request) => held(request, baseUrl) });
  const call = async (operation: string, options: object = {}): Promise<Answered['data']> => {
    const { [operation]: run } = program.sdk;
    if (!run) throw new Error(`the program has no ${operation}`);
    const { data, error, response } = await run({ client: generated, ...options });
    expect(error, `${operation} ${response.status}`).toBe(undefined);
    return data;
  };
  const told = (type: string): Promise<Received> =>
    within(type, () => hooks.received.find(({ event }) => event.type === type));

  const customer = await call('createCustomer', {
    body: {
      customerType: 'INDIVIDUAL',
      platformCustomerId: 'gina',
      fullName: 'Gina Doe',
      birthDate: '1990-01-02',
      nationality: 'US',
      address: { line1: '1 Main Street', city: 'Austin', state: 'TX', postalCode: '78701', country: 'US' },
    },
  });
  const path = { customerId: customer.id };
  await call('createCustomerKycLink', { path, body: { redirectUri: 'https://platform.example/done' } });
  await told('CUSTOMER.KYC_APPROVED');
  expect(await call('getCustomerById', { path })).toMatchObject({ fullName: 'Gina Doe', kycStatus: 'APPROVED' });

  const { data: accounts } = await call('listCustomerInternalAccounts', { query: { ...path, currency: 'USD' } });
  const [usd] = accounts;
  await call('sandboxFundInternalAccount', { path: { accountId: usd.id }, body: { amount: 100_000 } });
  const bank = await call('createCustomerExternalAccount', {
    body: {
      ...path,
      currency: 'MXN',
      accountInfo: {
        accountType: 'MXN_ACCOUNT',
        clabeNumber: '646180157000004501',
        beneficiary: { beneficiaryType: 'INDIVIDUAL', fullName: 'Nora Lind' },
      },
    },
  });
  const quote = await call('createQuote', {
    body: {
      source: { sourceType: 'ACCOUNT', accountId: usd.id },
      destination: { destinationType: 'ACCOUNT', accountId: bank.id },
      lockedCurrencySide: 'SENDING',
      lockedCurrencyAmount: 1_234,
    },
  });
  // What the program refuses: a fee that is a fraction.
  const spoilt = program.createClient({
    baseUrl,
    auth,
    fetch: async (request) => {
      const told = (await (await fetch(request)).json()) as object;
      return Response.json({ ...told, feesIncluded: 6.17 });
    },
  });
  const read = (through: object) => program.sdk['getQuoteById']?.({ client: through, path: { quoteId: quote.id } });
  await expect(read(generated)).resolves.toMatchObject({ data: { feesIncluded: quote.feesIncluded } });
  await expect(read(spoilt)).rejects.toThrow('feesIncluded');

  await call('executeQuote', { path: { quoteId: quote.id } });
  await told('OUTGOING_PAYMENT.COMPLETED');
  const payment = await call('getTransactionById', { path: { transactionId: quote.transactionId } });
  expect(payment).toMatchObject({
    status: 'COMPLETED',
    quoteId: quote.id,
    sentAmount: { amount: quote.totalSendingAmount },
    receivedAmount: { amount: quote.totalReceivingAmount },
  });
  const { data: left } = await call('listCustomerInternalAccounts', { query: { ...path, currency: 'USD' } });
  expect(left[0].balance.amount).toBe(100_000 - quote.totalSendingAmount);

  expect(new Set(hooks.types())).toEqual(
    new Set([
      'CUSTOMER.KYC_APPROVED',
      'INTERNAL_ACCOUNT.BALANCE_UPDATED',
      'INCOMING_PAYMENT.COMPLETED',
      'OUTGOING_PAYMENT.PENDING',
      'OUTGOING_PAYMENT.PROCESSING',
      'OUTGOING_PAYMENT.COMPLETED',
    ]),
  );
  for (const delivery of hooks.received) {
    const { event } = delivery;
    expect(signedBy(webhookPublicKey, delivery, grid.webhookSignatureHeader.toLowerCase()), event.type).toBe(true);
    expect(schemaOfEvent(program, event.type).safeParse(event).error, event.type).toBe(undefined);
    expect(eventBeyondContract(grid, event), event.type).toBe(undefined);
  }
});
