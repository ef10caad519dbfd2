import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { validateMnemonic } from '@scure/bip39';
import { wordlist } from '@scure/bip39/wordlists/english.js';
import { expect, onTestFinished, test } from 'vitest';
import { createOidcKey, SoftwareAuthenticator, WalletClient, WalletError } from '../../src/testkit/index.ts';
import { leaveQuoteWaiting } from '../kit/live.ts';
import { client, commandLine } from '../kit/process.ts';

/**
 * A wallet from its first login to its last: what an app does on its customer's device, with `sandbox-emulator/testkit`
 * in the place of browser, phone and identity provider. All cryptography is real; the one thing that the sandbox knows
 * beforehand is the code 000000.
 */
test('a new customer signs in by code, passkey and identity, moves money, exports the wallet, and signs out', async () => {
  // An identity provider: as in production, its tokens are to be verified with the keys that it publishes.
  const issuer = await createOidcKey();
  const folder = mkdtempSync(join(tmpdir(), 'wallet-journey-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const issuerScenario = join(folder, 'issuer.json');
  writeFileSync(issuerScenario, JSON.stringify({ platform: { verifyOidcSignatures: true, oidcJwks: issuer.jwks } }));

  const emulator = commandLine(['--json', '--port', '0', '--scenario', 'wallet', '--scenario', issuerScenario]);
  const ready = await emulator.ready();
  const api = client(ready);
  const control = client({ ...ready, baseUrl: `${ready.url}/_emulator` });

  // Something that is due in minutes; nothing below waits for it.
  await leaveQuoteWaiting(api);

  // Your backend creates a customer; because the platform has the wallet currency, a wallet is there at once.
  const { body: mia } = await api('POST', '/customers', {
    customerType: 'INDIVIDUAL',
    fullName: 'Mia Okafor',
    birthDate: '1994-07-30',
    email: 'mia@example.com',
  });
  const { body: accounts } = await api('GET', `/customers/internal-accounts?customerId=${mia.id}&type=EMBEDDED_WALLET`);
  const [account] = accounts.data;

  // The app on her phone. The quorum key lets it check that target bundles come from the wallet's enclave.
  const { quorumPublicKey } = (await control('GET', '/wallet-key')).body;
  const { id, secret } = ready.credentials;
  const wallet = new WalletClient({
    baseUrl: ready.baseUrl,
    authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`,
    accountId: account.id,
    quorumPublicKey,
  });

  // First login: the code that was sent to her address, sealed together with a fresh key that will sign from now on.
  const first = await wallet.loginWithOtp({ code: '000000' });
  expect(first).toMatchObject({ type: 'EMAIL_OTP', nickname: 'mia@example.com' });
  expect(Date.parse(first.expiresAt) - Date.parse(first.createdAt)).toBe(15 * 60_000);
  const [sent] = (await control('GET', '/codes')).body.data;
  expect(sent).toMatchObject({ channel: 'email', to: 'mia@example.com', code: '000000' });

  // A wrong code gets nobody in, and the reply says why.
  await expect(wallet.loginWithOtp({ code: '123456' })).rejects.toThrow('401: UNAUTHORIZED, Invalid OTP code');

  // She adds a passkey, authorized by the session, and signs in with it: the service seals a session key to her device.
  const phone = new SoftwareAuthenticator({ origin: 'https://app.example.org' });
  const passkey = await wallet.addPasskey(phone, { nickname: "Mia's phone" });
  expect(passkey).toMatchObject({ type: 'PASSKEY', credentialId: phone.credentialId, nickname: "Mia's phone" });
  const byPasskey = await wallet.loginWithPasskey(phone);
  expect(byPasskey).toMatchObject({ type: 'PASSKEY', credentialId: phone.credentialId });

  // A copied authenticator is found out by its counter.
  const copy = phone.clone();
  await wallet.loginWithPasskey(phone);
  await expect(wallet.loginWithPasskey(copy)).rejects.toThrow('signature counter did not grow');

  // She adds the identity of a provider, and signs in with a fresh token that is bound to her key.
  const identity = { sub: 'mia-1', email: 'mia@mail.example.com', key: issuer };
  const oauth = await wallet.addOAuth(identity);
  expect(oauth).toMatchObject({ type: 'OAUTH', nickname: 'mia@mail.example.com' });
  await wallet.loginWithOAuth(identity, { keyHeldBy: 'client' });
  const forged = { ...identity, key: await createOidcKey() };
  await expect(wallet.loginWithOAuth(forged)).rejects.toThrow('OIDC token is signed with a key');
  expect((await wallet.listCredentials()).map(({ type }) => type)).toEqual(['EMAIL_OTP', 'PASSKEY', 'OAUTH']);
  expect(await wallet.listSessions()).toHaveLength(4);

  // A new address: the customer and the credential that is tied to it change together, with her signature.
  expect(await wallet.changeEmail(mia.id, 'mia.okafor@example.net')).toMatchObject({ email: 'mia.okafor@example.net' });
  expect((await wallet.listCredentials())[0]).toMatchObject({ type: 'EMAIL_OTP', nickname: 'mia.okafor@example.net' });

  // A refresh gives a new session with a new key before the old one runs out.
  const before = wallet.session;
  const refreshed = await wallet.refresh();
  expect(refreshed.id).not.toBe(before?.id);
  expect(refreshed.key.compressed).not.toBe(before?.key.compressed);

  // She takes her wallet along: twelve words, sealed to a key that was made for this one export.
  const words = await wallet.exportWallet();
  expect(validateMnemonic(words, wordlist)).toBe(true);
  expect(words.split(' ')).toHaveLength(12);

  // Signed out, that key signs no more; the credential still logs in.
  await wallet.signOut();
  expect((await wallet.listSessions()).map((session) => session.id)).not.toContain(refreshed.id);
  await expect(wallet.exportWallet({ session: refreshed })).rejects.toThrow('401: WALLET_SIGNATURE_INVALID');
  const again = await wallet.loginWithOtp({ code: '000000' });
  expect(again.nickname).toBe('mia.okafor@example.net');
  expect(await wallet.exportWallet()).toBe(words);

  // She revokes the passkey of a phone that she lost. It cannot revoke itself; its sessions end with it.
  const own = await wallet.revokeCredential(passkey.id, { session: byPasskey }).catch((error: unknown) => error);
  expect(own).toBeInstanceOf(WalletError);
  expect(own).toMatchObject({ status: 401, code: 'WALLET_SIGNATURE_INVALID' });
  await wallet.revokeCredential(passkey.id);
  expect((await wallet.listCredentials()).map(({ type }) => type)).toEqual(['EMAIL_OTP', 'OAUTH']);
  expect((await wallet.listSessions()).map(({ type }) => type)).not.toContain('PASSKEY');
  await expect(wallet.setPrivacy(true, { session: byPasskey })).rejects.toThrow('WALLET_SIGNATURE_INVALID');
  expect(await wallet.setPrivacy(true)).toMatchObject({ id: account.id, privateEnabled: true });

  emulator.child.kill('SIGTERM');
  expect(await emulator.ended).toBe(0);
  expect(emulator.out.stderr).toBe('');
});
