import { describe, expect, onTestFinished, test } from 'vitest';
import { startEmulator } from '../../src/index.ts';
import {
  createClientKey,
  openSessionKey,
  openWalletExport,
  sealOtp,
  WalletClient,
  WebhookReceiver,
} from '../../src/testkit/index.ts';
import { SESSION_BUNDLE } from '../crypto/vectors.ts';

const key = createClientKey('anyone');

describe('mistakes of a test', () => {
  test('a private key that is not 32 bytes long is refused with a sentence', () => {
    expect(() => createClientKey(new Uint8Array(31))).toThrow('A private key has 32 bytes, not 31');
  });

  test('a public key of a wrong form is refused with a sentence', async () => {
    const sealing = sealOtp('{}', '000000', key.compressed.slice(1));
    await expect(sealing).rejects.toThrow('66 or 130 hexadecimal digits');
  });

  test('a bundle of a wrong form, or sealed to another key, is refused with a sentence', async () => {
    await expect(sealOtp('nope', '000000', key.compressed)).rejects.toThrow('The bundle is not JSON: nope');
    await expect(openWalletExport('nope', key)).rejects.toThrow('The bundle is not JSON: nope');
    await expect(openSessionKey('0OIl', key)).rejects.toThrow('Base58Check');
    await expect(openSessionKey(SESSION_BUNDLE, key)).rejects.toThrow('was not sealed to the key 04');
  });
});

async function sandboxOf(scenario: string | object) {
  const emulator = await startEmulator({ port: 0, scenario });
  onTestFinished(() => emulator.close());
  return emulator.sandbox;
}

describe('a wallet client', () => {
  test('a wallet client is found by its customer, from a sandbox as it is or a base URL that ends in a slash', async () => {
    const sandbox = await sandboxOf('wallet');
    const { data } = (await (await sandbox.fetch('/customers')).json()) as { data: { id: string }[] };
    const customer = String(data[0]?.id);
    const wallet = await WalletClient.ofCustomer(customer, { ...sandbox, now: sandbox.clock.now });
    expect(await wallet.loginWithOtp()).toMatchObject({ type: 'EMAIL_OTP' });
    const { authorization, baseUrl } = sandbox;
    const again = await WalletClient.ofCustomer(customer, { authorization, baseUrl: `${baseUrl}/` });
    expect(again.accountId).toBe(wallet.accountId);
    expect(await again.listSessions()).toHaveLength(1);
  });

  test('a wallet client is refused with a hint for a customer without a wallet', async () => {
    const sandbox = await sandboxOf({ platform: { currencies: [{ code: 'USD' }] } });
    const made = await sandbox.fetch('/customers', { json: { customerType: 'INDIVIDUAL', fullName: 'Ada Keller' } });
    const { id } = (await made.json()) as { id: string };
    await expect(WalletClient.ofCustomer(id, { ...sandbox })).rejects.toThrow('is the wallet currency configured?');
  });
});

test('a receiver waits for an event by its type and content, and finds its signature in the header of either profile', async () => {
  for (const profile of ['spec', 'grid'] as const) {
    const emulator = await startEmulator({ port: 0, profile });
    onTestFinished(() => emulator.close());
    const receiver = await WebhookReceiver.start({ publicKey: emulator.sandbox.webhookPublicKey });
    onTestFinished(() => receiver.close());
    const sandbox = await emulator.createSandbox({ webhookUrl: receiver.url });
    const waiting = receiver.waitFor('CUSTOMER.KYC_APPROVED', { where: ({ data }) => data.fullName === 'Bo Lind' });
    for (const fullName of ['Ada Keller', 'Bo Lind'])
      await sandbox.fetch('/customers', { json: { customerType: 'INDIVIDUAL', fullName } });
    expect(await waiting).toMatchObject({ verified: true, event: { data: { fullName: 'Bo Lind' } } });
    expect((await receiver.waitFor('CUSTOMER.KYC_APPROVED')).event.data.fullName).toBe('Ada Keller');
    await expect(receiver.waitFor('CUSTOMER.KYC_APPROVED', { timeoutMs: 10 })).rejects.toThrow('within 10 ms; seen:');
  }
});
