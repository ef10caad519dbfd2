import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Kit, kit } from '../kit/sandbox.ts';
import { agent } from './agent.ts';

async function started(scenario: string | object) {
  const it = await kit({ scenario: scenario as never });
  const { use } = await agent(it);
  return { it, use, play: (as: string, act: string, more: object = {}) => use('play', { as, act, ...more }) };
}

const customerOf = async (it: Kit, name: string): Promise<string> =>
  (await it.get(`/customers?platformCustomerId=${name}`)).body.data[0].id;

describe('the owner of a wallet (G7)', () => {
  /** A quote that the only wallet pays. */
  async function quoted(it: Kit): Promise<string> {
    const [wallet] = (await it.get('/customers/internal-accounts?type=EMBEDDED_WALLET')).body.data;
    const to = await it.post('/customers/external-accounts', {
      customerId: wallet.customerId,
      currency: 'USDB',
      accountInfo: {
        accountType: 'SPARK_WALLET',
        address: 'spark1pgssyuuuhnrrdjswal5c3s3rafw9w3y5dd4cjy3duxlf7hjzkp0rqx6dj6mrhu',
      },
    });
    const quote = await it.post('/quotes', {
      source: { sourceType: 'ACCOUNT', accountId: wallet.id },
      destination: { destinationType: 'ACCOUNT', accountId: to.body.id },
      lockedCurrencySide: 'SENDING',
      lockedCurrencyAmount: 100_000,
    });
    return quote.body.id;
  }

  test('the owner of a wallet has to log in first, by email, and then pays a quote in another request of the agent', async () => {
    const { it, play } = await started('wallet');
    const quote = await quoted(it);
    await expect(play('wallet', 'pay', { quote })).rejects.toThrow('act: "log_in"');
    const { session, publicKey } = await play('wallet', 'log_in');
    expect([session.type, publicKey]).toEqual(['EMAIL_OTP', expect.stringMatching(/^0[23][\da-f]{64}$/)]);
    const paid = await play('wallet', 'pay', { quote });
    expect(paid.quote).toMatchObject({ id: quote, status: 'PROCESSING' });
    expect((await it.get(`/quotes/${quote}`)).body.status).toBe('COMPLETED');
  });

  test('the owner of a wallet registers a passkey, logs in with it, and exports the mnemonic', async () => {
    const { it, play } = await started('wallet');
    await play('wallet', 'log_in', { with: 'email' });
    const { credential } = await play('passkey', 'register');
    expect(credential.type).toBe('PASSKEY');
    expect((await play('passkey', 'log_in')).session.type).toBe('PASSKEY');
    expect((await play('wallet', 'log_in', { with: 'passkey' })).session.type).toBe('PASSKEY');
    expect((await play('wallet', 'export')).mnemonic.split(' ').length).toBe(12);
    const { sessions } = await play('wallet', 'sessions');
    expect(sessions.length).toBe(3);
    expect((await it.get(`/auth/credentials?accountId=${sessions[0].accountId}`)).body.data.length).toBe(2);
  });

  test('the owner of a wallet adds an identity of a provider by a signed call, and logs in with a token of it', async () => {
    const { use, play } = await started('wallet');
    await play('wallet', 'log_in');
    const { example } = await use('describe_operation', { id: 'createAuthCredential' });
    const added = await play('wallet', 'call', { call: { id: 'createAuthCredential', body: example.body } });
    expect([added.status, added.body.type]).toEqual([201, 'OAUTH']);
    expect((await play('wallet', 'log_in', { with: 'oidc' })).session.type).toBe('OAUTH');
  });

  test('the owner of a wallet is refused with 401 after a reset of the sandbox, and can log in again', async () => {
    const { it, use, play } = await started('wallet');
    await play('wallet', 'log_in');
    await use('snapshots', { act: 'reset' });
    const quote = await quoted(it);
    await expect(play('wallet', 'pay', { quote })).rejects.toThrow(/401.*log_in begins another/);
    await play('wallet', 'log_in');
    expect((await play('wallet', 'pay', { quote })).quote.status).toBe('PROCESSING');
  });

  test('the owner of a wallet has to log in again in a fork, because keys are kept for each sandbox', async () => {
    const { use, play } = await started('wallet');
    await play('wallet', 'log_in');
    const { sandbox } = await use('snapshots', { act: 'fork' });
    await expect(play('wallet', 'export', { sandbox })).rejects.toThrow('nobody is logged in');
    await play('wallet', 'log_in', { sandbox });
    expect((await play('wallet', 'export', { sandbox })).mnemonic.split(' ').length).toBe(12);
  });

  test('the owner of a wallet shows no private key, and none is in the log', async () => {
    const { it, play } = await started('wallet');
    const told = JSON.stringify([await play('wallet', 'log_in'), await play('passkey', 'register')]);
    expect(told).not.toMatch(/privateKey|"key"/);
    const { data } = (await it.control('GET', '/requests?limit=100')).body;
    const logged = await Promise.all(data.map(({ id }: { id: string }) => it.control('GET', `/requests/${id}`)));
    expect(JSON.stringify(logged)).not.toContain('privateKey');
  });
});

describe('the phone of a customer under strong customer authentication', () => {
  async function waits(it: Kit, body: object): Promise<string> {
    const nora = await customerOf(it, 'nora');
    const [from] = (await it.get(`/customers/internal-accounts?customerId=${nora}&currency=EUR`)).body.data;
    const [to] = (await it.get(`/customers/external-accounts?customerId=${nora}`)).body.data;
    const quote = await it.post('/quotes', {
      source: { sourceType: 'ACCOUNT', accountId: from.id },
      destination: { destinationType: 'ACCOUNT', accountId: to.id },
      lockedCurrencySide: 'SENDING',
      lockedCurrencyAmount: 2500,
    });
    const executed = await it.post(`/quotes/${quote.body.id}/execute`, body);
    expect(executed.body.status).toBe('PENDING_AUTHORIZATION');
    return quote.body.id;
  }

  test('the phone of a customer authorizes a payment with the code that was sent', async () => {
    const { it, play } = await started('sca');
    const quote = await waits(it, {});
    expect((await play('authenticator', 'authorize', { quote })).quote.status).toBe('PROCESSING');
    expect((await play('authenticator', 'authorize', { quote })).next).toBe('it waits for no proof: it is COMPLETED');
  });

  test('the phone of a customer enrols a passkey and authorizes a payment with it', async () => {
    const { it, play } = await started('sca');
    const of = await customerOf(it, 'nora');
    await play('authenticator', 'enrol', { of, with: 'passkey' });
    const quote = await waits(it, { scaFactor: 'PASSKEY' });
    expect((await play('authenticator', 'authorize', { quote })).quote.status).toBe('PROCESSING');
    expect((await play('authenticator', 'log_in', { of, with: 'passkey' })).session).toBeTruthy();
  });

  test('the phone of a customer enrols an app and logs in with its code, which follows the virtual clock', async () => {
    const { it, use, play } = await started('sca');
    const of = await customerOf(it, 'nora');
    await expect(play('authenticator', 'code', { of })).rejects.toThrow('act: "enrol"');
    await play('authenticator', 'enrol', { of, with: 'app' });
    const first = await play('authenticator', 'code', { of });
    await expect(play('authenticator', 'log_in', { of, with: 'app' })).rejects.toThrow('by: "30s"} brings the next');
    await use('clock', { act: 'advance', by: '60s' });
    expect((await play('authenticator', 'code', { of })).code).not.toBe(first.code);
    expect((await play('authenticator', 'log_in', { of, with: 'app' })).session).toBeTruthy();
    expect((await play('authenticator', 'log_in', { of, with: 'sms' })).session).toBeTruthy();
  });

  test('the phone of a customer refuses to log in with a passkey that it does not have, and says how to enrol one', async () => {
    const { it, play } = await started('sca');
    const of = await customerOf(it, 'emil');
    await expect(play('authenticator', 'log_in', { of, with: 'passkey' })).rejects.toThrow('act: "enrol"');
  });
});

describe('the card network', () => {
  test('the card network authorizes, clears and refunds a payment, the last one where none is named', async () => {
    const { it, play } = await started('cards');
    const { data } = (await it.get('/cards')).body;
    const card = data.findLast(({ state }: { state: string }) => state === 'ACTIVE');
    const { payment } = await play('card network', 'authorize', { of: card.id, amount: 1250, merchant: 'BOOK SHOP' });
    expect(payment).toMatchObject({ status: 'AUTHORIZED', merchant: { descriptor: 'BOOK SHOP' } });
    expect((await play('card network', 'clear', { of: card.id })).payment.status).toBe('SETTLED');
    const back = await play('card network', 'refund', { payment: payment.id, amount: 250 });
    expect(back.payment.refundedAmount.amount).toBe(250);
    expect((await it.get(`/transactions/${payment.id}`)).body.refundedAmount.amount).toBe(250);
  });

  test('the card network refuses to refund an unsettled payment before it calls, and says how to settle it', async () => {
    const { it, use, play } = await started('cards');
    const [card] = (await it.get('/cards')).body.data.filter(({ state }: { state: string }) => state === 'ACTIVE');
    const { payment } = await play('card network', 'authorize', { of: card.id, amount: 1250 });
    const newest = async () => (await it.control('GET', '/requests?limit=1')).body.data[0];
    const next = `play {as: "card network", act: "clear", payment: "${payment.id}"}`;
    await expect(play('card network', 'refund', { payment: payment.id })).rejects.toThrow(
      `nothing is settled yet: clear it first; next: ${next}`,
    );
    expect((await newest()).method).toBe('GET');
    await expect(play('card network', 'refund', { payment: payment.id, amount: 5 })).rejects.toThrow(next);
    await play('card network', 'clear', { payment: payment.id });
    await play('card network', 'refund', { payment: payment.id });
    await expect(play('card network', 'refund', { payment: payment.id })).rejects.toThrow(
      'all that was settled is given back already: it is REFUNDED; next: read_state {id: "',
    );
    expect((await use('read_state', { id: payment.id })).resource.status).toBe('REFUNDED');
  });

  test('the card network acts on the only card payment where none is named', async () => {
    const { use, play } = await started({});
    await use('webhooks', { act: 'trigger', type: 'CARD_TRANSACTION.SETTLED' });
    const { payment } = await play('card network', 'refund');
    expect(payment.status).toBe('REFUNDED');
  });

  test('the card network is refused where several card payments exist and none is named, and the refusal names them', async () => {
    const { it, play } = await started('cards');
    const { data } = (await it.get('/transactions?limit=100')).body;
    const paid = data.filter(({ cardId }: { cardId?: string }) => cardId !== undefined);
    expect(paid.length).toBeGreaterThan(1);
    await expect(play('card network', 'refund')).rejects.toThrow(
      new RegExp(`^there are several card payments: payment names one, such as ${paid[0].id} \\(${paid[0].status}, `),
    );
  });

  test('the card network says how to make a card where there is none, and how to make a payment', async () => {
    const { it, use, play } = await started({});
    await expect(play('card network', 'authorize', { amount: 100 })).rejects.toThrow(
      'there is no card; next: describe_operation {id: "createCard"}, then call_operation makes one',
    );
    await use('webhooks', { act: 'trigger', type: 'CARD.STATE_CHANGE' });
    expect((await it.get('/cards')).body.data).toHaveLength(1);
    await expect(play('card network', 'refund')).rejects.toThrow(
      'there is no card payment; next: play {as: "card network", act: "authorize", amount: 1250} makes one',
    );
  });

  test('the card network refuses an unknown card and names the known ones', async () => {
    const { play } = await started('cards');
    await expect(play('card network', 'take', { of: 'Card:nothing', amount: 5 })).rejects.toThrow(
      /^no card is called Card:nothing; there are Card:/,
    );
  });
});

test('an act that a played person does not have is refused, and the refusal names the acts that exist', async () => {
  const { play } = await started('wallet');
  await expect(play('wallet', 'clear')).rejects.toThrow(
    'a wallet cannot clear; it can log_in, pay, call, export, sessions, log_out',
  );
  await play('wallet', 'log_in');
  await expect(play('wallet', 'call', { call: { id: 'x', bodi: {} } })).rejects.toThrow(
    'call is {id, params?, query?, body?}',
  );
  await expect(play('card network', 'authorize')).rejects.toThrow('authorize needs amount, in minor units');
});

test('the example of a login answers a code that was sent while the code is valid, and the login takes it', async () => {
  const { it, use } = await started('wallet');
  const before = await use('describe_operation', { id: 'verifyAuthCredential' });
  expect(before.example.body.type).toBe('OAUTH');
  const [{ id: accountId }] = (await it.get('/customers/internal-accounts?type=EMBEDDED_WALLET')).body.data;
  const [{ id }] = (await it.get(`/auth/credentials?accountId=${accountId}`)).body.data;
  await use('call_operation', { id: 'challengeAuthCredential', params: { id } });
  const { example } = await use('describe_operation', { id: 'verifyAuthCredential' });
  expect([example.params.id, example.body.type, example.needs]).toEqual([id, 'EMAIL_OTP', undefined]);
  const { status, body, next } = await use('call_operation', { id: 'verifyAuthCredential', ...example });
  expect([status, body.payloadToSign, next]).toEqual([
    202,
    expect.any(String),
    expect.stringContaining('play {as: "wallet"'),
  ]);
  await use('clock', { act: 'advance', by: '10m' });
  expect((await use('describe_operation', { id: 'verifyAuthCredential' })).example.body.type).toBe('OAUTH');
});

describe('the page of MCP', () => {
  const PAGE = readFileSync(join(import.meta.dirname, '../../docs/mcp.md'), 'utf8');

  test('docs/mcp.md has acts that are played as they are written', async () => {
    const [, text = ''] = /```json play\n([^`]+)```/.exec(PAGE) ?? [];
    const { use } = await started('wallet');
    const acts = JSON.parse(text) as Record<string, string>[];
    expect(acts.length).toBeGreaterThan(3);
    for (const act of acts) expect(await use('play', act)).toMatchObject({ next: expect.any(String) });
  });

  test('docs/mcp.md names every person who can be played and their acts, as the refusal of another act does', async () => {
    const { play } = await started('wallet');
    for (const who of ['wallet', 'passkey', 'authenticator', 'card network']) {
      const refusal = await play(who, 'nothing').catch((error: Error) => error.message);
      const acts = String(refusal)
        .replace(/^.* it can /, '')
        .split(', ');
      const [, row = ''] = new RegExp(`^\\| \`${who}\` \\| (.*) \\|$`, 'm').exec(PAGE) ?? [];
      expect([...row.matchAll(/`(\w+)`/g)].map(([, act]) => act)).toEqual(expect.arrayContaining(acts));
    }
  });
});

test.each(['spec', 'grid'] as const)('play works behind a public URL with a path, in profile %s', async (profile) => {
  const it = await kit({ profile, scenario: 'cards', publicUrl: 'https://demo.example/sandbox' });
  const { use } = await agent(it);
  const paid = await use('play', {
    as: 'card network',
    act: 'authorize',
    of: 'Card:0195a7c2-41aa-7d10-9c3e-5b8f2a6d0c02',
    amount: 100,
  });
  expect(JSON.stringify(paid)).toContain('AUTHORIZED');
});
