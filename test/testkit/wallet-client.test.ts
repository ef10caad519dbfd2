import { describe, expect, test } from 'vitest';
import { PROFILES } from '../../src/contract/profile.ts';
import { createApp } from '../../src/http/app.ts';
import {
  SoftwareAuthenticator,
  WalletClient,
  type WalletClientOptions,
  type WalletError,
} from '../../src/testkit/index.ts';
import { type Kit, kit } from '../kit/sandbox.ts';

/** The client of the one wallet of the scenario, without a socket. */
async function wallet(options: Partial<WalletClientOptions> = {}, profile: 'spec' | 'grid' = 'spec') {
  const k = await kit({ scenario: 'wallet', profile });
  const app = createApp(k.host);
  const customer = (await k.get('/customers')).body.data[0];
  const accounts = (await k.get('/customers/internal-accounts', { customerId: customer.id })).body.data;
  const { id: accountId } = accounts.find(({ type }: { type: string }) => type === 'EMBEDDED_WALLET');
  const client = new WalletClient({
    baseUrl: `http://127.0.0.1:4010${k.host.basePath}`,
    authorization: `Basic ${btoa('test:secret')}`,
    accountId,
    now: () => k.sandbox.world.clock.now(),
    seed: 'wallet',
    fetch: async (url, init) => app.request(url, init),
    ...options,
  });
  return { k, client, customer };
}
const refused = async (call: Promise<unknown>): Promise<string> => {
  const error = await call.then(
    () => undefined,
    (thrown: WalletError) => thrown,
  );
  return error ? `${error.status} ${error.code}: ${error.reason}` : 'accepted';
};
const minute = (k: Kit) => k.advance('PT1M');

describe('a wallet, through one client (spec 5 rules 3 to 10)', () => {
  test('a wallet client signs in by code, adds a passkey and an identity, changes the email, refreshes, exports and leaves', async () => {
    const { k, client, customer } = await wallet();
    const byCode = await client.loginWithOtp();
    expect(byCode).toMatchObject({ type: 'EMAIL_OTP', nickname: 'zoe@example.com' });

    const authenticator = new SoftwareAuthenticator({ seed: 'phone' });
    const passkey = await client.addPasskey(authenticator, { nickname: "Zoe's phone" });
    expect(passkey).toMatchObject({ type: 'PASSKEY', credentialId: authenticator.credentialId });
    const byPasskey = await client.loginWithPasskey(authenticator);
    expect(byPasskey).toMatchObject({ type: 'PASSKEY', nickname: "Zoe's phone" });

    await minute(k);
    const identity = await client.addOAuth({ sub: 'zoe', email: 'zoe@example.org' });
    expect(identity).toMatchObject({ type: 'OAUTH', nickname: 'zoe@example.org' });
    expect(await client.loginWithOAuth({ sub: 'zoe' })).toMatchObject({ type: 'OAUTH' });

    expect(await client.changeEmail(customer.id, 'zoe@new.example')).toMatchObject({ email: 'zoe@new.example' });
    expect((await client.listCredentials()).map(({ type, nickname }) => `${type} ${nickname}`)).toEqual([
      'EMAIL_OTP zoe@new.example',
      "PASSKEY Zoe's phone",
      'OAUTH zoe@example.org',
    ]);

    const refreshed = await client.refresh();
    expect((await client.exportWallet()).split(' ')).toHaveLength(12);
    expect(await client.setPrivacy(true)).toMatchObject({ privateEnabled: true });
    await client.revokeCredential(identity.id, { session: byPasskey });
    expect(await refused(client.setPrivacy(false))).toMatch('401 WALLET_SIGNATURE_INVALID');
    expect((await client.listSessions()).map(({ id }) => id)).not.toContain(refreshed.id);
    await client.revokeSession(byCode.id, { session: byPasskey });
    client.session = byPasskey;
    await client.signOut();
    expect([await client.listSessions(), client.session]).toEqual([[], undefined]);
  });

  test('a wallet client may hold its own keys: it sends the compressed form, and gets nothing sealed back', async () => {
    const { client } = await wallet();
    await client.loginWithOtp({ sealUncompressed: true });
    const authenticator = new SoftwareAuthenticator({ seed: 'phone' });
    await client.addPasskey(authenticator);
    await client.addOAuth();
    await client.loginWithPasskey(authenticator, { keyHeldBy: 'client' });
    await client.refresh({ keyHeldBy: 'client' });
    expect(await client.setPrivacy(true)).toMatchObject({ privateEnabled: true });
    await client.loginWithOAuth({}, { keyHeldBy: 'client' });
    expect(await client.setPrivacy(false)).toMatchObject({ privateEnabled: false });
  });

  test('a wallet client takes the name of the signature header, for another profile', async () => {
    const { client } = await wallet({ signatureHeader: PROFILES.grid.walletSignatureHeader }, 'grid');
    await client.loginWithOtp();
    expect(await client.setPrivacy(true)).toMatchObject({ privateEnabled: true });
    const misnamed = await wallet({}, 'grid');
    expect(await refused(misnamed.client.loginWithOtp())).toMatch('401 WALLET_SIGNATURE_MISSING');
  });

  test('a wallet client throws a refusal as an error with status, code and the failed check', async () => {
    const { client } = await wallet();
    expect(await refused(client.loginWithOtp({ code: '999999' }))).toBe('401 UNAUTHORIZED: Invalid OTP code');
    await expect(client.setPrivacy(true)).rejects.toThrow('log in first');
    await client.loginWithOtp();
    await expect(client.loginWithPasskey(new SoftwareAuthenticator())).rejects.toThrow('no passkey');
    await expect(client.loginWithOAuth()).rejects.toThrow('no credential OAUTH');
    const authenticator = new SoftwareAuthenticator({ seed: 'phone' });
    await client.addPasskey(authenticator);
    expect(await refused(client.addPasskey(authenticator))).toMatch('400 PASSKEY_CREDENTIAL_ALREADY_EXISTS');
    const clone = authenticator.clone();
    await client.loginWithPasskey(authenticator);
    expect(await refused(client.loginWithPasskey(clone))).toMatch('401 UNAUTHORIZED: passkey signature counter');
  });
});

describe.each(['spec', 'grid'] as const)('a quote that the wallet pays, profile %s (spec 5.4)', (profile) => {
  async function quoted() {
    const signatureHeader = PROFILES[profile].walletSignatureHeader;
    const { k, client, customer } = await wallet({ signatureHeader }, profile);
    const { body: to } = await k.post('/customers/external-accounts', {
      customerId: customer.id,
      currency: 'USDB',
      accountInfo: {
        accountType: 'SPARK_WALLET',
        address: 'spark1pgssyuuuhnrrdjswal5c3s3rafw9w3y5dd4cjy3duxlf7hjzkp0rqx6dj6mrhu',
      },
    });
    const { body: quote } = await k.post('/quotes', {
      source: { sourceType: 'ACCOUNT', accountId: client.accountId },
      destination: { destinationType: 'ACCOUNT', accountId: to.id },
      lockedCurrencySide: 'SENDING',
      lockedCurrencyAmount: 100_000,
    });
    return { k, client, quote };
  }

  test('a quote that the wallet pays is executed with the signature of the session', async () => {
    const { k, client, quote } = await quoted();
    await client.loginWithOtp();
    expect(await client.pay(quote)).toMatchObject({ id: quote.id, status: 'PROCESSING' });
    expect((await k.get(`/quotes/${quote.id}`)).body.status).toBe('COMPLETED');
    expect(await refused(client.pay(quote.id))).toMatch(/^4\d\d /);
  });

  test('a quote that the wallet pays is refused without a login, and in a session that ended', async () => {
    const { k, client, quote } = await quoted();
    await expect(client.pay(quote)).rejects.toThrow('There is no session to sign with: log in first');
    const session = await client.loginWithOtp();
    await client.signOut();
    expect(await refused(client.pay(quote, { session }))).toMatch(/^401 /);
    expect((await k.get(`/quotes/${quote.id}`)).body.status).toBe('PENDING');
  });
});
