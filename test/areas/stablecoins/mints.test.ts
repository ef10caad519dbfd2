import { describe, expect, test } from 'vitest';
import { POSTINGS } from '../../../src/ledger/ledger.ts';
import { kit, refusal } from '../../kit/sandbox.ts';
import { coinKit, coinKitWithCoin } from './material.ts';

const debit = (externalAccountId: string, type = 'ACH_DEBIT') => ({ fundingSource: { type, externalAccountId } });

describe('POST /stablecoins/{stablecoinId}/mints', () => {
  test('a mint by wire is answered with 201, where to send the money and until when (reference 11.2, 11.3)', async () => {
    const { acme, linked, mint, spark, get } = await coinKitWithCoin();
    const wallet = await spark();
    const destination = { accountId: wallet };
    const { status, body } = await mint(acme, { amount: '0012340000', destination, description: 'First' });
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.stringMatching(/^StablecoinOperation:/),
      stablecoinId: acme.id,
      stablecoinProviderAccountId: linked.id,
      operationType: 'MINT',
      status: 'PENDING_FUNDING',
      amount: '12340000',
      provider: 'STABLECOIN_PROVIDER_1',
      providerEnvironment: 'SANDBOX',
      source: { type: 'WIRE' },
      destination,
      fundingInstructions: {
        rail: 'WIRE',
        beneficiaryName: 'Sandbox Stablecoin Provider',
        bankName: 'Sandbox Trust Bank',
        bankAddress: expect.stringContaining('Kansas City'),
        bankAccountType: 'CHECKING',
        accountNumber: expect.stringMatching(/^\d{12}$/),
        routingNumber: '101019644',
        reference: expect.stringMatching(/^FUND-[A-Z2-9]{8}$/),
      },
      expiresAt: '2026-01-12T09:00:00.000Z',
      providerStatus: 'awaiting_funds',
      description: 'First',
      createdAt: '2026-01-05T09:00:00.000Z',
      updatedAt: '2026-01-05T09:00:00.000Z',
    });
    expect((await get(`/stablecoin-operations/${body.id}`)).body).toEqual(body);
  });

  test('a mint whose wire arrives is processed and completed, and does not expire later (reference 11.3)', async () => {
    const { acme, mint, decide, operation, policies, advance } = await coinKitWithCoin();
    policies({ 'stablecoin-operation.settle': 'after PT2H' });
    const { id } = (await mint(acme)).body;
    const funded = await decide(`/stablecoin-operations/${id}/funds`);
    expect([funded.status, funded.body.status, funded.body.expiresAt, funded.body.providerStatus]).toEqual([
      200,
      'PROCESSING',
      undefined,
      'processing',
    ]);
    await advance('PT2H');
    expect(await operation(id)).toMatchObject({
      status: 'COMPLETED',
      providerStatus: 'complete',
      updatedAt: '2026-01-05T11:00:00.000Z',
    });
    await advance('P8D');
    expect((await operation(id)).status).toBe('COMPLETED');
    expect((await decide(`/stablecoin-operations/${id}/funds`)).status).toBe(409);
  });

  test('a mint whose wire does not arrive is EXPIRED after seven days, or after the time that limits set (reference 11.2)', async () => {
    const { acme, mint, operation, advance, decide, sandbox } = await coinKitWithCoin();
    const { id } = (await mint(acme)).body;
    await advance('P6DT23H59M59S');
    expect((await operation(id)).status).toBe('PENDING_FUNDING');
    await advance('PT1S');
    expect(await operation(id)).toMatchObject({
      status: 'EXPIRED',
      expiresAt: '2026-01-12T09:00:00.000Z',
      providerStatus: 'expired',
    });
    expect((await decide(`/stablecoin-operations/${id}/funds`)).status).toBe(409);
    sandbox.world.settings = { ...sandbox.world.settings, limits: { stablecoinFundingSeconds: 60 } };
    expect((await mint(acme)).body.expiresAt).toBe('2026-01-12T09:01:00.000Z');
  });

  test.each(['ACH_DEBIT', 'SAME_DAY_ACH_DEBIT'])(
    'a mint by %s completes without a decision (reference 11.3)',
    async (type) => {
      const { acme, mint, bank, operation, policies, advance } = await coinKitWithCoin();
      policies({
        'stablecoin-operation.submit': 'after PT1H',
        'stablecoin-operation.process': 'after PT1H',
        'stablecoin-operation.settle': 'after PT1H',
      });
      const { id: externalAccountId } = bank('USD');
      const { body } = await mint(acme, debit(externalAccountId, type));
      expect([body.status, body.source]).toEqual(['CREATED', { type, externalAccountId }]);
      const seen = [];
      for (let hour = 0; hour < 3; hour += 1) {
        await advance('PT1H');
        const { status, providerStatus, expiresAt, fundingInstructions } = await operation(body.id);
        expect([expiresAt, fundingInstructions]).toEqual([undefined, undefined]);
        seen.push([status, providerStatus]);
      }
      expect(seen).toEqual([
        ['PENDING_PROVIDER', 'pending'],
        ['PROCESSING', 'processing'],
        ['COMPLETED', 'complete'],
      ]);
    },
  );

  test('a mint by wire has no funding instructions until it is submitted', async () => {
    const { acme, mint, operation, policies, advance } = await coinKitWithCoin();
    policies({ 'stablecoin-operation.submit': 'after PT1H' });
    const { body } = await mint(acme);
    expect([body.status, body.fundingInstructions, body.expiresAt, body.providerStatus]).toEqual([
      'CREATED',
      undefined,
      undefined,
      undefined,
    ]);
    await advance('PT1H');
    expect(await operation(body.id)).toMatchObject({
      status: 'PENDING_FUNDING',
      expiresAt: '2026-01-12T10:00:00.000Z',
      fundingInstructions: { rail: 'WIRE' },
    });
  });

  test('a mint keeps an amount of 64 digits exactly (reference 11.2)', async () => {
    const { acme, mint } = await coinKitWithCoin();
    const amount = `${'9'.repeat(60)}0000`;
    expect((await mint(acme, { amount })).body.amount).toBe(amount);
  });

  test.each(['0', '000', '9999', '10001', '1000005'])(
    'a mint of the amount %s is refused with 400 (reference 11.2)',
    async (amount) => {
      const { acme, mint } = await coinKitWithCoin();
      expect(refusal(await mint(acme, { amount }))).toEqual({ status: 400, code: 'INVALID_INPUT', fields: ['amount'] });
    },
  );

  test.each([
    ['an amount that is a number', { amount: 1_000_000 }, 'amount'],
    ['a signed amount', { amount: '-1000000' }, 'amount'],
    ['an unknown source', { fundingSource: { type: 'CASH' } }, 'fundingSource.type'],
    ['a debit without an account', { fundingSource: { type: 'ACH_DEBIT' } }, 'fundingSource.externalAccountId'],
    ['a description of 1025 characters', { description: 'x'.repeat(1025) }, 'description'],
  ])('a mint with %s is refused with 400 (reference 11.2)', async (_, more, field) => {
    const { acme, mint } = await coinKitWithCoin();
    expect(refusal(await mint(acme, more))).toEqual({ status: 400, code: 'INVALID_INPUT', fields: [field] });
  });

  test.each([
    ['an internal account', { type: 'SERVICE_INTERNAL_ACCOUNT', accountId: 'InternalAccount:1' }],
    [
      'a balance at the provider',
      { type: 'PROVIDER_INTERNAL_BALANCE', sourceTokenIdentifier: 'USDC', cryptoNetwork: 'SOLANA' },
    ],
  ])(
    'a mint that is funded from %s is refused with 400, because that source is reserved (reference 11.1)',
    async (_, fundingSource) => {
      const { acme, mint } = await coinKitWithCoin();
      expect(refusal(await mint(acme, { fundingSource }))).toEqual({
        status: 400,
        code: 'INVALID_INPUT',
        fields: ['fundingSource.type'],
      });
    },
  );

  test('profile grid names GRID_INTERNAL_ACCOUNT in refusals of a mint, never SERVICE_INTERNAL_ACCOUNT (reference 0.1)', async () => {
    const { acme, mint } = await coinKitWithGrid();
    const accountId = 'InternalAccount:1';
    const theirs = refusal(await mint(acme, { fundingSource: { type: 'GRID_INTERNAL_ACCOUNT', accountId } }));
    expect(theirs).toEqual({ status: 400, code: 'INVALID_INPUT', fields: ['fundingSource.type'] });
    const { text } = await mint(acme, { fundingSource: { type: 'GRID_INTERNAL_ACCOUNT' } });
    expect(text).not.toContain('SERVICE_INTERNAL_ACCOUNT');
  });

  test('a mint is refused with 400 when it debits a wallet or another currency, or pays to a bank account or a wallet on another network', async () => {
    const { acme, mint, bank, wallet } = await coinKitWithCoin();
    const fields = ['fundingSource.externalAccountId'];
    for (const { id } of [wallet(), bank('EUR')])
      expect(refusal(await mint(acme, debit(id)))).toEqual({ status: 400, code: 'INVALID_INPUT', fields });
    for (const { id } of [wallet(), bank('USD')])
      expect(refusal(await mint(acme, { destination: { accountId: id } }))).toEqual({
        status: 400,
        code: 'INVALID_INPUT',
        fields: ['destination.accountId'],
      });
  });

  test('a mint is refused with 400 when the account that it debits is not ACTIVE, or its owner is not verified', async () => {
    const { acme, mint, bank } = await coinKitWithCoin();
    const of = async (status: 'PENDING' | 'PENDING_OWNERSHIP_VERIFICATION') =>
      refusal(await mint(acme, debit(bank('USD', '999', { status }).id)));
    expect(await of('PENDING')).toMatchObject({ status: 400, code: 'INVALID_INPUT' });
    expect(await of('PENDING_OWNERSHIP_VERIFICATION')).toMatchObject({
      status: 400,
      code: 'EXTERNAL_ACCOUNT_VERIFICATION_REQUIRED',
    });
  });

  test('a mint is refused with 404 for an unknown stablecoin or account, and for accounts of a deleted customer (reference 2.4)', async () => {
    const { acme, mint, bank, account, del, customer } = await coinKitWithCoin('USDB');
    const none = { destination: { accountId: 'none' } };
    expect(refusal(await mint({ id: 'none' }))).toMatchObject({ status: 404, code: 'REFERENCE_NOT_FOUND' });
    expect(refusal(await mint(acme, none))).toMatchObject({ status: 404, code: 'REFERENCE_NOT_FOUND' });
    expect(refusal(await mint(acme, debit('none')))).toMatchObject({ status: 404, code: 'REFERENCE_NOT_FOUND' });
    const inside = { destination: { accountId: 'InternalAccount:none' } };
    expect(refusal(await mint(acme, inside))).toMatchObject({ status: 404, code: 'REFERENCE_NOT_FOUND' });
    const [bankId, ownId] = [bank('USD').id, (await account('USDB')).id];
    expect((await del(`/customers/${customer.id}`)).status).toBe(200);
    const gone = { status: 404, code: 'USER_NOT_FOUND' };
    const destination = { accountId: ownId };
    expect(refusal(await mint(acme, { ...debit(bankId), destination }))).toMatchObject(gone);
    expect(refusal(await mint(acme, { destination }))).toMatchObject(gone);
  });

  test.each([
    ['001', 'PENDING_REVIEW'],
    ['002', 'REJECTED'],
    ['003', 'FAILED'],
  ])('a mint of a stablecoin that ends in %s is refused with 409, because it is %s (reference 11)', async (end) => {
    const { acme, mint } = await coinKitWithCoin(`ACME-${end}`);
    expect(refusal(await mint(acme))).toMatchObject({ status: 409, code: 'CONFLICT' });
  });

  test('a mint is taken for a stablecoin that is provisioned and not yet enabled', async () => {
    const { acme, mint } = await coinKitWithCoin('ACME-004');
    expect((await mint(acme)).status).toBe(201);
  });

  test.each(['INVALID', 'REVOKED'])(
    'a mint is refused with 400 once the provider account is %s (reference 14)',
    async (status) => {
      const { acme, linked, mint, decide } = await coinKitWithCoin();
      await decide(`/stablecoin-provider-accounts/${linked.id}/status`, { status });
      expect(refusal(await mint(acme))).toMatchObject({ status: 400, code: `STABLECOIN_PROVIDER_ACCOUNT_${status}` });
    },
  );

  test('a mint of a stablecoin that ends in 005 is refused with 503 and Retry-After, and makes no operation (reference 14)', async () => {
    const { acme, mint, get } = await coinKitWithCoin('ACME-005');
    const refused = await mint(acme);
    expect(refusal(refused)).toMatchObject({ status: 503, code: 'SERVICE_UNAVAILABLE' });
    expect(refused.headers.get('retry-after')).toBe('30');
    expect((await get(`/stablecoins/${acme.id}/operations`)).body.data).toEqual([]);
  });

  test('a mint that a fault refused with 503 is taken at the retry with the same key', async () => {
    const { acme, keyed, spark, control } = await coinKitWithCoin();
    const match = { operation: 'createStablecoinMint', times: 1 };
    await control('POST', '/faults', { match, then: { status: 503 } });
    const destination = { accountId: await spark() };
    const sent = { amount: '10000', fundingSource: { type: 'WIRE' }, destination };
    const tries = [];
    for (let i = 0; i < 2; i += 1) tries.push((await keyed(`/stablecoins/${acme.id}/mints`, sent, 'same')).status);
    expect(tries).toEqual([503, 201]);
  });

  test('a retried mint is made once; another body under its key is refused with 409, and a mint without a key with 400 (reference 2.3)', async () => {
    const { acme, keyed, spark, get, post } = await coinKitWithCoin();
    const destination = { accountId: await spark() };
    const sent = { amount: '10000', fundingSource: { type: 'WIRE' }, destination };
    const path = `/stablecoins/${acme.id}/mints`;
    const first = await keyed(path, sent, 'once');
    expect((await keyed(path, sent, 'once')).text).toBe(first.text);
    expect(refusal(await keyed(path, { ...sent, amount: '20000' }, 'once'))).toMatchObject({ status: 409 });
    expect(refusal(await post(path, sent))).toMatchObject({ status: 400, code: 'INVALID_INPUT' });
    expect((await get(`/stablecoins/${acme.id}/operations`)).body.totalCount).toBe(1);
  });

  test('a mint is refused with 403 for a token without TRANSACT', async () => {
    const { acme, post, call } = await coinKitWithCoin();
    const { clientId, clientSecret } = (await post('/tokens', { name: 'T', permissions: ['VIEW', 'MANAGE'] })).body;
    const as = `${clientId}:${clientSecret}`;
    expect(refusal(await call('POST', `/stablecoins/${acme.id}/mints`, {}, { as }))).toMatchObject({ status: 403 });
  });
});

const coinKitWithGrid = async () => {
  const it = await coinKit({ profile: 'grid' });
  await it.link('client-one', { provider: 'BRALE' });
  return { ...it, acme: await it.coin() };
};

describe('failures of a mint', () => {
  test.each([
    ['002', 'PENDING_PROVIDER'],
    ['003', 'PENDING_PROVIDER'],
    ['004', 'PENDING_PROVIDER'],
  ])('a mint fails in its first step when the account that it debits ends in %s', async (end, before) => {
    const { acme, mint, bank, operation, settle } = await coinKitWithCoin();
    const { body } = await mint(acme, debit(bank('USD', end).id));
    expect(body.status).toBe(before);
    await settle();
    expect(await operation(body.id)).toMatchObject({
      status: 'FAILED',
      failureReason: 'PROVIDER_FUNDING_FAILED',
      providerStatus: 'failed',
    });
  });

  test('a mint fails after 30 seconds when the account that it debits ends in 005', async () => {
    const { acme, mint, bank, operation, settle, advance } = await coinKitWithCoin();
    const { id } = (await mint(acme, debit(bank('USD', '005').id))).body;
    await settle();
    expect((await operation(id)).status).toBe('PROCESSING');
    await advance('PT30S');
    expect(await operation(id)).toMatchObject({ status: 'FAILED', failureReason: 'PROVIDER_FUNDING_FAILED' });
  });

  test('a mint fails once its wire is processed when its wallet ends in 003, and 30 seconds later when it ends in 005', async () => {
    const { acme, mint, spark, operation, decide, advance } = await coinKitWithCoin();
    const ids: string[] = [];
    for (const end of ['003', '005', '004']) {
      const { id } = (await mint(acme, { destination: { accountId: await spark(end) } })).body;
      await decide(`/stablecoin-operations/${id}/funds`);
      ids.push(id);
    }
    const seen = async () => Promise.all(ids.map(async (id) => (await operation(id)).status));
    await advance('PT29S');
    expect(await seen()).toEqual(['FAILED', 'PROCESSING', 'COMPLETED']);
    await advance('PT1S');
    expect(await seen()).toEqual(['FAILED', 'FAILED', 'COMPLETED']);
    expect((await operation(ids[0])).failureReason).toBe('PROVIDER_TRANSFER_FAILED');
  });
});

describe('a mint into an internal account', () => {
  test('a mint into an internal account posts to the ledger and emits the balance once it is COMPLETED (reference 11.2)', async () => {
    const { acme, mint, account, balance, decide, story, settle, sandbox } = await coinKitWithCoin('USDB');
    const { id: accountId } = await account('USDB', 'platform');
    const { id } = (await mint(acme, { destination: { accountId } })).body;
    story();
    expect(await balance(accountId)).toBe(0);
    await decide(`/stablecoin-operations/${id}/funds`);
    await settle();
    expect(await balance(accountId)).toBe(1_000_000);
    expect(story()).toEqual(['BALANCE 1000000']);
    expect(sandbox.world.rows(POSTINGS).all('cause', id)).toMatchObject([
      { reason: 'stablecoin mint', lines: [{ amount: -1_000_000 }, { account: accountId, amount: 1_000_000 }] },
    ]);
  });

  test('a mint into an internal account is refused with 400 when the currencies differ or the stablecoin is not enabled', async () => {
    const { acme, mint, account, decide } = await coinKitWithCoin('USDB');
    const of = async (currency: string) =>
      refusal(await mint(acme, { destination: { accountId: (await account(currency)).id } }));
    const bad = { status: 400, code: 'INVALID_INPUT', fields: ['destination.accountId'] };
    expect(await of('USD')).toEqual(bad);
    await decide(`/stablecoins/${acme.id}/use`, { outcome: 'DISABLED' });
    expect(await of('USDB')).toEqual(bad);
  });

  test('a mint into an internal account is refused with 400 above the largest balance of an account', async () => {
    const { acme, mint, account } = await coinKitWithCoin('USDB');
    const destination = { accountId: (await account('USDB')).id };
    const sent = (amount: string) => mint(acme, { amount, destination });
    expect((await sent('9000000000000000')).status).toBe(201);
    expect(refusal(await sent('9000000000010000'))).toMatchObject({ status: 400, fields: ['amount'] });
  });

  test('a mint that would take an account above its largest balance fails and moves nothing', async () => {
    const { acme, mint, account, balance, decide, operation, settle } = await coinKitWithCoin('USDB');
    const { id: accountId } = await account('USDB');
    const ids: string[] = [];
    for (let i = 0; i < 2; i += 1)
      ids.push((await mint(acme, { amount: '9000000000000000', destination: { accountId } })).body.id);
    for (const id of ids) await decide(`/stablecoin-operations/${id}/funds`);
    await settle();
    expect(await operation(ids[0])).toMatchObject({ status: 'COMPLETED' });
    expect(await operation(ids[1])).toMatchObject({ status: 'FAILED', failureReason: 'PROVIDER_TRANSFER_FAILED' });
    expect(await balance(accountId)).toBe(9_000_000_000_000_000);
  });
});

describe('POST /_emulator/stablecoin-operations/{id}/outcome', () => {
  test.each(['CREATED', 'PENDING_FUNDING', 'PROCESSING'])(
    'a decision completes a mint by wire that is %s',
    async (from) => {
      const { acme, mint, decide, operation, policies } = await coinKitWithCoin();
      policies({ 'stablecoin-operation.settle': 'hold' });
      if (from === 'CREATED') policies({ 'stablecoin-operation.submit': 'hold' });
      const { id } = (await mint(acme)).body;
      if (from === 'PROCESSING') await decide(`/stablecoin-operations/${id}/funds`);
      expect((await operation(id)).status).toBe(from);
      const { status, body } = await decide(`/stablecoin-operations/${id}/outcome`, { outcome: 'COMPLETED' });
      expect([status, body.status, body.expiresAt]).toEqual([200, 'COMPLETED', undefined]);
      for (const outcome of ['COMPLETED', 'FAILED'])
        expect((await decide(`/stablecoin-operations/${id}/outcome`, { outcome })).status).toBe(409);
    },
  );

  test.each(['CREATED', 'PENDING_PROVIDER', 'PROCESSING'])(
    'a decision fails a mint by debit that is %s with the reason that it names, and cancels its job',
    async (from) => {
      const { acme, mint, bank, decide, operation, policies, settle, control } = await coinKitWithCoin();
      const held = { CREATED: 'submit', PENDING_PROVIDER: 'process', PROCESSING: 'settle' }[from];
      policies({ [`stablecoin-operation.${held}`]: 'hold' });
      const { id } = (await mint(acme, debit(bank('USD').id))).body;
      await settle();
      expect((await operation(id)).status).toBe(from);
      const sent = { outcome: 'FAILED', reason: 'PROVIDER_COMPLIANCE_HOLD' };
      expect((await decide(`/stablecoin-operations/${id}/outcome`, sent)).body).toMatchObject({
        status: 'FAILED',
        failureReason: 'PROVIDER_COMPLIANCE_HOLD',
      });
      expect((await control('GET', '/jobs')).body.data).toEqual([]);
    },
  );

  test('a decision without a reason fails a mint that waits for its wire with PROVIDER_TRANSFER_FAILED, and the mint does not expire later', async () => {
    const { acme, mint, decide, operation, advance } = await coinKitWithCoin();
    const { id } = (await mint(acme)).body;
    const { body } = await decide(`/stablecoin-operations/${id}/outcome`, { outcome: 'FAILED' });
    expect([body.status, body.failureReason, body.expiresAt]).toEqual([
      'FAILED',
      'PROVIDER_TRANSFER_FAILED',
      undefined,
    ]);
    await advance('P8D');
    expect((await operation(id)).status).toBe('FAILED');
  });
});

describe('GET /stablecoins/{stablecoinId}/operations', () => {
  test('the list of operations shows the mints and burns of one stablecoin, newest first, filtered by type and paged (reference 11)', async () => {
    const { acme, coin, mint, burn, get } = await coinKitWithCoin();
    const other = await coin('BOLT');
    await mint(other);
    const ids = [(await mint(acme)).body.id, (await burn(acme)).body.id, (await mint(acme)).body.id];
    const list = async (query: Record<string, string | number> = {}) => {
      const { body } = await get(`/stablecoins/${acme.id}/operations`, query);
      return [body.data.map(({ id }: { id: string }) => ids.indexOf(id)), body.hasMore, body.totalCount];
    };
    expect(await list()).toEqual([[2, 1, 0], false, 3]);
    expect(await list({ operationType: 'BURN' })).toEqual([[1], false, 1]);
    expect(await list({ operationType: 'MINT', limit: 1 })).toEqual([[2], true, 2]);
    const { nextCursor } = (await get(`/stablecoins/${acme.id}/operations`, { limit: 2 })).body;
    expect(await list({ limit: 2, cursor: nextCursor })).toEqual([[0], false, 3]);
  });

  test("an unknown stablecoin's operations, and an unknown operation, are refused with 404 (reference 2.4)", async () => {
    const { get } = await kit();
    const gone = { status: 404, code: 'REFERENCE_NOT_FOUND' };
    expect(refusal(await get('/stablecoins/none/operations'))).toMatchObject(gone);
    expect(refusal(await get('/stablecoin-operations/none'))).toMatchObject(gone);
  });

  test('the list of operations is refused with 400 for an operationType that the contract does not list (reference 11.3)', async () => {
    const { acme, get } = await coinKitWithCoin();
    const { status, body } = await get(`/stablecoins/${acme.id}/operations`, { operationType: 'MELT' });
    expect([status, body.code]).toEqual([400, 'INVALID_INPUT']);
  });
});

test('a decision by hand on a stablecoin, a provider account or an operation cancels its pending job', async () => {
  const it = await coinKitWithCoin();
  const jobs = async () =>
    (await it.control('GET', '/jobs')).body.data.map(({ kind }: { kind: string }) => kind).sort();
  const kinds = ['stablecoin.review', 'stablecoin.approve', 'stablecoin-provider-account.check'];
  it.policies(Object.fromEntries([...kinds, 'stablecoin-operation.settle'].map((kind) => [kind, 'hold' as const])));
  const waiting = (await it.mint(it.acme)).body;
  expect(await jobs()).toEqual(['stablecoin-operation.expire']);
  await it.decide(`/stablecoin-operations/${waiting.id}/funds`);
  expect(await jobs()).toEqual(['stablecoin-operation.settle']);
  await it.decide(`/stablecoin-operations/${waiting.id}/outcome`, { outcome: 'COMPLETED' });
  const failing = (await it.mint(it.acme)).body;
  await it.decide(`/stablecoin-operations/${failing.id}/outcome`, { outcome: 'FAILED' });
  expect(await jobs()).toEqual([]);
  const coin = await it.coin('OTHER');
  await it.decide(`/stablecoins/${coin.id}/issuance`, { outcome: 'PROVISIONED' });
  expect(await jobs()).toEqual(['stablecoin.approve']);
  await it.decide(`/stablecoins/${coin.id}/use`, { outcome: 'ENABLED' });
  expect(await jobs()).toEqual([]);
  const { body: link } = await it.link('client-005');
  expect(await jobs()).toEqual(['stablecoin-provider-account.check']);
  await it.decide(`/stablecoin-provider-accounts/${link.id}/status`, { status: 'REVOKED' });
  expect(await jobs()).toEqual([]);
});
