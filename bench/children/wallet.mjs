// node wallet.mjs <index.js> <rounds>: wallet flows beside the bare cryptography that each of them cannot do without, in the
// same rounds. Time on the client's side (sealing, stamping, asserting) is left out. Prints JSON by flow: milliseconds by
// round of the flow and of its primitives, of its requests without cryptography, and CPU milliseconds of the flow.
import { createECDH, createHash, generateKeyPairSync, sign, verify, webcrypto } from 'node:crypto';
import { pathToFileURL } from 'node:url';
import { Aes256Gcm, CipherSuite, DhkemP256HkdfSha256, HkdfSha256 } from '@hpke/core';
import { p256 } from '@noble/curves/nist.js';
import { SoftwareAuthenticator, sealOtp, stamp } from '../../dist/testkit.js';
import { median } from '../statistics.mjs';

const { startEmulator } = await import(pathToFileURL(process.argv[2]).href);
const ROUNDS = Number(process.argv[3]);
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
  const scalar = Uint8Array.from(Buffer.from(privateJwk.d, 'base64url'));
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
    'ECDSA sign, repeatable (@noble/curves)': () => p256.sign(data, scalar, { format: 'der' }),
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
  const spent = { ms: 0, cpuMs: 0 };
  const call = async (method, path, body, headers = {}) => {
    const request = new Request(`${sandbox.baseUrl}${path}`, {
      method,
      headers: { authorization: sandbox.authorization, 'content-type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const begun = performance.now();
    const busy = process.cpuUsage();
    const response = await emulator.fetch(request);
    const text = await response.text();
    const { user, system } = process.cpuUsage(busy);
    spent.cpuMs += (user + system) / 1000;
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
  otp: {
    requests: 3,
    needs: {
      'key pair (node:crypto)': 1,
      'ECDSA sign, repeatable (@noble/curves)': 2,
      'HPKE open (@hpke/core)': 1,
      'ECDSA verify (node:crypto)': 1,
    },
    run: ({ otpLogin }) => otpLogin(clientKey()),
  },
  passkey: {
    requests: 2,
    needs: { 'key pair (node:crypto)': 2, 'ECDSA verify (node:crypto)': 1, 'HPKE seal (@hpke/core)': 1 },
    run: async ({ call }, { passkey, authenticator, key }) => {
      const path = `/auth/credentials/${passkey}`;
      const { challenge, requestId } = await call('POST', `${path}/challenge`, { clientPublicKey: key.uncompressed });
      const assertion = authenticator.assert(challenge);
      await call('POST', `${path}/verify`, { type: 'PASSKEY', assertion }, { 'request-id': requestId });
    },
  },
  retry: {
    requests: 2,
    needs: { 'ECDSA verify (node:crypto)': 1 },
    run: ({ retry, accountId }, { key }) =>
      retry(key, 'PATCH', `/internal-accounts/${accountId}`, { privateEnabled: true }),
  },
};

const emulator = await startEmulator({ port: 0, seed: 1, now: '2026-01-05T09:00:00Z', holdClock: true });
const bare = await primitives();
const rounds = [];
for (let round = -2; round < ROUNDS; round += 1) {
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
  /** The median of a batch: milliseconds, and those on a processor. */
  const batch = async (run) => {
    const [ms, cpuMs] = [[], []];
    for (let i = 0; i < BATCH; i += 1) {
      Object.assign(own.spent, { ms: 0, cpuMs: 0 });
      await run();
      ms.push(own.spent.ms);
      cpuMs.push(own.spent.cpuMs);
    }
    return { ms: median(ms), cpuMs: median(cpuMs) };
  };
  const took = {};
  for (const [name, { run }] of Object.entries(FLOWS))
    took[name] = await batch(() => run(own, { key, passkey, authenticator }));
  took.request = await batch(() => own.call('PATCH', `/customers/${own.customerId}`, { fullName: 'Zoe Berg' }));
  const costs = {};
  for (const [name, work] of Object.entries(bare)) {
    const list = [];
    for (let i = 0; i < BATCH; i += 1) {
      // The client's part precedes every request of a flow; in a tight loop the primitives would find warm caches.
      stamp(key, 'x'.repeat(300));
      const begun = performance.now();
      await work();
      list.push(performance.now() - begun);
    }
    costs[name] = median(list);
  }
  await own.sandbox.drop();
  if (round >= 0) rounds.push({ took, costs });
}
await emulator.close();

const flows = Object.entries(FLOWS).map(([name, { needs, requests }]) => [
  name,
  rounds.map(({ took, costs }) => ({
    ms: took[name].ms,
    cpuMs: took[name].cpuMs,
    primitivesMs: Object.entries(needs).reduce((sum, [part, times]) => sum + times * costs[part], 0),
    requestsMs: requests * took.request.ms,
  })),
]);
console.log(JSON.stringify(Object.fromEntries(flows)));
process.exit(0);
