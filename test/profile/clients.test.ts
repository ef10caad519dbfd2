import { verify } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { OPERATIONS } from '../../src/areas.ts';
import { PROFILES } from '../../src/contract/profile.ts';
import { LEGACY_STAMP } from '../../src/crypto/index.ts';
import { walletClient } from '../crypto/clients.ts';
import { moneyKit } from '../kit/money.ts';
import { receiver } from '../kit/receiver.ts';
import { type Answer, type CallOptions, type Kit, kit } from '../kit/sandbox.ts';
import { Authenticator, claims, clientKey, nonceOf, sessionKeyOf, stampOf, token, walletKit } from '../kit/wallet.ts';

/** Clients of the public API as they are in use, each with the headers, bodies and habits it is known for. */

const ada = { customerType: 'INDIVIDUAL', fullName: 'Ada Obi', platformCustomerId: 'ada' };
const signatureOf = (it: Kit) => it.host.profile.walletSignatureHeader;
const basic = (it: Kit) => {
  const [login] = it.sandbox.credentials;
  return `Basic ${Buffer.from(`${login?.tokenId}:${login?.secret}`).toString('base64')}`;
};
/** A call with these headers and this text and no others. */
const plainly = (it: Kit, method: string, path: string, headers: Record<string, string>, raw?: string | FormData) =>
  it.overlapping(method, path, undefined, {
    as: null,
    headers: { authorization: basic(it), ...headers },
    ...(raw === undefined ? {} : { raw }),
  });

describe('the generated TypeScript client', () => {
  const HEADERS = {
    Accept: 'application/json',
    'Content-Type': 'application/json',
    'User-Agent': 'Client/JS 0.7.0',
    'X-Stainless-Retry-Count': '0',
    'X-Stainless-Timeout': '60',
    'X-Stainless-Lang': 'js',
    'X-Stainless-Package-Version': '0.7.0',
    'X-Stainless-OS': 'Linux',
    'X-Stainless-Arch': 'x64',
    'X-Stainless-Runtime': 'node',
    'X-Stainless-Runtime-Version': 'v20.19.0',
  };
  const TOO_LONG = 60_000;

  const wantsAgain = ({ status, headers }: Answer): boolean => {
    const told = headers.get('x-should-retry');
    return told ? told === 'true' : [408, 409, 429].includes(status) || status >= 500;
  };
  /** `retry-after-ms`, else `retry-after` in seconds or as a date, if below a minute; else a pause of its own. */
  const pauseOf = ({ headers }: Answer, tries: number): number => {
    const after = headers.get('retry-after') ?? '';
    const told = Number(headers.get('retry-after-ms') ?? Number.NaN) || Number(after) * 1000 || Date.parse(after) - 0;
    return told >= 0 && told < TOO_LONG ? told : Math.min(500 * 2 ** tries, 8000);
  };
  /** One call of it: the last answer, how often it asked, and the milliseconds it waited. */
  const ask = async (it: Kit, method: string, path: string, body?: object, more: Record<string, string> = {}) => {
    let waited = 0;
    for (let tries = 0; ; tries += 1) {
      const headers = { ...HEADERS, 'X-Stainless-Retry-Count': String(tries), ...more };
      const answer = await plainly(it, method, path, headers, body && JSON.stringify(body));
      if (tries === 2 || !wantsAgain(answer)) return { ...answer, asked: tries + 1, waited };
      const pause = pauseOf(answer, tries);
      await it.advance(`PT${pause / 1000}S`);
      waited += pause;
    }
  };

  test('the generated TypeScript client does not retry a conflict, so it calls once', async () => {
    const it = await kit({ profile: 'grid' });
    expect(await ask(it, 'POST', '/customers', ada)).toMatchObject({ status: 201, asked: 1 });
    const again = await ask(it, 'POST', '/customers', ada);
    expect(again).toMatchObject({ status: 409, asked: 1, waited: 0, body: { status: 409, code: 'CONFLICT' } });
    expect((await it.get('/customers')).body.totalCount).toBe(1);
  });

  test('the generated TypeScript client waits as long as a 429 says, and then gets through', async () => {
    const it = await walletKit({ profile: 'grid', scenario: ['wallet', { limits: { challengesPerMinute: 2 } }] });
    const path = `/auth/credentials/${it.emailOtp}/challenge`;
    await ask(it, 'POST', path);
    await it.advance('PT20S');
    await ask(it, 'POST', path);
    expect(await ask(it, 'POST', path)).toMatchObject({ status: 200, asked: 2, waited: 40_000 });
  });

  test('the generated TypeScript client retries a failed call after the pause that the reply asks for', async () => {
    const it = await kit({ profile: 'grid' });
    const fault = (times: number, then: object) =>
      it.control('POST', '/faults', { match: { operation: 'listCustomers', times }, then });
    await fault(2, { status: 503 });
    expect(await ask(it, 'GET', '/customers')).toMatchObject({ status: 200, asked: 3, waited: 500 + 1000 });
    await fault(1, { status: 429, retryAfter: 7 });
    expect(await ask(it, 'GET', '/customers')).toMatchObject({ status: 200, asked: 2, waited: 7000 });
    await fault(9, { code: 'SERVICE_SWITCH_ERROR' });
    const last = await ask(it, 'GET', '/customers');
    const [code] = Object.values(PROFILES.grid.values['code'] ?? {});
    expect(last).toMatchObject({ status: 500, asked: 3, body: { code } });
  });

  test('the generated TypeScript client may retry a payment without a reply: the same key pays once', async () => {
    const it = await moneyKit({ profile: 'grid' });
    const usd = await it.funded('USD', 50_000);
    const quote = (
      await it.quote(
        { sourceType: 'ACCOUNT', accountId: usd.id },
        { destinationType: 'ACCOUNT', accountId: it.bank('EUR').id },
      )
    ).body;
    const key = { 'Idempotency-Key': 'stainless-node-retry-1' };
    const first = await ask(it, 'POST', `/quotes/${quote.id}/execute`, undefined, key);
    const again = await ask(it, 'POST', `/quotes/${quote.id}/execute`, undefined, {
      ...key,
      'X-Stainless-Retry-Count': '1',
    });
    expect([first.status, again.status, again.text]).toEqual([200, 200, first.text]);
    expect(await it.balance(usd.id)).toBe(30_000);
  });

  test('the generated TypeScript client follows the cursor through the pages while there are more', async () => {
    const it = await kit({ profile: 'grid' });
    for (let i = 0; i < 5; i += 1) await it.post('/customers', { ...ada, platformCustomerId: `c-${i}` });
    const seen: string[] = [];
    let query = 'limit=2';
    for (let pages = 0; pages < 9; pages += 1) {
      const { body } = await ask(it, 'GET', `/customers?${query}`);
      seen.push(...body.data.map((c: { platformCustomerId: string }) => c.platformCustomerId));
      expect('nextCursor' in body).toBe(body.hasMore);
      if (!body.hasMore) break;
      query = `limit=2&cursor=${encodeURIComponent(body.nextCursor)}`;
    }
    expect(seen.sort()).toEqual(['c-0', 'c-1', 'c-2', 'c-3', 'c-4']);
  });

  test('the generated TypeScript client may write ids into paths raw or percent-encoded', async () => {
    const it = await kit({ profile: 'grid' });
    const { id } = (await it.post('/customers', ada)).body;
    for (const written of [id, encodeURIComponent(id), id.replace(':', '%3a')])
      expect((await ask(it, 'GET', `/customers/${written}`)).body.id).toBe(id);
  });

  test('the generated TypeScript client joins a list in a query with commas, where others repeat the name', async () => {
    const it = await kit({ profile: 'grid' });
    const rows = async (query: string) => {
      const { status, body } = await ask(it, 'GET', `/exchange-rates?sourceCurrency=USD&${query}`);
      expect(status).toBe(200);
      return new Set(body.data.map((row: { destinationCurrency: { code: string } }) => row.destinationCurrency.code));
    };
    const both = new Set(['EUR', 'GBP']);
    expect(await rows('destinationCurrency=EUR&destinationCurrency=GBP')).toEqual(both);
    expect(await rows('destinationCurrency=EUR,GBP')).toEqual(both);
    expect(await rows('destinationCurrency=EUR%2CGBP')).toEqual(both);
  });

  test('the generated TypeScript client deletes a token with Accept: */* and gets 204 without a body', async () => {
    const it = await kit({ profile: 'grid' });
    const { id } = (await ask(it, 'POST', '/tokens', { name: 'T', permissions: ['VIEW'] })).body;
    const answer = await ask(it, 'DELETE', `/tokens/${id}`, undefined, { Accept: '*/*' });
    expect([answer.status, answer.text]).toEqual([204, '']);
  });

  test('the generated TypeScript client uploads a document as its own multipart form', async () => {
    const it = await kit({ profile: 'grid' });
    const { id } = (await it.post('/customers', ada)).body;
    const form = new FormData();
    for (const [name, value] of Object.entries({ documentHolder: id, documentType: 'PASSPORT', country: 'US' }))
      form.append(name, value);
    form.append('documentNumber', 'X1');
    form.append('issuingAuthority', 'State');
    form.append('file', new File([new TextEncoder().encode('%PDF-1.7\n')], 'passport.pdf'));
    const { 'Content-Type': _, ...headers } = HEADERS;
    expect(await plainly(it, 'POST', '/documents', headers, form)).toMatchObject({ status: 201 });
  });

  test('the generated TypeScript client sends unknown members, and the emulator ignores them', async () => {
    const it = await kit({ profile: 'grid' });
    const odd = {
      ...ada,
      beneficialOwners: [{ fullName: 'x', individualType: 'UBO' }],
      bankAccountInfo: {},
      newer: [1],
    };
    const answer = await ask(it, 'POST', '/customers', odd);
    expect(answer.status).toBe(201);
    expect(answer.body).not.toHaveProperty('newer');
  });

  test('the generated TypeScript client calls the older path of the test webhook, and the emulator ignores its body', async () => {
    const hooks = await receiver();
    const it = await kit({ profile: 'grid', webhookUrl: hooks.url });
    const answer = await ask(it, 'POST', '/webhooks/test', { url: 'https://elsewhere.example/' });
    expect(answer).toMatchObject({ status: 200, body: { url: hooks.url, response_status: 200 } });
    expect(hooks.types()).toEqual(['TEST']);
  });
});

describe('the command line client', () => {
  const HEADERS = { Accept: 'application/json' };

  test('the command line client sends a content type only with a body; challenges and deletes work without one', async () => {
    const it = await walletKit({ profile: 'grid' });
    const { key, session } = await it.login();
    expect((await plainly(it, 'POST', `/auth/credentials/${it.emailOtp}/challenge`, HEADERS)).status).toBe(200);
    const path = `/auth/sessions/${session.id}`;
    const first = await plainly(it, 'DELETE', path, HEADERS);
    expect([first.status, Object.keys(first.body).sort()]).toEqual([
      202,
      ['expiresAt', 'payloadToSign', 'requestId', 'type'],
    ]);
    const proof = {
      [signatureOf(it)]: await stampOf(key, first.body.payloadToSign),
      'Request-Id': first.body.requestId,
    };
    expect((await plainly(it, 'DELETE', path, { ...HEADERS, ...proof })).status).toBe(204);
  });

  test('the command line client logs in by passkey with a meaningless signature, because it cannot send Request-Id alone', async () => {
    const it = await walletKit({ profile: 'grid' });
    const { key } = await it.login();
    const authenticator = new Authenticator();
    const { id } = await it.addPasskey(key, authenticator);
    const { path, body, headers } = await it.asserted(id, authenticator, clientKey());
    const both = { 'Request-Id': headers['request-id'] as string, [signatureOf(it)]: 'dummy' };
    const answer = await plainly(
      it,
      'POST',
      path,
      { ...HEADERS, ...both, 'Content-Type': 'application/json' },
      JSON.stringify(body),
    );
    expect(answer).toMatchObject({ status: 200, body: { type: 'PASSKEY' } });
  });

  test('the command line client gets code, message and details of an error', async () => {
    const it = await kit({ profile: 'grid' });
    const json = { ...HEADERS, 'Content-Type': 'application/json' };
    const { status, body } = await plainly(it, 'POST', '/customers', json, '{"customerType":"BUSINESS"}');
    expect(status).toBe(400);
    expect(body).toMatchObject({ status: 400, code: 'INVALID_INPUT', message: expect.any(String) });
    expect(body.details.errors.map((error: { field: string }) => error.field)).toContain('businessInfo.taxId');
  });

  test('the command line client may use any base path', async () => {
    const it = await kit({ profile: 'grid', basePath: '/grid/v1' });
    expect((await plainly(it, 'GET', '/config', HEADERS)).status).toBe(200);
  });
});

describe('the wallet walkthrough with its helper script', () => {
  test('the wallet walkthrough logs in by code with an uncompressed key, pays from a quote with one signature, and polls', async () => {
    const it = await walletKit({ profile: 'grid' });
    const json = { 'Content-Type': 'application/json' };
    const post = (path: string, body: unknown, headers = {}) =>
      plainly(it, 'POST', path, { ...json, ...headers }, JSON.stringify(body));
    const key = clientKey();
    const verifyPath = `/auth/credentials/${it.emailOtp}/verify`;
    const challenge = (await post(`/auth/credentials/${it.emailOtp}/challenge`, {})).body;
    expect(typeof challenge.otpEncryptionTargetBundle).toBe('string');
    const encryptedOtpBundle = await walletClient.encryptOtpCodeToBundle(
      '000000',
      challenge.otpEncryptionTargetBundle,
      key.uncompressed,
      it.quorumPublicKey,
    );
    const first = await post(verifyPath, { type: 'EMAIL_OTP', encryptedOtpBundle });
    expect(first.status).toBe(202);
    const signature = await stampOf(key, first.body.payloadToSign);
    const proof = { [signatureOf(it)]: signature, 'Request-Id': first.body.requestId };
    // The library that repeats the call writes its JSON anew, in another order.
    const session = await post(verifyPath, { encryptedOtpBundle, type: 'EMAIL_OTP' }, proof);
    expect(session.status).toBe(200);
    expect(session.body).not.toHaveProperty('encryptedSessionSigningKey');

    const found = await plainly(it, 'GET', `/internal-accounts?customerId=${it.customerId}&type=EMBEDDED_WALLET`, {});
    expect(found.body.data[0].id).toBe(it.accountId);
    const usd = (await plainly(it, 'GET', '/customers/internal-accounts?currency=USD', {})).body.data[0];
    const quote = await post('/quotes', {
      source: { sourceType: 'ACCOUNT', accountId: it.accountId },
      destination: { destinationType: 'ACCOUNT', accountId: usd.id },
      lockedCurrencySide: 'SENDING',
      lockedCurrencyAmount: 10_000_000,
    });
    expect(quote.status).toBe(201);
    const { payloadToSign } = quote.body.paymentInstructions
      .map((one: { accountOrWalletInfo: { accountType: string } }) => one.accountOrWalletInfo)
      .find((info: { accountType: string }) => info.accountType === 'EMBEDDED_WALLET');
    const stamp = { [signatureOf(it)]: await stampOf(key, payloadToSign) };
    expect((await post(`/quotes/${quote.body.id}/execute`, {}, stamp)).status).toBe(200);
    await it.settle();
    const { status } = (await plainly(it, 'GET', `/transactions/${quote.body.transactionId}`, {})).body;
    expect(status).toBe('COMPLETED');
  });
});

describe('the browser wallet behind its proxy', () => {
  test('the browser wallet behind its proxy adds a passkey, logs in with it and pays; header names arrive in lower case', async () => {
    const it = await walletKit({ profile: 'grid' });
    const lower = signatureOf(it).toLowerCase();
    const post = (path: string, body?: unknown, headers: Record<string, string> = {}) =>
      plainly(it, 'POST', path, { 'content-type': 'application/json', ...headers }, JSON.stringify(body ?? {}));
    const list = await plainly(it, 'GET', `/auth/credentials?accountId=${it.accountId}`, {});
    expect(list.body.data).toMatchObject([{ type: 'EMAIL_OTP', nickname: 'zoe@example.com' }]);
    const { key } = await it.login();
    const authenticator = new Authenticator();
    const add = { type: 'PASSKEY', accountId: it.accountId, nickname: 'This browser', ...authenticator.create() };
    const first = await post('/auth/credentials', add);
    expect(first.status).toBe(202);
    const proof = { [lower]: await stampOf(key, first.body.payloadToSign), 'request-id': first.body.requestId };
    const passkey = await post('/auth/credentials', add, proof);
    expect([passkey.status, passkey.body.credentialId]).toEqual([201, authenticator.credentialId]);

    const client = clientKey();
    const challenge = await post(`/auth/credentials/${passkey.body.id}/challenge`, {
      clientPublicKey: client.uncompressed,
    });
    expect(challenge).toMatchObject({ status: 200, body: { credentialId: authenticator.credentialId } });
    expect(challenge.body.challenge).toMatch(/^[0-9a-f]{64}$/);
    const assertion = { ...authenticator.get(challenge.body.challenge), userHandle: null };
    const session = await post(
      `/auth/credentials/${passkey.body.id}/verify`,
      { type: 'PASSKEY', assertion },
      { 'request-id': challenge.body.requestId },
    );
    expect(session.status).toBe(200);
    expect(Date.parse(session.body.expiresAt) - it.now()).toBe(15 * 60_000);
    const sessionKey = sessionKeyOf(client, session.body);

    const usd = (await it.get('/customers/internal-accounts', { currency: 'USD' })).body.data[0];
    const { body: quote } = await post('/quotes', {
      source: { sourceType: 'ACCOUNT', accountId: it.accountId },
      destination: { destinationType: 'ACCOUNT', accountId: usd.id },
      lockedCurrencySide: 'SENDING',
      lockedCurrencyAmount: 10_000_000,
    });
    const stamp = await stampOf(sessionKey, quote.paymentInstructions[0].accountOrWalletInfo.payloadToSign);
    const headers = { [lower]: stamp, 'idempotency-key': 'pay-1' };
    const paid = await post(`/quotes/${quote.id}/execute`, {}, headers);
    const again = await post(`/quotes/${quote.id}/execute`, {}, headers);
    expect([paid.status, again.status, again.text]).toEqual([200, 200, paid.text]);
  });

  test("the browser wallet's webhook receiver takes a webhook whose signature verifies with a key kept on one line", async () => {
    const hooks = await receiver();
    const it = await kit({ profile: 'grid', webhookUrl: hooks.url });
    const { pem } = (await it.control('GET', '/webhooks/key')).body;
    // Keys are kept in an environment value, on one line.
    const escaped = pem.replaceAll('\n', '\\n');
    const name = it.host.profile.webhookSignatureHeader.toLowerCase();
    hooks.react = ({ headers, raw }) => {
      const { v, s } = JSON.parse(String(headers[name]));
      const good = verify('sha256', Buffer.from(raw), escaped.replaceAll('\\n', '\n'), Buffer.from(s, 'base64'));
      return v === '1' && good && headers['content-type'] === 'application/json' ? 200 : 401;
    };
    await it.post('/customers', ada);
    await hooks.until(1);
    await it.settle();
    expect(hooks.received.map(({ event }) => [Object.keys(event), event.type])).toEqual([
      [['id', 'type', 'timestamp', 'data'], 'CUSTOMER.KYC_APPROVED'],
    ]);
    expect((await it.control('GET', '/webhooks')).body.data[0].state).toBe('DELIVERED');
  });
});

describe('the web sample with its JVM backend', () => {
  test('the web sample with its JVM backend uses both literals of the sandbox, and executes with a content type but no body', async () => {
    const it = await walletKit({ profile: 'grid' });
    const json = { 'Content-Type': 'application/json; charset=utf-8' };
    const call = (method: string, path: string, headers: Record<string, string>, body?: unknown) =>
      plainly(it, method, path, { ...json, ...headers }, body === undefined ? '' : JSON.stringify(body));
    const authenticator = new Authenticator();
    const add = { accountId: it.accountId, type: 'PASSKEY', nickname: 'Web', ...authenticator.create() };
    const first = await call('POST', '/auth/credentials', {}, add);
    const proof = (answer: Answer) => ({ [signatureOf(it)]: LEGACY_STAMP, 'Request-Id': answer.body.requestId });
    const passkey = await call('POST', '/auth/credentials', proof(first), add);
    expect([first.status, passkey.status]).toEqual([202, 201]);
    const path = `/auth/credentials/${passkey.body.id}`;
    const challenge = await call('POST', `${path}/challenge`, {}, { clientPublicKey: clientKey().uncompressed });
    const assertion = {
      credentialId: authenticator.credentialId,
      clientDataJson: 'e30',
      authenticatorData: 'AA',
      signature: 'sandbox-valid-passkey-signature',
    };
    const session = await call(
      'POST',
      `${path}/verify`,
      { 'Request-Id': challenge.body.requestId },
      { type: 'PASSKEY', assertion },
    );
    expect([session.status, typeof session.body.encryptedSessionSigningKey]).toEqual([200, 'string']);
    const usd = (await it.get('/customers/internal-accounts', { currency: 'USD' })).body.data[0];
    const { body: quote } = await call(
      'POST',
      '/quotes',
      {},
      {
        source: { sourceType: 'ACCOUNT', accountId: it.accountId },
        destination: { destinationType: 'ACCOUNT', accountId: usd.id },
        lockedCurrencySide: 'SENDING',
        lockedCurrencyAmount: 10_000_000,
      },
    );
    expect((await call('POST', `/quotes/${quote.id}/execute`, { [signatureOf(it)]: LEGACY_STAMP })).status).toBe(200);
  });

  test('the web sample with its JVM backend logs in by token with a nonce over the key as it was sent', async () => {
    const it = await walletKit({ profile: 'grid' });
    const { key } = await it.login();
    const { id } = await it.addOauth(key);
    const { uncompressed: clientPublicKey } = clientKey();
    const oidcToken = token(claims(it.now(), { nonce: nonceOf(clientPublicKey) }));
    const body = JSON.stringify({ type: 'OAUTH', oidcToken, clientPublicKey });
    const headers = { 'Content-Type': 'application/json', [signatureOf(it)]: 'ignored', 'Request-Id': 'ignored' };
    expect((await plainly(it, 'POST', `/auth/credentials/${id}/verify`, headers, body)).status).toBe(200);
  });
});

describe('replies under a strict reader', () => {
  /** Every member of a value, by its name. */
  function* members(value: unknown, name = ''): Generator<[string, unknown]> {
    yield [name, value];
    if (typeof value !== 'object' || value === null) return;
    for (const [key, inner] of Object.entries(value)) yield* members(inner, Array.isArray(value) ? name : key);
  }

  test('a strict reader finds moments in ISO 8601 UTC, days as days, whole amounts, and every 409 with x-should-retry: false', async () => {
    const it = await moneyKit({ profile: 'grid' });
    const read: Answer[] = [];
    const call = async (method: string, path: string, body?: unknown, options?: CallOptions) => {
      const answer = await it.overlapping(method, path, body, options);
      read.push(answer);
      return answer.body;
    };
    const usd = await it.funded('USD', 9_007_199_254);
    for (const to of [it.bank('EUR'), it.bank('MXN', '002'), it.wallet()]) {
      const quote = await call('POST', '/quotes', {
        source: { sourceType: 'ACCOUNT', accountId: usd.id },
        destination: { destinationType: 'ACCOUNT', accountId: to.id },
        lockedCurrencySide: 'SENDING',
        lockedCurrencyAmount: 20_000,
      });
      await call('POST', `/quotes/${quote.id}/execute`);
      await call('POST', `/quotes/${quote.id}/execute`);
    }
    await it.settle();
    await call('POST', '/customers', { ...ada, platformCustomerId: 'ana' });
    await call('POST', `/customers/${it.customer.id}/verify-email`);
    await call('POST', `/customers/${it.customer.id}/kyc-link`);
    for (const { path, method } of OPERATIONS)
      if (method === 'GET' && !/[{]|external-accounts|\/auth\//.test(path))
        await call(method, path, undefined, { query: { customerId: it.customer.id } });
    for (const event of it.events()) read.push({ status: 0, headers: new Headers(), text: '', body: event });

    let [moments, amounts, conflicts] = [0, 0, 0];
    for (const { status, headers, body } of read) {
      if (status === 409) {
        conflicts += 1;
        expect(headers.get('x-should-retry')).toBe('false');
      }
      for (const [name, value] of members(body)) {
        if (/(?:At|^timestamp)$/.test(name) && typeof value === 'string') {
          moments += 1;
          expect(value, name).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/);
        }
        if (/Date$|^incorporatedOn$/.test(name) && typeof value === 'string')
          expect(value).toMatch(/^\d{4}-\d\d-\d\d$/);
        if (/amount$/i.test(name) && typeof value === 'number') {
          amounts += 1;
          expect(Number.isSafeInteger(value), `${name} ${value}`).toBe(true);
        }
        if (name === 'id' && typeof value === 'string')
          expect(value).toMatch(/^[A-Z]\w+:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
      }
    }
    expect([moments > 50, amounts > 50, conflicts >= 3]).toEqual([true, true, true]);
  });
});
