import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { base58 } from '@scure/base';
import { describe, expect, test } from 'vitest';
import { EXTERNAL_ACCOUNTS, payableAccount } from '../../../src/areas/external-accounts/index.ts';
import type { Failure } from '../../../src/contract/errors.ts';
import { kit, refusal } from '../../kit/sandbox.ts';
import { PERSON, usd } from './material.ts';

const TREES = ['customers', 'platform'] as const;
const SECRET = Buffer.alloc(32, 7);
const evmAddress = `0x${Buffer.from(keccak_256(secp256k1.getPublicKey(SECRET, false).slice(1)).slice(12)).toString('hex')}`;

/** What an Ethereum wallet makes of a text (EIP-191). */
function personalSign(message: string): string {
  const body = Buffer.from(message, 'utf8');
  const hash = keccak_256(Buffer.concat([Buffer.from(`\x19Ethereum Signed Message:\n${body.length}`), body]));
  const bytes = secp256k1.sign(hash, SECRET, { prehash: false, format: 'recovered' });
  return `0x${Buffer.from(bytes.slice(1)).toString('hex')}${(27 + (bytes[0] as number)).toString(16)}`;
}

const base = (more: object = {}) => ({
  currency: 'USDC',
  ownershipType: 'FIRST_PARTY',
  accountInfo: { accountType: 'BASE_WALLET', address: evmAddress },
  ...more,
});

async function made(tree: (typeof TREES)[number] = 'customers', body: object = base(), policies = {}) {
  const the = await kit({ scenario: { platform: { counterpartyRules: true }, policies } });
  const customerId = (await the.post('/customers', { customerType: 'INDIVIDUAL' })).body.id;
  const owner = tree === 'customers' ? { customerId } : {};
  const { body: account } = await the.post(`/${tree}/external-accounts`, { ...body, ...owner });
  const path = `/${tree}/external-accounts/${account.id}`;
  return {
    ...the,
    account,
    path,
    challenge: (method: string) => the.post(`${path}/challenge`, { method }),
    verify: (signature: string) => the.post(`${path}/verify`, { signature }),
    /** A bad signature is refused and yet leaves a mark, as the contract says. */
    verifyBadly: (signature: string) => the.overlapping('POST', `${path}/verify`, { signature }),
    statuses: () => the.events('EXTERNAL_ACCOUNT.STATUS_UPDATED').map((event) => event.data.status),
  };
}

describe.each(TREES)('POST /%s/external-accounts/{id}/challenge and /verify', (tree) => {
  test('a first-party self-custody wallet is challenged with 201, and proven with 200 by its signature', async () => {
    const { account, challenge, verify, get, path, statuses } = await made(tree);
    expect(account.status).toBe('PENDING_OWNERSHIP_VERIFICATION');
    const { status, body } = await challenge('WALLET_SIGNATURE');
    expect(status).toBe(201);
    expect(body).toEqual({
      method: 'WALLET_SIGNATURE',
      messageToSign: expect.stringContaining(evmAddress),
      expiresAt: '2026-01-05T09:05:00.000Z',
    });
    const answer = await verify(personalSign(body.messageToSign));
    expect(answer.status, answer.text).toBe(200);
    expect(answer.body).toEqual({ ...account, status: 'ACTIVE' });
    expect((await get(path)).body).toEqual(answer.body);
    expect(statuses()).toEqual(['ACTIVE']);
  });

  test('a bad signature of a wallet is refused with 400 and leaves it UNVERIFIED with an event; a new challenge starts over', async () => {
    const { challenge, verifyBadly, verify, get, path, statuses } = await made(tree);
    await challenge('WALLET_SIGNATURE');
    const answer = await verifyBadly(personalSign('something else'));
    expect(refusal(answer)).toEqual({ status: 400, code: 'INVALID_INPUT', fields: ['signature'] });
    expect((await get(path)).body.status).toBe('UNVERIFIED');
    expect((await verify(personalSign('x'))).status).toBe(409);
    const { body } = await challenge('WALLET_SIGNATURE');
    expect((await verify(personalSign(body.messageToSign))).status).toBe(200);
    expect(statuses()).toEqual(['UNVERIFIED', 'PENDING_OWNERSHIP_VERIFICATION', 'ACTIVE']);
  });

  test('a bad signature of a wallet has its event in the request log, and two at the same time leave one event', async () => {
    const { challenge, verifyBadly, statuses, control } = await made(tree);
    await challenge('WALLET_SIGNATURE');
    const answers = await Promise.all([verifyBadly('0x01'), verifyBadly('0x02')]);
    expect(answers.map(({ status }) => status).sort()).toEqual([400, 409]);
    expect(statuses()).toEqual(['UNVERIFIED']);
    const { body: log } = await control('GET', '/requests');
    const refused = log.data.find((entry: { status: number }) => entry.status === 400);
    const { body: entry } = await control('GET', `/requests/${refused.id}`);
    expect(entry.caused.webhooks).toHaveLength(1);
  });

  test('a proof of a challenge that was replaced while it was checked is refused with 409, and changes no status', async () => {
    const { challenge, verifyBadly, get, path } = await made(tree);
    const { body } = await challenge('WALLET_SIGNATURE');
    const [proof] = await Promise.all([verifyBadly(personalSign(body.messageToSign)), challenge('WALLET_SIGNATURE')]);
    expect(proof.status).toBe(409);
    expect((await get(path)).body.status).toBe('PENDING_OWNERSHIP_VERIFICATION');
  });

  test('a valid signature of a wallet that arrives late is refused with 400, and leaves the wallet UNVERIFIED', async () => {
    const { challenge, verifyBadly, advance, get, path } = await made(tree);
    const { body } = await challenge('WALLET_SIGNATURE');
    await advance('PT5M');
    expect((await verifyBadly(personalSign(body.messageToSign))).status).toBe(400);
    expect((await get(path)).body.status).toBe('UNVERIFIED');
  });

  test('a challenge and a proof are refused with 400 for an empty body, with 401 without credentials, and with 404 for an unknown account', async () => {
    const { post, path } = await made(tree);
    for (const end of ['challenge', 'verify']) {
      expect(refusal(await post(`${path}/${end}`, {}))).toMatchObject({ status: 400, code: 'INVALID_INPUT' });
      const body = { method: 'LIVENESS', signature: 'x' };
      expect((await post(`${path}/${end}`, body, { as: null })).status).toBe(401);
      expect(refusal(await post(`/${tree}/external-accounts/ExternalAccount:none/${end}`, body))).toMatchObject({
        status: 404,
        code: 'REFERENCE_NOT_FOUND',
      });
    }
  });

  test('a proof of a wallet is refused with 409 without a challenge, and while a liveness check is outstanding', async () => {
    const { verify, challenge } = await made(tree, base(), { 'external-account.liveness': 'hold' });
    expect(refusal(await verify('x'))).toMatchObject({ status: 409, code: 'CONFLICT' });
    await challenge('LIVENESS');
    expect(refusal(await verify('x'))).toMatchObject({ status: 409, code: 'CONFLICT' });
  });

  test.each([
    ['a bank account', { ...usd(), ownershipType: 'FIRST_PARTY' }],
    ['a custodial wallet', base({ accountInfo: { ...base().accountInfo, vaspName: 'Example Exchange' } })],
    [
      'the wallet of a third party',
      base({
        ownershipType: 'THIRD_PARTY',
        accountInfo: { ...base().accountInfo, beneficiary: { ...PERSON, countryOfResidence: 'DE' } },
      }),
    ],
    [
      'a lightning address',
      {
        currency: 'BTC',
        ownershipType: 'FIRST_PARTY',
        accountInfo: { accountType: 'LIGHTNING', lightningAddress: 'a@b.example' },
      },
    ],
  ])('a challenge of %s is refused with 409', async (_, body) => {
    const { challenge, account } = await made(tree, body);
    expect(account.status).toBe('ACTIVE');
    expect(refusal(await challenge('WALLET_SIGNATURE'))).toMatchObject({ status: 409, code: 'CONFLICT' });
  });

  test('a challenge of a wallet that is already proven is refused with 409', async () => {
    const { challenge, verify } = await made(tree);
    await challenge('WALLET_SIGNATURE');
    expect((await verify('sandbox-valid-signature')).status).toBe(200);
    expect(refusal(await challenge('LIVENESS'))).toMatchObject({ status: 409, code: 'CONFLICT' });
  });
});

describe('ownership', () => {
  test('a second challenge of a wallet voids the first', async () => {
    const { challenge, verifyBadly } = await made();
    const { body: first } = await challenge('WALLET_SIGNATURE');
    const { body: second } = await challenge('WALLET_SIGNATURE');
    expect(second.messageToSign).not.toBe(first.messageToSign);
    expect((await verifyBadly(personalSign(first.messageToSign))).status).toBe(400);
  });

  test('a liveness check passes at once by default, and emits an event', async () => {
    const { challenge, get, path, statuses } = await made();
    const { status, body } = await challenge('LIVENESS');
    expect(status).toBe(201);
    expect(body).toMatchObject({ method: 'LIVENESS', verificationLink: expect.stringMatching(/^http/) });
    expect((await get(path)).body.status).toBe('ACTIVE');
    expect(statuses()).toEqual(['ACTIVE']);
  });

  test.each([
    ['PT1M', 'ACTIVE'],
    ['PT5M', 'UNVERIFIED'],
  ])('a liveness check that is done after %s leaves its wallet %s', async (delay, status) => {
    const { challenge, advance, get, path } = await made('customers', base(), {
      'external-account.liveness': `after ${delay}`,
    });
    await challenge('LIVENESS');
    expect((await get(path)).body.status).toBe('PENDING_OWNERSHIP_VERIFICATION');
    await advance(delay);
    expect((await get(path)).body.status).toBe(status);
  });

  test('a liveness check that was abandoned for a signature changes nothing', async () => {
    const { challenge, advance, get, path } = await made('customers', base(), {
      'external-account.liveness': 'after PT1M',
    });
    await challenge('LIVENESS');
    await challenge('WALLET_SIGNATURE');
    await advance('PT1M');
    expect((await get(path)).body.status).toBe('PENDING_OWNERSHIP_VERIFICATION');
  });

  test('without counterparty rules every wallet is ACTIVE, and a challenge is refused with 409', async () => {
    const { post } = await kit();
    const { body } = await post('/platform/external-accounts', base());
    expect(body.status).toBe('ACTIVE');
    expect((await post(`/platform/external-accounts/${body.id}/challenge`, { method: 'LIVENESS' })).status).toBe(409);
  });

  test('a Solana wallet is proven by Ed25519 in base58', async () => {
    const { publicKey, privateKey } = generateKeyPairSync('ed25519');
    const address = base58.encode(rawOf(publicKey));
    const { challenge, verify } = await made(
      'customers',
      base({ accountInfo: { accountType: 'SOLANA_WALLET', address } }),
    );
    const { body } = await challenge('WALLET_SIGNATURE');
    const signature = base58.encode(sign(null, Buffer.from(body.messageToSign), privateKey));
    expect((await verify(signature)).status).toBe(200);
  });

  test('the external account of a deleted customer cannot be paid', async () => {
    const { account, sandbox, del } = await made('customers', usd());
    expect(payableAccount(sandbox.world, account.id).id).toBe(account.id);
    await del(`/customers/${account.customerId}`);
    expect(() => payableAccount(sandbox.world, account.id)).toThrow(
      expect.objectContaining({ code: 'USER_NOT_FOUND' }) as Failure,
    );
  });

  test('a challenge of a wallet that waits to be opened is refused with 409 by the transitions of external accounts', async () => {
    const it = await made();
    const rows = it.sandbox.world.rows(EXTERNAL_ACCOUNTS);
    rows.put({ ...rows.get(it.account.id), id: it.account.id, status: 'PENDING' } as never);
    const refused = await it.challenge('WALLET_SIGNATURE');
    expect(refusal(refused)).toMatchObject({ status: 409, code: 'CONFLICT' });
    expect(it.sandbox.requestLog.newest().next().value?.why).toEqual({
      rule: 'external account transitions',
      seen: 'PENDING',
    });
  });

  test('an external account that waits to be opened cannot be paid', async () => {
    const { account, sandbox } = await made('customers', usd(), { 'external-account.activate': 'hold' });
    expect(() => payableAccount(sandbox.world, account.id)).toThrow(
      expect.objectContaining({ code: 'INVALID_INPUT' }) as Failure,
    );
  });

  test('an unproven wallet can be paid below 1000 EUR, and not above', async () => {
    const { account, sandbox } = await made();
    const pay = (amount?: number) => () => payableAccount(sandbox.world, account.id, amount);
    expect(pay(1_000_000_000)().id).toBe(account.id);
    for (const amount of [1_100_000_000, undefined])
      expect(pay(amount)).toThrow(
        expect.objectContaining({ code: 'EXTERNAL_ACCOUNT_VERIFICATION_REQUIRED' }) as Failure,
      );
  });
});

/** The 32 bytes of an Ed25519 public key. */
const rawOf = (key: KeyObject): Buffer => key.export({ format: 'der', type: 'spki' }).subarray(-32);

test('a proof and a new challenge are refused with 404 USER_NOT_FOUND once the customer is deleted; the account keeps its status (spec 4.1)', async () => {
  for (const method of ['WALLET_SIGNATURE', 'LIVENESS']) {
    const { account, challenge, verify, del, get, path } = await made();
    expect((await challenge('WALLET_SIGNATURE')).status).toBe(201);
    expect((await del(`/customers/${account.customerId}`)).status).toBe(200);
    for (const answer of [await verify('sandbox-valid-signature'), await challenge(method)])
      expect(refusal(answer)).toMatchObject({ status: 404, code: 'USER_NOT_FOUND' });
    expect((await get(path)).body.status).toBe('PENDING_OWNERSHIP_VERIFICATION');
  }
});
