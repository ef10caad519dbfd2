// node bench/wallet.mjs: wallet flows beside the bare cryptography that each of them cannot do without, measured in the
// same run. Time on the client's side (sealing, stamping, asserting) is left out.
import { createECDH, createHash, generateKeyPairSync, sign, verify, webcrypto } from 'node:crypto';
import { Aes256Gcm, CipherSuite, DhkemP256HkdfSha256, HkdfSha256 } from '@hpke/core';
import { startEmulator } from '../dist/index.js';
import { SoftwareAuthenticator, sealOtp, stamp } from '../dist/testkit.js';
import { figure, median, round } from './kit.mjs';

const ROUNDS = 15;
const BATCH = 20;

const suite = new CipherSuite({ kem: new DhkemP256HkdfSha256(), kdf: new HkdfSha256(), aead: new Aes256Gcm() });
const info = new TextEncoder().encode('turnkey_hpke');

/** The bare primitives, each as the flow needs it: from key material as bytes, nothing kept from the call before. */
async function primitives() {
  const pair = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const data = Buffer.from('x'.repeat(300));
  const signature = sign('sha256', data, pair.privateKey);
  const publicJwk = pair.publicKey.export({ format: 'jwk' });
  const privateJwk = pair.privateKey.export({ format: 'jwk' });
  const spki = pair.publicKey.export({ format: 'der', type: 'spki' });
  const algorithm = { name: 'ECDH', namedCurve: 'P-256' };
  const keys = async () => ({
    privateKey: await webcrypto.subtle.importKey('jwk', privateJwk, algorithm, true, ['deriveBits']),
    publicKey: await webcrypto.subtle.importKey('jwk', publicJwk, algorithm, true, []),
  });
  const recipient = await keys();
  const sender = await suite.createSenderContext({ recipientPublicKey: recipient.publicKey, info });
  const enc = sender.enc;
  const sealed = await sender.seal(new Uint8Array(103), new Uint8Array(130));
  return {
    'ECDSA sign (node:crypto)': () => sign('sha256', data, pair.privateKey),
    'ECDSA verify (node:crypto)': () => verify('sha256', data, { key: spki, format: 'der', type: 'spki' }, signature),
    'key pair (node:crypto)': () => createECDH('prime256v1').generateKeys(),
    'ECDH (WebCrypto)': async () => {
      const { privateKey, publicKey } = await keys();
      await webcrypto.subtle.deriveBits({ name: 'ECDH', public: publicKey }, privateKey, 256);
    },
    'HPKE open (@hpke/core)': async () => {
      const context = await suite.createRecipientContext({ recipientKey: await keys(), enc, info });
      await context.open(sealed, new Uint8Array(130));
    },
    'HPKE seal (@hpke/core)': async () => {
      const { publicKey } = await keys();
      const context = await suite.createSenderContext({ recipientPublicKey: publicKey, info, ekm: await keys() });
      await context.seal(new Uint8Array(32), new Uint8Array(130));
    },
  };
}

/** A wallet of its own, and calls whose time is added up. */
async function wallet(emulator) {
  const sandbox = await emulator.createSandbox({
    scenario: {
      platform: { currencies: [{ code: 'USDB' }] },
      limits: { challengesPerMinute: 0 },
      customers: [{ customerType: 'INDIVIDUAL', email: 'zoe@example.com' }],
    },
  });
  const spent = { ms: 0 };
  const call = async (method, path, body, headers = {}) => {
    const request = new Request(`${sandbox.baseUrl}${path}`, {
      method,
      headers: { authorization: sandbox.authorization, 'content-type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const begun = performance.now();
    const response = await emulator.fetch(request);
    const text = await response.text();
    spent.ms += performance.now() - begun;
    if (response.status >= 400) throw new Error(`${method} ${path}: ${text}`);
    return text === '' ? undefined : JSON.parse(text);
  };
  const { id: accountId, customerId } = (await call('GET', '/customers/internal-accounts')).data[0];
  const emailOtp = (await call('GET', `/auth/credentials?accountId=${accountId}`)).data[0].id;
  const retry = async (key, method, path, body) => {
    const { payloadToSign, requestId } = await call(method, path, body);
    const headers = { 'service-wallet-signature': stamp(key, payloadToSign), 'request-id': requestId };
    return call(method, path, body, headers);
  };
  const otpLogin = async (key) => {
    const { otpEncryptionTargetBundle } = await call('POST', `/auth/credentials/${emailOtp}/challenge`);
    const encryptedOtpBundle = await sealOtp(otpEncryptionTargetBundle, '000000', key.compressed);
    return retry(key, 'POST', `/auth/credentials/${emailOtp}/verify`, { type: 'EMAIL_OTP', encryptedOtpBundle });
  };
  return { sandbox, call, accountId, customerId, otpLogin, retry, spent };
}

const clientKey = () => {
  const ecdh = createECDH('prime256v1');
  ecdh.generateKeys();
  return {
    privateKey: ecdh.getPrivateKey('hex').padStart(64, '0'),
    compressed: ecdh.getPublicKey('hex', 'compressed'),
    uncompressed: ecdh.getPublicKey('hex'),
  };
};

/** What each flow cannot do without. */
const FLOWS = {
  'OTP login (3 requests)': {
    requests: 3,
    needs: {
      'key pair (node:crypto)': 1,
      'ECDSA sign (node:crypto)': 2,
      'HPKE open (@hpke/core)': 1,
      'ECDSA verify (node:crypto)': 1,
    },
    run: ({ otpLogin }) => otpLogin(clientKey()),
  },
  'passkey login (2 requests)': {
    requests: 2,
    needs: { 'key pair (node:crypto)': 2, 'ECDSA verify (node:crypto)': 1, 'HPKE seal (@hpke/core)': 1 },
    run: async ({ call }, { passkey, authenticator, key }) => {
      const path = `/auth/credentials/${passkey}`;
      const { challenge, requestId } = await call('POST', `${path}/challenge`, { clientPublicKey: key.uncompressed });
      const assertion = authenticator.assert(challenge);
      await call('POST', `${path}/verify`, { type: 'PASSKEY', assertion }, { 'request-id': requestId });
    },
  },
  'signed retry (2 requests)': {
    requests: 2,
    needs: { 'ECDSA verify (node:crypto)': 1 },
    run: ({ retry, accountId }, { key }) =>
      retry(key, 'PATCH', `/internal-accounts/${accountId}`, { privateEnabled: true }),
  },
};

/** Print how wallet flows compare to their bare primitives. */
export async function walletBench() {
  const emulator = await startEmulator({ port: 0, seed: 1, now: '2026-01-05T09:00:00Z', holdClock: true });
  const bare = await primitives();
  const costs = Object.fromEntries(Object.keys(bare).map((name) => [name, []]));
  const took = Object.fromEntries(['request', ...Object.keys(FLOWS)].map((name) => [name, []]));
  for (let round_ = -2; round_ < ROUNDS; round_ += 1) {
    // A wallet of its own a round, so that none grows old with sessions; interleaved, so that both sides see the same machine.
    const own = await wallet(emulator);
    const key = clientKey();
    await own.otpLogin(key);
    const authenticator = new SoftwareAuthenticator();
    const challenge = createHash('sha256').update('registration').digest('base64url');
    const body = {
      type: 'PASSKEY',
      accountId: own.accountId,
      nickname: 'Phone',
      challenge,
      attestation: authenticator.register(challenge),
    };
    const passkey = (await own.retry(key, 'POST', '/auth/credentials', body)).id;
    for (const [name, { run }] of Object.entries(FLOWS)) {
      for (let i = 0; i < BATCH; i += 1) {
        own.spent.ms = 0;
        await run(own, { key, passkey, authenticator });
        if (round_ >= 0) took[name].push(own.spent.ms);
      }
    }
    for (let i = 0; i < BATCH; i += 1) {
      own.spent.ms = 0;
      await own.call('PATCH', `/customers/${own.customerId}`, { fullName: 'Zoe Berg' });
      if (round_ >= 0) took.request.push(own.spent.ms);
    }
    for (const [name, work] of Object.entries(bare)) {
      for (let i = 0; i < BATCH; i += 1) {
        // The client's part precedes every request of a flow; in a tight loop the primitives would find warm caches.
        stamp(key, 'x'.repeat(300));
        const begun = performance.now();
        await work();
        if (round_ >= 0) costs[name].push(performance.now() - begun);
      }
    }
    await own.sandbox.drop();
  }
  await emulator.close();

  for (const [name, list] of Object.entries(costs)) figure(name, `${round(median(list), 3)} ms`);
  const request = median(took.request);
  figure('a request without cryptography (PATCH /customers/{id})', `${round(request, 3)} ms`);
  for (const [name, { needs, requests }] of Object.entries(FLOWS)) {
    const ms = median(took[name]);
    const least = Object.entries(needs).reduce((sum, [part, times]) => sum + times * median(costs[part]), 0);
    const ratio = ms / least;
    figure(
      `${name}, a second (bare primitives)`,
      `${round(1000 / ms, 0)} (${round(1000 / least, 0)}) = ${round(ratio)} x the time`,
      'at most 1.5 x',
      ratio <= 1.5,
    );
    const rest = ms - requests * request;
    figure(
      '  of which: primitives / requests / the rest, ms',
      `${round(least, 3)} / ${round(requests * request, 3)} / ${round(rest - least, 3)}`,
      `without the requests ${round(rest / least)} x`,
    );
  }
}

if (process.argv[1] === new URL(import.meta.url).pathname) await walletBench();
