import { describe, expect, test } from 'vitest';
import { OPERATIONS } from '../../../src/areas.ts';
import { Authenticator, clientKey, proof, refused, stampOf, type WalletKit, walletKit } from '../../kit/wallet.ts';

describe('pending codes after a change of address (S21)', () => {
  test.each([
    ['email', 'EMAIL_OTP', 'new@example.org'],
    ['phoneNumber', 'SMS_OTP', '+12065550199'],
  ])("a code that was sent before the customer's %s changed is refused with 401", async (field, type, value) => {
    const it = await walletKit();
    const { key } = await it.login();
    const added = await it.sign(key, 'POST', '/auth/credentials', { type: 'SMS_OTP', accountId: it.accountId });
    const id = type === 'SMS_OTP' ? added.body.id : it.emailOtp;
    const path = `/auth/credentials/${id}/verify`;
    const client = clientKey();
    const [early, late] = [await it.sealedCode(client, '000000', id), clientKey()];
    const first = await it.post(path, early);
    expect(first.status).toBe(202);
    expect((await it.sign(key, 'PATCH', `/customers/${it.customerId}`, { [field]: value })).status).toBe(200);
    const over = [401, 'UNAUTHORIZED', 'No pending OTP for this credential'];
    expect(refused(await it.post(path, early))).toEqual(over);
    expect(refused(await it.post(path, early, { headers: await proof(client, first) }))).toEqual(over);
    expect((await it.login(late, id)).session.nickname).toBe(value);
  });
});

describe('the wallet of a deleted customer (S23)', () => {
  /** A wallet with everything pending that there is, whose customer was then deleted. */
  async function deleted() {
    const it = await walletKit();
    const { key, session } = await it.login();
    const passkey = await it.addPasskey(key, new Authenticator());
    const usd = (await it.get('/customers/internal-accounts', { currency: 'USD' })).body.data[0];
    const sent = {
      source: { sourceType: 'ACCOUNT', accountId: it.accountId },
      destination: { destinationType: 'ACCOUNT', accountId: usd.id },
      lockedCurrencySide: 'SENDING',
      lockedCurrencyAmount: 10_000_000,
    };
    const { body: quote } = await it.post('/quotes', sent);
    const code = await it.sealedCode(clientKey());
    const wallet = `/internal-accounts/${it.accountId}`;
    const cardOfZoe = { cardholderId: it.customerId, form: 'VIRTUAL', fundingSources: [it.accountId] };
    const { body: card } = await it.post('/cards', cardOfZoe);
    await it.settle();
    const delegation = { cardId: card.id, internalAccountId: it.accountId, nickname: 'Card' };
    const calls: Record<string, [method: string, path: string, body?: object]> = {
      createAuthCredential: ['POST', '/auth/credentials', { type: 'SMS_OTP', accountId: it.accountId }],
      challengeAuthCredential: ['POST', `/auth/credentials/${it.emailOtp}/challenge`, {}],
      verifyAuthCredential: ['POST', `/auth/credentials/${it.emailOtp}/verify`, code],
      revokeAuthCredential: ['DELETE', `/auth/credentials/${passkey.id}`],
      refreshAuthSession: ['POST', `/auth/sessions/${session.id}/refresh`, { clientPublicKey: key.compressed }],
      revokeAuthSession: ['DELETE', `/auth/sessions/${session.id}`],
      exportInternalAccount: ['POST', `${wallet}/export`, { clientPublicKey: clientKey().uncompressed }],
      updateInternalAccount: ['PATCH', wallet, { privateEnabled: true }],
      updateCustomerById: ['PATCH', `/customers/${it.customerId}`, { email: 'new@example.org' }],
      executeQuote: ['POST', `/quotes/${quote.id}/execute`, {}],
      createQuote: ['POST', '/quotes', sent],
      createDelegatedKey: ['POST', '/auth/delegated-keys', delegation],
    };
    const first = new Map<string, Awaited<ReturnType<WalletKit['call']>>>();
    for (const [id, [method, path, body]] of Object.entries(calls))
      if (id !== 'createQuote') first.set(id, await it.call(method, path, body));
    expect((await it.del(`/customers/${it.customerId}`)).status).toBe(200);
    return { it, key, calls, first, quote };
  }

  test('every signed operation on the wallet of a deleted customer is refused with 404, before and after its signature (S23)', async () => {
    const { it, key, calls, first } = await deleted();
    // An agent of a deleted customer is nobody any more: 401.
    const signed = OPERATIONS.filter(({ authorize, auth }) => authorize && auth === 'basic').map(({ id }) => id);
    expect(Object.keys(calls)).toEqual(expect.arrayContaining(signed));
    for (const [id, [method, path, body]] of Object.entries(calls)) {
      const answer = await it.call(method, path, body);
      expect([id, answer.status]).toEqual([id, 404]);
      const challenge = first.get(id);
      if (challenge?.status !== 202) continue;
      const retry = await it.call(method, path, body, { headers: await proof(key, challenge) });
      expect([id, retry.status]).toEqual([id, 404]);
    }
  });

  test('a signed execution of a quote from the wallet of a deleted customer is refused with 404, and its lists are empty (S23)', async () => {
    const { it, key, quote } = await deleted();
    const { payloadToSign } = quote.paymentInstructions[0].accountOrWalletInfo;
    const headers = { 'service-wallet-signature': await stampOf(key, payloadToSign) };
    expect((await it.post(`/quotes/${quote.id}/execute`, {}, { headers })).status).toBe(404);
    for (const list of ['/auth/credentials', '/auth/sessions'])
      expect((await it.get(list, { accountId: it.accountId })).body.data).toEqual([]);
  });

  test('the email of a deleted customer can be tied to the wallet of another customer (S23)', async () => {
    const { it } = await deleted();
    const again = {
      customerType: 'INDIVIDUAL',
      fullName: 'Zoe Again',
      birthDate: '1992-04-18',
      email: 'zoe@example.com',
    };
    const { body } = await it.post('/customers', again);
    const page = await it.get('/customers/internal-accounts', { customerId: body.id, type: 'EMBEDDED_WALLET' });
    const { data } = (await it.get('/auth/credentials', { accountId: page.body.data[0].id })).body;
    expect(data).toMatchObject([{ type: 'EMAIL_OTP', nickname: 'zoe@example.com' }]);
  });
});

describe('a passkey registration (S25, spec 5 rule 10)', () => {
  test('a challenge for a passkey registration counts once, on the same wallet and on another (S25)', async () => {
    const it = await walletKit();
    const { key } = await it.login();
    const made = new Authenticator().create();
    const add = (accountId: string, body: object) =>
      it.sign(key, 'POST', '/auth/credentials', { type: 'PASSKEY', nickname: 'Phone', accountId, ...body });
    expect((await add(it.accountId, made)).status).toBe(201);
    const again = new Authenticator().create({ challenge: made.challenge });
    const used = [401, 'UNAUTHORIZED', 'the registration challenge was used before'];
    expect(refused(await add(it.accountId, again))).toEqual(used);
    expect(refused(await add(it.accountId, { ...again, challenge: `${made.challenge}=` }))).toEqual(used);
    const { body } = await it.post('/customers', { customerType: 'INDIVIDUAL', email: 'bo@example.com' });
    const page = await it.get('/customers/internal-accounts', { customerId: body.id, type: 'EMBEDDED_WALLET' });
    expect(refused(await add(page.body.data[0].id, made))).toEqual(used);
  });

  test('of two passkey registrations with one challenge that wait for their signature, one succeeds (S25)', async () => {
    const it = await walletKit();
    const { key } = await it.login();
    const made = new Authenticator().create();
    const other = new Authenticator().create({ challenge: made.challenge });
    const body = (one: object) => ({ type: 'PASSKEY', nickname: 'Phone', accountId: it.accountId, ...one });
    const firsts = [await it.post('/auth/credentials', body(made)), await it.post('/auth/credentials', body(other))];
    const [a, b] = await Promise.all(firsts.map((first) => proof(key, first)));
    expect((await it.post('/auth/credentials', body(made), { headers: a as never })).status).toBe(201);
    expect((await it.post('/auth/credentials', body(other), { headers: b as never })).status).toBe(401);
  });

  test.each(['http://example.com', 'http://127.0.0.1:3000', 'http://localhost.example.com'])(
    'a passkey registration with the plain-http origin %s is refused with 401 (S25)',
    async (origin) => {
      const it = await walletKit();
      const made = new Authenticator().create({ origin, rpId: new URL(origin).hostname });
      const answer = await it.post('/auth/credentials', {
        type: 'PASSKEY',
        nickname: 'Phone',
        accountId: it.accountId,
        ...made,
      });
      expect(refused(answer)).toEqual([
        401,
        'UNAUTHORIZED',
        'passkey origin is not secure: plain http is for localhost only',
      ]);
    },
  );
});
