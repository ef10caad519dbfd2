import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { walletClient } from '../crypto/clients.ts';
import { commandLine } from '../journeys/command-line.ts';
import { clientKey, keyFrom, stampOf } from '../kit/wallet.ts';
import { realBrowser } from './chromium.ts';

const browser = realBrowser();

/** The wallet app's own page: it asks the browser for a passkey, and for an assertion, in the API's spelling. */
const PAGE = `<!doctype html><title>Wallet</title><script>
const b64 = (buffer) => btoa(String.fromCharCode(...new Uint8Array(buffer))).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
const bytes = (text) => Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (c) => c.charCodeAt(0));
async function register(challenge) {
  const made = await navigator.credentials.create({ publicKey: {
    challenge: bytes(challenge), rp: { name: 'Wallet', id: location.hostname },
    user: { id: new Uint8Array([1]), name: 'zoe', displayName: 'Zoe' },
    pubKeyCredParams: [{ type: 'public-key', alg: -7 }], attestation: 'none',
    authenticatorSelection: { residentKey: 'required' },
  } });
  return { credentialId: made.id, clientDataJson: b64(made.response.clientDataJSON),
    attestationObject: b64(made.response.attestationObject), transports: made.response.getTransports() };
}
async function assert(challenge) {
  const got = await navigator.credentials.get({ publicKey: {
    challenge: new TextEncoder().encode(challenge), rpId: location.hostname, userVerification: 'discouraged',
  } });
  return { credentialId: got.id, clientDataJson: b64(got.response.clientDataJSON),
    authenticatorData: b64(got.response.authenticatorData), signature: b64(got.response.signature) };
}
</script>`;

/** A page of the platform, and a virtual authenticator in the browser that shows it. */
async function walletApp() {
  const server = createServer((_request, response) => response.setHeader('content-type', 'text/html').end(PAGE));
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', () => ready()));
  const page = await browser().newPage();
  onTestFinished(async () => {
    await page.close();
    server.closeAllConnections();
    server.close();
  });
  const session = await page.context().newCDPSession(page);
  await session.send('WebAuthn.enable');
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  await page.goto(`http://localhost:${(server.address() as AddressInfo).port}/`);
  const passkeys = async () => (await session.send('WebAuthn.getCredentials', { authenticatorId })).credentials;
  return { page, passkeys };
}

test('a passkey that a real browser made signs a customer in, and its session signs (spec 4.5, 5 rules 9 and 10)', async () => {
  const emulator = await commandLine('--scenario', 'wallet');
  const { page, passkeys } = await walletApp();
  const { body: accounts } = await emulator.call('GET', '/customers/internal-accounts?type=EMBEDDED_WALLET');
  const accountId: string = accounts.data[0].id;
  const { body: credentials } = await emulator.call('GET', `/auth/credentials?accountId=${accountId}`);
  const signed = async (key: ReturnType<typeof clientKey>, method: string, path: string, body?: object) => {
    const first = await emulator.call(method, path, body);
    expect(first.status).toBe(202);
    return emulator.call(method, path, body, {
      'service-wallet-signature': await stampOf(key, first.body.payloadToSign),
      'request-id': first.body.requestId,
    });
  };

  // Zoe logs in by email code, so that somebody may add the passkey.
  const zoe = clientKey();
  const email = `/auth/credentials/${credentials.data[0].id}`;
  const { body: sent } = await emulator.call('POST', `${email}/challenge`);
  const { body: key } = await emulator.control('GET', '/wallet-key');
  const encryptedOtpBundle = await walletClient.encryptOtpCodeToBundle(
    '000000',
    sent.otpEncryptionTargetBundle,
    zoe.compressed,
    key.quorumPublicKey,
  );
  expect((await signed(zoe, 'POST', `${email}/verify`, { type: 'EMAIL_OTP', encryptedOtpBundle })).status).toBe(200);

  // The browser makes a passkey for the platform's challenge; Zoe's session authorizes it.
  const challenge = Buffer.from('a registration challenge of the platform').toString('base64url');
  const attestation = await page.evaluate(`register(${JSON.stringify(challenge)})`);
  const added = await signed(zoe, 'POST', '/auth/credentials', {
    type: 'PASSKEY',
    accountId,
    nickname: "Zoe's laptop",
    challenge,
    attestation,
  });
  expect(added.status).toBe(201);
  const [made] = await passkeys();
  expect(Buffer.from(made?.credentialId ?? '', 'base64').toString('base64url')).toBe(added.body.credentialId);

  // Signing in: the challenge is hex text, and the authenticator signs that text.
  const tab = clientKey();
  const passkey = `/auth/credentials/${added.body.id}`;
  const login = async () => {
    const { body: asked } = await emulator.call('POST', `${passkey}/challenge`, { clientPublicKey: tab.uncompressed });
    const assertion = await page.evaluate(`assert(${JSON.stringify(asked.challenge)})`);
    const answer = () =>
      emulator.call('POST', `${passkey}/verify`, { type: 'PASSKEY', assertion }, { 'request-id': asked.requestId });
    return { first: await answer(), again: answer };
  };
  const { first, again } = await login();
  expect(first).toMatchObject({ status: 200, body: { type: 'PASSKEY', nickname: "Zoe's laptop" } });
  expect((await again()).status).toBe(401);
  expect((await login()).first.status).toBe(200);

  // The sealed session key opens with the client's key, and signs.
  const session = keyFrom(walletClient.decryptCredentialBundle(first.body.encryptedSessionSigningKey, tab.privateKey));
  const changed = await signed(session, 'PATCH', `/internal-accounts/${accountId}`, { privateEnabled: true });
  expect(changed).toMatchObject({ status: 200, body: { privateEnabled: true } });
});
