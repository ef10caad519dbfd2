import { describe, expect, test } from 'vitest';
import { kit } from '../kit/sandbox.ts';
import { agent } from './agent.ts';

async function started() {
  const it = await kit({ seed: 7 });
  const { use } = await agent(it);
  const call = (id: string, sent: object = {}) => use('call_operation', { id, ...sent });
  /** The example of an operation, once the operations were called that make what it lacks, in the order in which it names them. */
  // biome-ignore lint/suspicious/noExplicitAny: an example has the shape of its operation
  const example = async (id: string): Promise<any> => {
    const described = await use('describe_operation', { id });
    if (described.needs === undefined) return described.example;
    expect(described.next).toMatch(
      new RegExp(
        `^first ${described.needs}, .*; then describe_operation again, for an example with its ids; then call_op`,
      ),
    );
    await call(described.needs, await example(described.needs));
    return example(id);
  };
  return { it, use, call, example };
}

const NORTH = { customerType: 'BUSINESS', businessInfo: { legalName: 'North Pier LLC' } };

describe('the next step that a tool names in `next`', () => {
  test('the next step leads from a currency that the platform lacks to a customer who has it', async () => {
    const { use, call } = await started();
    const eur = { body: { ...NORTH, currencies: ['EUR'] } };
    expect((await call('createCustomer', eur)).body.code).toBe('INVALID_CURRENCY');
    expect((await use('why')).next).toContain('updatePlatformConfig {supportedCurrencies} adds one (send all of them)');
    const { body: config } = await call('getPlatformConfig');
    const supportedCurrencies = [...config.supportedCurrencies, { currencyCode: 'EUR' }];
    expect((await call('updatePlatformConfig', { body: { supportedCurrencies } })).status).toBe(200);
    expect((await call('createCustomer', eur)).status).toBe(201);
  });

  test('the next step leads from an empty account to a payout that goes on by itself', async () => {
    const { use, call, example } = await started();
    await call('createCustomer', { body: NORTH });
    const account = await call('createCustomerExternalAccount', await example('createCustomerExternalAccount'));
    expect(account.next).toBe('it is done: it caused no webhook and no job');
    const payout = await example('createTransferOut');
    const dear = { body: { ...payout.body, amount: 50_000_000 } };
    expect((await call('createTransferOut', dear)).body.code).toBe('INSUFFICIENT_BALANCE');
    expect((await use('why')).next).toContain('sandboxFundInternalAccount {accountId, amount} funds the account');
    const { accountId } = payout.body.source;
    await call('sandboxFundInternalAccount', { params: { accountId }, body: { amount: 50_000_000 } });
    const { body, next } = await call('createTransferOut', dear);
    expect([body.status, next]).toEqual(['PENDING', expect.stringContaining('it goes on by itself')]);
  });

  test('the next step leads from a payment that no receiver can accept to one that needs none', async () => {
    const { use, call, example } = await started();
    await call('createCustomer', { body: NORTH });
    expect((await call('sandboxReceive', await example('sandboxReceive'))).body.code).toBe('WEBHOOK_ENDPOINT_NOT_SET');
    expect((await use('why')).next).toContain('Without one, createTransferIn');
    expect((await call('createTransferIn', await example('createTransferIn'))).status).toBe(201);
    expect((await use('webhooks', { act: 'wait', type: 'INCOMING_PAYMENT.COMPLETED' })).event.subject).toMatch(
      /^Trans/,
    );
  });

  test('the next steps follow a card payment: it is collected, then given back, and then nothing is left to do', async () => {
    const { use, call, example } = await started();
    await call('createCustomer', { body: NORTH });
    const card = await example('createCard');
    const accountId = card.body.fundingSources[0];
    await call('sandboxFundInternalAccount', { params: { accountId }, body: { amount: 5000 } });
    expect((await call('createCard', card)).next).toContain('it goes on by itself');
    await use('clock', { act: 'advance', by: '1m' });
    const play = (act: string, amount?: number) => use('play', { as: 'card network', act, amount });
    expect((await play('authorize', 1200)).next).toMatch(/act: "clear".* collects it, act "expire" releases it$/);
    expect((await play('clear')).next).toMatch(/act: "refund".* gives it back$/);
    expect((await play('refund')).next).toBe('it is REFUNDED: webhooks {act: "list"} shows its webhooks');
  });
});
