import { describe, expect, test } from 'vitest';
import { CURRENCIES } from '../../../src/contract/money.ts';
import { moneyKit, unconsentedKit } from '../../kit/money.ts';
import { refusal } from '../../kit/sandbox.ts';

const account = (accountId: string) => ({ sourceType: 'ACCOUNT', accountId });
const to = (accountId: string) => ({ destinationType: 'ACCOUNT', accountId });
const realtime = (currency: string, more: object = {}) => ({ sourceType: 'REALTIME_FUNDING', currency, ...more });

/** The kinds of account that a quote asks its funds to be sent to. */
const ways = (quote: { paymentInstructions: { accountOrWalletInfo: { accountType: string } }[] }) =>
  quote.paymentInstructions.map(({ accountOrWalletInfo }) => accountOrWalletInfo.accountType);

describe('POST /quotes, 201', () => {
  test('a quote is a price that holds for five minutes, with a transaction that has no event yet', async () => {
    const it = await moneyKit();
    const from = await it.funded('USD', 50_000);
    const bank = it.bank('EUR');
    const { status, body } = await it.quote(account(from.id), to(bank.id), { description: 'Invoice 7' });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      status: 'PENDING',
      createdAt: '2026-01-05T09:00:00.000Z',
      expiresAt: '2026-01-05T09:05:00.000Z',
      source: account(from.id),
      destination: to(bank.id),
      sendingCurrency: { code: 'USD' },
      receivingCurrency: { code: 'EUR' },
      totalSendingAmount: 20_000,
      totalReceivingAmount: 18_308,
      exchangeRate: 1.08695652,
      feesIncluded: 100,
      platformFeesIncluded: 0,
    });
    expect(body.paymentInstructions).toBeUndefined();
    const { serviceApiMultiplier, counterpartyMultiplier } = body.rateDetails;
    expect(serviceApiMultiplier * counterpartyMultiplier).toBeCloseTo(0.92 * 0.995, 9);
    expect(await it.transaction(body.transactionId)).toMatchObject({
      status: 'PENDING',
      quoteId: body.id,
      description: 'Invoice 7',
      sentAmount: { amount: 20_000 },
      receivedAmount: { amount: 18_308 },
      fees: 100,
    });
    expect(it.story()).toEqual([]);
    expect(await it.balance(from.id)).toBe(50_000);
    expect((await it.get(`/quotes/${body.id}`)).body).toEqual(body);
  });

  test('a quote with a receiving lock fixes what arrives', async () => {
    const it = await moneyKit();
    const from = await it.account('USD');
    const { body } = await it.quote(account(from.id), to(it.bank('EUR').id), {
      lockedCurrencySide: 'RECEIVING',
      lockedCurrencyAmount: 18_308,
    });
    expect(body).toMatchObject({ totalReceivingAmount: 18_308, totalSendingAmount: 20_000 });
  });

  test('the price of a quote includes the platform fee, and an override replaces that fee', async () => {
    const it = await moneyKit();
    const feeConfigs = [
      {
        feeType: 'CROSS_CURRENCY_TRANSACTION',
        sourceCurrency: 'USD',
        variableFeeBps: 30,
        fixedFee: { amount: 50, currency: 'USD' },
      },
    ];
    await it.patch('/config', { feeConfigs });
    const from = account((await it.account('USD')).id);
    const bank = to(it.bank('EUR').id);
    expect((await it.quote(from, bank)).body).toMatchObject({ platformFeesIncluded: 110, feesIncluded: 210 });
    const platformFeeOverride = { platformFixedFee: { amount: 0, currency: 'USD' }, platformVariableFeeBps: 100 };
    expect((await it.quote(from, bank, { platformFeeOverride })).body).toMatchObject({ platformFeesIncluded: 200 });
    expect((await it.quote(from, to(it.bank('USD').id))).body).toMatchObject({ platformFeesIncluded: 0 });
  });

  test('a quote by real-time funding says where to send the money', async () => {
    const it = await moneyKit();
    const customerId = it.customer.id;
    const one = await it.quote(realtime('USDC', { customerId, cryptoNetwork: 'BASE' }), to(it.bank('MXN').id));
    expect(one.body.paymentInstructions).toMatchObject([
      { accountOrWalletInfo: { accountType: 'BASE_WALLET', assetType: 'USDC' } },
    ]);
    const fiat = await it.quote(realtime('USD', { customerId }), to(it.bank('MXN').id));
    expect(fiat.body.paymentInstructions).toMatchObject([
      { accountOrWalletInfo: { accountType: 'USD_ACCOUNT', reference: expect.any(String) } },
    ]);
    const bitcoin = await it.quote(realtime('BTC', { customerId }), to(it.bank('MXN').id));
    expect(bitcoin.body.paymentInstructions).toHaveLength(2);
  });

  test.each(['spec', 'grid'] as const)(
    'a quote from a wallet outside says where to send the money, by its network (profile %s, reference 9.7)',
    async (profile) => {
      const it = await moneyKit({ profile });
      const customerId = it.customer.id;
      const solana = '4Nd1m6Qkq7RfKuE5vQ9qP9Tn6H94Ueqb4xXHzsAbd8Wg';
      const spark = `spark1${'q'.repeat(60)}`;
      const outside: readonly [string, Record<string, string>][] = [
        ['USDC', { accountType: 'BASE_WALLET', address: `0x${'a'.repeat(40)}` }],
        ['USDC', { accountType: 'SOLANA_WALLET', address: solana }],
        ['BTC', { accountType: 'LIGHTNING', lightningAddress: 'ana@wallet.example' }],
        ['BTC', { accountType: 'SPARK_WALLET', address: spark }],
        ['USDB', { accountType: 'SPARK_WALLET', address: spark }],
      ];
      for (const [currency, accountInfo] of outside) {
        const { accountType = '' } = accountInfo;
        const made = await it.post('/customers/external-accounts', { customerId, currency, accountInfo });
        expect(made.status, made.text).toBe(201);
        const wallet = made.body;
        const { body, text } = await it.quote(account(wallet.id), to(it.bank('MXN').id), {
          lockedCurrencyAmount: 20_000_000,
        });
        expect(body.status, text).toBe('PENDING');
        const cryptoNetwork = accountType.replace('_WALLET', '');
        const source = realtime(currency, { customerId, cryptoNetwork });
        const other = await it.quote(source, to(it.bank('MXN').id), { lockedCurrencyAmount: 20_000_000 });
        expect(ways(body)).toEqual([accountType]);
        expect(ways(body)).toEqual(ways(other.body));
        expect(body.paymentInstructions[0].isPlatformAccount).toBe(false);
        expect((await it.get(`/quotes/${body.id}`)).body.paymentInstructions).toEqual(body.paymentInstructions);
        expect((await it.transaction(body.transactionId)).paymentInstructions).toEqual(body.paymentInstructions);
      }
    },
  );

  test.each(['spec', 'grid'] as const)(
    'a quote from a bank account says where to send the money where it cannot be collected (profile %s, reference 9.7)',
    async (profile) => {
      const it = await moneyKit({ profile });
      const { body } = await it.quote(account(it.bank('USD').id), to(it.bank('MXN').id));
      if (profile === 'spec') expect(body.paymentInstructions).toBeUndefined();
      else
        expect(body.paymentInstructions).toMatchObject([
          { accountOrWalletInfo: { accountType: 'USD_ACCOUNT', reference: expect.any(String) } },
        ]);
    },
  );

  test('every currency that the service knows can be funded in real time (reference 3.1)', async () => {
    const codes = [...CURRENCIES.keys()];
    const it = await moneyKit({ scenario: { platform: { currencies: codes.map((code) => ({ code })) } } });
    const [eur, mxn] = [it.bank('EUR').id, it.bank('MXN').id];
    for (const code of codes) {
      const source = realtime(code, code === 'USDB' ? { cryptoNetwork: 'SPARK' } : {});
      const locked = { lockedCurrencySide: 'RECEIVING' };
      const { status, text, body } = await it.quote(source, to(code === 'EUR' ? mxn : eur), locked);
      expect(status, `${code}: ${text}`).toBe(201);
      expect(body.paymentInstructions.length, code).toBeGreaterThan(0);
    }
  });

  test.each(['spec', 'grid'] as const)(
    'in profile %s, USDB is funded over Spark, and a payment in USDB is sent over Spark',
    async (profile) => {
      const it = await moneyKit({ profile });
      const source = realtime('USDB', { customerId: it.customer.id, cryptoNetwork: 'SPARK' });
      const { status, text, body } = await it.quote(source, to(it.bank('MXN').id), {
        lockedCurrencyAmount: 20_000_000,
      });
      expect(status, text).toBe(201);
      expect(body.paymentInstructions).toEqual([
        {
          accountOrWalletInfo: {
            accountType: 'SPARK_WALLET',
            address: expect.stringMatching(/^spark1/),
            assetType: 'USDB',
          },
          isPlatformAccount: false,
        },
      ]);
      const sent = await it.post('/sandbox/send', { quoteId: body.id, currencyCode: 'USDB' });
      expect(sent.body, sent.text).toMatchObject({ status: 'PROCESSING', sentAmount: { amount: 20_000_000 } });
      await it.settle();
      expect((await it.get(`/quotes/${body.id}`)).body.status).toBe('COMPLETED');
      await it.advance('PT2S');
      expect((await it.transaction(body.transactionId)).source.onChainTransaction.network).toBe('SPARK');
    },
  );

  test('a quote with immediatelyExecute is paid in the same call', async () => {
    const it = await moneyKit();
    const from = await it.funded('USD', 50_000);
    const { status, body } = await it.quote(account(from.id), to(it.bank('EUR').id), { immediatelyExecute: true });
    expect([status, body.status]).toEqual([201, 'PROCESSING']);
    expect(await it.balance(from.id)).toBe(30_000);
  });

  test('two requests with the same Idempotency-Key make one quote', async () => {
    const it = await moneyKit();
    const sent = {
      source: account((await it.account('USD')).id),
      destination: to(it.bank('EUR').id),
      lockedCurrencySide: 'SENDING',
      lockedCurrencyAmount: 500,
    };
    const headers = { 'idempotency-key': 'k' };
    const first = await it.post('/quotes', sent, { headers });
    expect((await it.post('/quotes', sent, { headers })).text).toBe(first.text);
  });
});

describe('POST /quotes, refused', () => {
  test('a quote with wrong accounts, amounts or combinations of them is refused with 400', async () => {
    const it = await moneyKit();
    const usd = account((await it.account('USD')).id);
    const wallet = account((await it.account('USDB')).id);
    const bank = to(it.bank('EUR').id);
    const code = async (...args: Parameters<typeof it.quote>) => {
      const answer = refusal(await it.quote(...args));
      return [answer.status, answer.code, ...answer.fields].join(' ');
    };
    expect(await code(account('InternalAccount:x'), bank)).toBe('400 INVALID_INPUT source.accountId');
    expect(await code(usd, to('ExternalAccount:x'))).toBe('400 INVALID_INPUT destination.accountId');
    expect(await code(usd, to(usd.accountId))).toBe('400 SELF_PAYMENT');
    expect(await code(usd, bank, { lockedCurrencyAmount: 0 })).toBe('400 INVALID_INPUT lockedCurrencyAmount');
    expect(await code(usd, bank, { lockedCurrencyAmount: 9e15 })).toBe('400 AMOUNT_OUT_OF_RANGE');
    expect(await code(wallet, bank, { immediatelyExecute: true })).toBe('400 INVALID_INPUT immediatelyExecute');
    expect(await code(realtime('USD'), bank, { immediatelyExecute: true })).toBe(
      '400 INVALID_INPUT immediatelyExecute',
    );
    expect(await code(realtime('XYZ'), bank)).toBe('400 INVALID_CURRENCY');
    expect(await code(realtime('USDB'), bank)).toBe('400 INVALID_INPUT source.cryptoNetwork');
    expect(await code(realtime('USDB', { cryptoNetwork: 'BASE' }), bank)).toBe(
      '400 INVALID_INPUT source.cryptoNetwork',
    );
    expect(await code(realtime('USDC', { cryptoNetwork: 'TRON' }), bank)).toBe(
      '400 INVALID_INPUT source.cryptoNetwork',
    );
    expect(await code({ ...usd, customerId: 'Customer:x' }, bank)).toBe('400 INVALID_INPUT source.customerId');
    expect(await code(usd, { ...bank, paymentRail: 'PIX' })).toBe('400 INVALID_INPUT destination.paymentRail');
    const uma = { destinationType: 'UMA_ADDRESS', umaAddress: '$success.eur@sandbox.uma.money' };
    expect(await code(usd, uma)).toBe('400 INVALID_INPUT lookupId');
    expect(await code(usd, uma, { lookupId: 'Lookup:x' })).toBe('404 LOOKUP_REQUEST_NOT_FOUND');
    expect(await code(usd, { ...uma, umaAddress: '$non.existent.usd@sandbox.uma.money' })).toBe('400 INVALID_RECEIVER');
    expect(await code(usd, { ...uma, umaAddress: 'nobody' })).toBe('400 INVALID_UMA_ADDRESS');
    const eur = account((await it.account('EUR')).id);
    const platformFeeOverride = { platformFixedFee: { amount: 0, currency: 'EUR' }, platformVariableFeeBps: 1 };
    expect(await code(eur, bank, { platformFeeOverride })).toBe('400 INVALID_INPUT platformFeeOverride');
  });

  test('a quote is refused with 401 without credentials, and with 403 for a customer who is not approved', async () => {
    const it = await moneyKit();
    expect((await it.post('/quotes', {}, { as: null })).status).toBe(401);
    const pending = (await it.post('/customers', { customerType: 'INDIVIDUAL', fullName: 'Bo 001' })).body;
    await it.settle();
    const theirs = account((await it.account('USD', pending.id)).id);
    const bank = it.bank('EUR', '999', { customerId: pending.id }).id;
    expect(refusal(await it.quote(theirs, to(bank)))).toMatchObject({ status: 403, code: 'USER_NOT_READY' });
  });
});

describe('POST /quotes, the worked examples (reference 19)', () => {
  test('a quote for just-in-time USDC to pesos fixes what arrives, and what is sent follows', async () => {
    const it = await moneyKit();
    const source = realtime('USDC', { customerId: it.customer.id, cryptoNetwork: 'BASE' });
    const more = { lockedCurrencySide: 'RECEIVING', lockedCurrencyAmount: 100_000 };
    const { body } = await it.quote(source, to(it.bank('MXN').id), more);
    // 1000.00 MXN at 17.9 are 55.865922 USDC; half a percent more on top, rounded up.
    expect(body).toMatchObject({
      totalReceivingAmount: 100_000,
      totalSendingAmount: 56_146_656,
      feesIncluded: 280_733,
    });
    const sent = await it.post('/sandbox/send', { quoteId: body.id, currencyCode: 'USDC' });
    expect(sent.body).toMatchObject({ status: 'PROCESSING', sentAmount: { amount: 56_146_656 } });
    await it.settle();
    expect((await it.get(`/quotes/${body.id}`)).body.status).toBe('COMPLETED');
  });

  test('a wallet pays out dollars at one to one, net of fees', async () => {
    const it = await moneyKit();
    const wallet = account((await it.account('USDB')).id);
    const { body } = await it.quote(wallet, to(it.bank('USD').id), { lockedCurrencyAmount: 10_000_000 });
    expect(body).toMatchObject({ totalReceivingAmount: 995, exchangeRate: 1, feesIncluded: 50_000 });
    expect(body.paymentInstructions).toMatchObject([{ accountOrWalletInfo: { accountType: 'EMBEDDED_WALLET' } }]);
  });
});

describe('POST /quotes, refused because of the payer or the amount', () => {
  test('a quote with immediatelyExecute is refused with 400 INSUFFICIENT_BALANCE, and leaves no payment', async () => {
    const it = await moneyKit();
    const from = await it.funded('USD', 19_999);
    const answer = await it.quote(account(from.id), to(it.bank('EUR').id), { immediatelyExecute: true });
    expect(refusal(answer)).toMatchObject({ status: 400, code: 'INSUFFICIENT_BALANCE' });
    expect((await it.get('/transactions')).body.totalCount).toBe(0);
  });

  test('a quote from 1000 EUR on to a wallet that is not proven is refused with 400 EXTERNAL_ACCOUNT_VERIFICATION_REQUIRED', async () => {
    const it = await moneyKit();
    const wallet = to(it.wallet('abc', { status: 'PENDING_OWNERSHIP_VERIFICATION' }).id);
    const usd = account((await it.account('USD')).id);
    const large = await it.quote(usd, wallet, { lockedCurrencyAmount: 120_000 });
    expect(refusal(large)).toMatchObject({ status: 400, code: 'EXTERNAL_ACCOUNT_VERIFICATION_REQUIRED' });
    expect((await it.quote(usd, wallet, { lockedCurrencyAmount: 100_000 })).status).toBe(201);
  });

  test('a quote in a direction that the platform has not enabled is refused with 400 INVALID_CURRENCY', async () => {
    const it = await moneyKit();
    const supportedCurrencies = [{ currencyCode: 'USD', enabledTransactionTypes: ['INCOMING'] }];
    await it.patch('/config', { supportedCurrencies });
    const answer = await it.quote(account((await it.account('USD')).id), to(it.bank('EUR').id));
    expect(refusal(answer)).toMatchObject({ status: 400, code: 'INVALID_CURRENCY' });
  });

  test('a payment into an internal account in a currency that the platform does not take is refused only when it is quoted (reference 9.9)', async () => {
    const it = await moneyKit();
    const usd = account((await it.account('USD')).id);
    const taken = async (config: object) => {
      const supportedCurrencies = [{ currencyCode: 'USD' }, { currencyCode: 'EUR', ...config }];
      expect((await it.patch('/config', { supportedCurrencies })).status).toBe(200);
    };
    const [own, ours] = [(await it.account('EUR')).id, (await it.account('EUR', 'platform')).id];
    const quoted = async (id: string, lockedCurrencyAmount: number) => {
      const answer = await it.quote(usd, to(id), { lockedCurrencySide: 'RECEIVING', lockedCurrencyAmount });
      return answer.status === 201 ? 201 : refusal(answer).code;
    };
    await taken({ enabledTransactionTypes: ['OUTGOING'] });
    const refused = await it.quote(usd, to(own));
    expect(refused.body.message).toBe('INCOMING transactions in EUR are not enabled for this platform');
    expect([refusal(refused).code, await quoted(ours, 1000)]).toEqual(['INVALID_CURRENCY', 'INVALID_CURRENCY']);
    expect(await quoted(it.bank('EUR').id, 1000)).toBe(201);
    await taken({});
    await it.funded('USD', 50_000);
    const { body: before } = await it.quote(usd, to(own));
    await taken({ enabledTransactionTypes: ['OUTGOING'] });
    expect((await it.post(`/quotes/${before.id}/execute`)).status).toBe(200);
    await taken({ minAmount: 100, maxAmount: 5000 });
    for (const id of [own, ours]) expect([await quoted(id, 99), await quoted(id, 5001)]).toEqual([201, 201]);
  });

  test('a quote is refused with 404 USER_NOT_FOUND for a customer who is unknown or deleted, on either side', async () => {
    const it = await moneyKit();
    const code = async (...args: Parameters<typeof it.quote>) => refusal(await it.quote(...args));
    const own = account((await it.account('USD', 'platform')).id);
    const theirs = account((await it.account('USD')).id);
    const bank = to(it.bank('EUR').id);
    const gone = { status: 404, code: 'USER_NOT_FOUND' };
    const ours = to(it.bank('EUR', '999', { customerId: undefined }).id);
    expect(await code(realtime('USD', { customerId: 'Customer:x' }), ours)).toMatchObject(gone);
    await it.del(`/customers/${it.customer.id}`);
    expect(await code(own, bank)).toMatchObject(gone);
    expect(await code(theirs, ours)).toMatchObject(gone);
    expect(await code(own, to((await it.account('EUR')).id))).toMatchObject(gone);
  });

  test('a quote is refused with 403 END_USER_TERMS_NOT_ACCEPTED where the platform requires the terms', async () => {
    const it = await unconsentedKit();
    const sent = {
      source: account(it.own.id),
      destination: to(it.bank.id),
      lockedCurrencySide: 'SENDING',
      lockedCurrencyAmount: 100,
    };
    const refused = { status: 403, code: 'END_USER_TERMS_NOT_ACCEPTED' };
    expect(refusal(await it.post('/quotes', sent))).toMatchObject(refused);
    const pushed = { ...sent, source: realtime('EUR', { customerId: it.customer.id }) };
    expect(refusal(await it.post('/quotes', pushed))).toMatchObject(refused);
    const consented = await it.patch(`/customers/${it.customer.id}`, {
      customerType: 'INDIVIDUAL',
      endUserTermsConsent: {
        termsVersion: 'V1',
        acceptanceMethod: 'CHECKBOX',
        acceptedAt: '2026-01-05T08:00:00Z',
        ipAddress: '192.0.2.1',
      },
    });
    expect(consented.status, consented.text).toBe(200);
    expect((await it.post('/quotes', sent)).status).toBe(201);
  });

  test('a quote with an Idempotency-Key that was sent with another body is refused with 409 CONFLICT', async () => {
    const it = await moneyKit();
    const headers = { 'idempotency-key': 'k' };
    const sent = {
      source: account((await it.account('USD')).id),
      destination: to(it.bank('EUR').id),
      lockedCurrencySide: 'SENDING',
      lockedCurrencyAmount: 500,
    };
    expect((await it.post('/quotes', sent, { headers })).status).toBe(201);
    const other = await it.post('/quotes', { ...sent, lockedCurrencyAmount: 501 }, { headers });
    expect(refusal(other)).toMatchObject({ status: 409, code: 'CONFLICT' });
  });
});

describe('GET /quotes/{quoteId}', () => {
  test('GET of an unknown quote is refused with 404 QUOTE_NOT_FOUND', async () => {
    const it = await moneyKit();
    expect(refusal(await it.get('/quotes/Quote:x'))).toMatchObject({ status: 404, code: 'QUOTE_NOT_FOUND' });
  });

  test('GET of a quote is refused with 401 without credentials', async () => {
    const it = await moneyKit();
    expect((await it.call('GET', '/quotes/Quote:x', undefined, { as: null })).status).toBe(401);
  });
});

describe('POST /quotes, profile grid', () => {
  test('the members of rateDetails of a quote have their public names, in the reply and in the OpenAPI document', async () => {
    const it = await moneyKit({ profile: 'grid' });
    const { body } = await it.quote(account((await it.account('USD')).id), to(it.bank('EUR').id));
    const members = Object.entries(it.host.profile.members).filter(([name]) => name.startsWith('serviceApi'));
    expect(members).toHaveLength(4);
    for (const [neutral, shown] of members) {
      expect(body.rateDetails).toHaveProperty(shown);
      expect(body.rateDetails).not.toHaveProperty(neutral);
    }
    const document = await it.control('GET', '/openapi.json');
    const shape = document.body.components.schemas.OutgoingRateDetails;
    expect(Object.keys(shape.properties).sort()).toEqual(Object.keys(body.rateDetails).sort());
    expect([...shape.required].sort()).toEqual(Object.keys(body.rateDetails).sort());
  });
});
