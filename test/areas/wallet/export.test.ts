import { validateMnemonic } from '@scure/bip39';
import { wordlist } from '@scure/bip39/wordlists/english.js';
import { describe, expect, test } from 'vitest';
import { walletClient } from '../../crypto/clients.ts';
import { type ClientKey, clientKey, proof, refused, type WalletKit, walletKit } from '../../kit/wallet.ts';

const pathOf = (it: WalletKit) => `/internal-accounts/${it.accountId}/export`;

/** What a client does with the sandbox's unsigned envelope: HPKE alone. */
function opened(envelope: string, client: ClientKey): { words: string; organizationId: string } {
  const data = JSON.parse(Buffer.from(JSON.parse(envelope).data, 'hex').toString());
  const words = walletClient.hpkeDecrypt({
    ciphertextBuf: Uint8Array.from(Buffer.from(data.ciphertext, 'hex')),
    encappedKeyBuf: Uint8Array.from(Buffer.from(data.encappedPublic, 'hex')),
    receiverPriv: client.privateKey,
  });
  return { words: new TextDecoder().decode(words), organizationId: data.organizationId };
}

async function exported(it: WalletKit, key: ClientKey) {
  const client = clientKey();
  const answer = await it.sign(key, 'POST', pathOf(it), { clientPublicKey: client.uncompressed });
  return { answer, ...opened(answer.body.encryptedWalletCredentials, client) };
}

describe('POST /internal-accounts/{id}/export, 202 then 200 (spec 4.7, reference 3.9)', () => {
  test('the wallet library opens the envelope of an export, which holds a valid BIP-39 phrase of 12 words', async () => {
    const it = await walletKit();
    const { key } = await it.login();
    const { answer, words } = await exported(it, key);
    expect(answer.status).toBe(200);
    expect(Object.keys(answer.body).sort()).toEqual(['encryptedWalletCredentials', 'id']);
    expect(answer.body.id).toBe(it.accountId);
    expect(words.split(' ')).toHaveLength(12);
    expect(validateMnemonic(words, wordlist)).toBe(true);
  });

  test('the envelope of an export is unsigned, as in the sandbox, and names the organization of payloadToSign (reference 10.6)', async () => {
    const it = await walletKit();
    const { key } = await it.login();
    const first = await it.post(pathOf(it), { clientPublicKey: clientKey().uncompressed });
    const { answer, organizationId } = await exported(it, key);
    const envelope = JSON.parse(answer.body.encryptedWalletCredentials);
    expect(Object.keys(envelope)).toEqual(['version', 'data', 'dataSignature', 'enclaveQuorumPublic']);
    expect(envelope).toMatchObject({ version: 'v1.0.0', dataSignature: '', enclaveQuorumPublic: '' });
    expect(organizationId).toBe(JSON.parse(first.body.payloadToSign).organizationId);
  });

  test('the phrase of a wallet is the same at every export, also days later, and the envelope never is', async () => {
    const it = await walletKit();
    const one = await exported(it, (await it.login()).key);
    await it.advance('P3D');
    const two = await exported(it, (await it.login()).key);
    expect(two.words).toBe(one.words);
    expect(two.answer.body.encryptedWalletCredentials).not.toBe(one.answer.body.encryptedWalletCredentials);
  });

  test('the phrase of a wallet is the same after its state is restored, also without a seed', async () => {
    const it = await walletKit({ seed: undefined });
    const { key } = await it.login();
    const state = JSON.parse((await it.control('GET', '/state')).text);
    const { words } = await exported(it, key);
    for (let i = 0; i < 2; i++) {
      expect((await it.control('PUT', '/state', state)).status).toBe(200);
      expect((await exported(it, key)).words).toBe(words);
    }
  });

  test('two wallets have different phrases, and so does a wallet under another seed', async () => {
    const phrases = new Set<string>();
    for (const seed of [1, 2]) {
      const it = await walletKit({ seed });
      phrases.add((await exported(it, (await it.login()).key)).words);
      const other = await it.post('/customers', { customerType: 'INDIVIDUAL', email: 'other@example.com' });
      const page = await it.get('/customers/internal-accounts', { customerId: other.body.id, type: 'EMBEDDED_WALLET' });
      const accountId = page.body.data[0].id as string;
      const [credential] = (await it.get('/auth/credentials', { accountId })).body.data;
      const { key } = await it.login(clientKey(), credential.id);
      phrases.add((await exported({ ...it, accountId }, key)).words);
    }
    expect(phrases.size).toBe(4);
  });

  test('the envelope of an export opens with no other key than the one that was sent', async () => {
    const it = await walletKit();
    const { key } = await it.login();
    const { answer } = await exported(it, key);
    expect(() => opened(answer.body.encryptedWalletCredentials, clientKey())).toThrow();
  });
});

describe('refusals of POST /internal-accounts/{id}/export', () => {
  test('an export is refused with 400 for a compressed key, no key or one that is not a point', async () => {
    const it = await walletKit();
    for (const clientPublicKey of [clientKey().compressed, undefined, `04${'11'.repeat(64)}`]) {
      const answer = await it.post(pathOf(it), { clientPublicKey });
      expect([answer.status, answer.body.code, answer.body.details.errors[0].field]).toEqual([
        400,
        'INVALID_INPUT',
        'clientPublicKey',
      ]);
    }
  });

  test('an export is refused with 400 for an account that is not a wallet, and with 404 for an unknown account', async () => {
    const it = await walletKit();
    const [usd] = (await it.get('/customers/internal-accounts', { type: 'INTERNAL_FIAT' })).body.data;
    const body = { clientPublicKey: clientKey().uncompressed };
    expect((await it.post(`/internal-accounts/${usd.id}/export`, body)).body.code).toBe('INVALID_INPUT');
    const unknown = 'InternalAccount:00000000-0000-7000-8000-000000000000';
    expect((await it.post(`/internal-accounts/${unknown}/export`, body)).body.code).toBe('REFERENCE_NOT_FOUND');
  });

  test('an export with another key on the retry is refused with 401 and does not use up the request id', async () => {
    const it = await walletKit();
    const { key } = await it.login();
    const body = { clientPublicKey: clientKey().uncompressed };
    const headers = await proof(key, await it.post(pathOf(it), body));
    const other = await it.post(pathOf(it), { clientPublicKey: clientKey().uncompressed }, { headers });
    expect(refused(other)[1]).toBe('WALLET_SIGNATURE_BODY_MISMATCH');
    expect((await it.post(pathOf(it), body, { headers })).status).toBe(200);
    expect((await it.post(pathOf(it), body, { headers })).status).toBe(401);
  });
});
