import { describe, expect, test } from 'vitest';
import { EXTERNAL_ACCOUNTS, showExternalAccount, suffixOf } from '../../../src/areas/external-accounts/index.ts';
import { CONTRACT } from '../../kit/contract.ts';
import { kit, refusal } from '../../kit/sandbox.ts';
import { FIRM, PERSON, request, SAMPLES, titled, usd } from './material.ts';

const PATH = '/customers/external-accounts';
const eur = (more: object = {}, beneficiary: object = { ...PERSON, countryOfResidence: 'DE' }) => ({
  currency: 'EUR',
  accountInfo: { accountType: 'EUR_ACCOUNT', iban: 'DE89370400440532013000', beneficiary, ...more },
});
const base = (more: object = {}) => ({
  currency: 'USDC',
  accountInfo: { accountType: 'BASE_WALLET', address: '0x52908400098527886E0F7030069857D2E4169EE7', ...more },
});
const customer = async (post: Awaited<ReturnType<typeof kit>>['post']): Promise<string> =>
  (await post('/customers', { customerType: 'INDIVIDUAL', fullName: 'Ada Keller' })).body.id;

/** The members that the public contract requires, by account type. */
const REQUIRED = new Map(
  CONTRACT.$defs['ExternalAccountCreateInfoOneOf']?.oneOf?.map(({ $ref }) => {
    const { properties, required = [] } = CONTRACT.$defs[$ref?.split('/').at(-1) ?? ''] ?? {};
    return [properties?.['accountType']?.enum?.[0], required.filter((name) => name !== 'accountType')];
  }),
);

describe('POST /customers/external-accounts, 201', () => {
  test('the samples of external accounts cover each of the 46 types', () => {
    expect(new Set(SAMPLES.map((one) => one.info['accountType'])).size).toBe(46);
  });

  test.each(titled)(
    'an external account (%s) is registered as sent, with its rails and its magic suffix',
    async (_, one) => {
      const { post, sandbox } = await kit();
      const { status, body } = await post(PATH, request(one));
      expect(status, JSON.stringify(body)).toBe(201);
      expect(body).toMatchObject({ status: 'ACTIVE', currency: one.currency, accountInfo: one.info });
      expect(body.accountInfo.paymentRails).toEqual(one.rails);
      const row = sandbox.world.rows(EXTERNAL_ACCOUNTS).get(body.id);
      expect(row && suffixOf(row)).toBe(one.suffix);
      expect(row && JSON.parse(JSON.stringify(showExternalAccount(row)))).toEqual(body);
    },
  );

  test('every fiat type of external account also takes a business as beneficiary, and no wallet needs a beneficiary unless a scenario demands it', async () => {
    const { post } = await kit();
    for (const one of SAMPLES.filter((each) => each.rails)) {
      const { info } = one;
      if (info['accountType'] === 'CNY_ACCOUNT' && info['phoneNumber']) continue;
      const answer = await post(PATH, request({ ...one, info: { ...info, beneficiary: FIRM } }));
      expect(answer.status, `${info['accountType']}: ${answer.text}`).toBe(201);
      expect(answer.body.accountInfo.beneficiary).toEqual(FIRM);
    }
    const wallets = SAMPLES.filter((each) => !each.rails);
    for (const one of wallets)
      expect([one.info['beneficiary'], (await post(PATH, request(one))).status]).toEqual([undefined, 201]);
    expect(wallets.length).toBeGreaterThan(5);
  });

  test('a new external account is returned whole, and reads the same afterwards', async () => {
    const { post, get } = await kit();
    const customerId = await customer(post);
    const sent = { ...usd(), customerId, platformAccountId: 'acc-1', ownershipType: 'THIRD_PARTY' };
    const { body } = await post(PATH, sent);
    expect(body).toEqual({
      ...sent,
      id: expect.stringMatching(/^ExternalAccount:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
      status: 'ACTIVE',
      defaultUmaDepositAccount: false,
      beneficiaryVerificationStatus: 'MATCHED',
      beneficiaryVerifiedData: { fullName: 'Nora Lind' },
      accountInfo: { ...sent.accountInfo, paymentRails: ['ACH', 'WIRE', 'RTP', 'FEDNOW'] },
    });
    expect((await get(`${PATH}/${body.id}`)).body).toEqual(body);
  });

  test('an external account without a customer belongs to the platform', async () => {
    const { post, get } = await kit();
    const { body } = await post(PATH, usd());
    expect(body).not.toHaveProperty('customerId');
    expect((await get(`/platform/external-accounts/${body.id}`)).body).toEqual(body);
  });

  test('unknown members of an external account and the paymentRails of the request are ignored', async () => {
    const { post } = await kit();
    const { body } = await post(PATH, {
      ...eur({ bankName: 'x', paymentRails: ['SWIFT'] }),
      status: 'INACTIVE',
      id: 'me',
    });
    expect(body.status).toBe('ACTIVE');
    expect(body.accountInfo).not.toHaveProperty('bankName');
    expect(body.accountInfo.paymentRails).toEqual(['SEPA', 'SEPA_INSTANT']);
  });

  test('a new external account emits no event', async () => {
    const { post, events } = await kit();
    await post(PATH, usd());
    expect(events()).toEqual([]);
  });

  test('at most one external account of a customer is the default for UMA deposits: the newest to ask for it', async () => {
    const { post, get } = await kit();
    const customerId = await customer(post);
    const other = await customer(post);
    const make = async (n: string, owner: string, flag?: boolean) =>
      (await post(PATH, { ...usd(n), customerId: owner, ...(flag ? { defaultUmaDepositAccount: true } : {}) })).body;
    const first = await make('1001', customerId, true);
    const theirs = await make('1001', other, true);
    const second = await make('1002', customerId, true);
    await make('1003', customerId);
    const flagOf = async (id: string) => (await get(`${PATH}/${id}`)).body.defaultUmaDepositAccount;
    expect([await flagOf(first.id), await flagOf(second.id), await flagOf(theirs.id)]).toEqual([false, true, true]);
  });

  test.each([
    ['101', 'MATCHED', 'Nora Lind'],
    ['102', 'NOT_MATCHED', undefined],
    ['103', 'PARTIAL_MATCH', 'N. Lind'],
    ['104', 'PENDING', undefined],
    ['106', 'UNSUPPORTED', undefined],
    ['107', 'CHECKED_BY_RECEIVING_FI', undefined],
    ['999', 'MATCHED', 'Nora Lind'],
  ])(
    'an external account whose identifier ends in %s has beneficiaryVerificationStatus %s',
    async (suffix, found, name) => {
      const { post } = await kit();
      const { status, body } = await post(PATH, usd(`123${suffix}`));
      expect(status).toBe(201);
      expect(body.beneficiaryVerificationStatus).toBe(found);
      expect(body.beneficiaryVerifiedData?.fullName).toBe(name);
    },
  );

  test('a PIX key and a payment address carry the magic suffix before the @', async () => {
    const { post } = await kit();
    const pix = { accountType: 'BRL_ACCOUNT', pixKey: 'a102@x.example', pixKeyType: 'EMAIL', taxId: '12345678901' };
    const vpa = { accountType: 'INR_ACCOUNT', vpa: 'a106@upi' };
    const result = async (currency: string, info: object) =>
      (await post(PATH, { currency, accountInfo: { ...info, beneficiary: PERSON } })).body
        .beneficiaryVerificationStatus;
    expect([await result('BRL', pix), await result('INR', vpa)]).toEqual(['NOT_MATCHED', 'UNSUPPORTED']);
  });

  test('a wallet has no name to check, whatever its address ends in', async () => {
    const { post } = await kit();
    const { status, body } = await post(PATH, base({ address: `0x${'0'.repeat(37)}105` }));
    expect(status).toBe(201);
    expect(body).not.toHaveProperty('beneficiaryVerificationStatus');
  });

  test('the name of a bank in Singapore that is left out is filled in from its BIC', async () => {
    const { post } = await kit();
    const info = {
      accountType: 'SGD_ACCOUNT',
      accountNumber: '0123456789',
      swiftCode: 'DBSSSGSG',
      beneficiary: PERSON,
    };
    expect((await post(PATH, { currency: 'SGD', accountInfo: info })).body.accountInfo.bankName).toBe('DBS Bank Ltd');
  });

  test('a policy opens a bank account later and emits an event then; a wallet does not wait', async () => {
    const { post, events, advance } = await kit({
      scenario: { policies: { 'external-account.activate': 'after PT2S' } },
    });
    const { body } = await post(PATH, usd());
    expect(body.status).toBe('PENDING');
    expect((await post(PATH, base())).body.status).toBe('ACTIVE');
    await advance('PT2S');
    expect(events()).toMatchObject([{ type: 'EXTERNAL_ACCOUNT.STATUS_UPDATED', data: { ...body, status: 'ACTIVE' } }]);
  });

  test('a custodial wallet keeps the name of its custodian and its owner', async () => {
    const { post } = await kit();
    const more = { vaspName: 'Example Exchange', beneficiary: { ...PERSON, countryOfResidence: 'DE' } };
    expect((await post(PATH, base(more))).body.accountInfo).toMatchObject(more);
  });
});

describe('POST /customers/external-accounts, 400', () => {
  test.each([
    ['no members', {}, ['accountInfo', 'currency']],
    ['an unknown type', { currency: 'USD', accountInfo: { accountType: 'US_ACCOUNT' } }, ['accountInfo.accountType']],
    ['no beneficiary', eur({ beneficiary: undefined }), ['accountInfo.beneficiary']],
    ['a beneficiary who lacks what the type requires', eur({}, PERSON), ['accountInfo.beneficiary.countryOfResidence']],
    ['a malformed IBAN', eur({ iban: 'nope' }), ['accountInfo.iban']],
    ['a type that cannot hold the currency', { ...eur(), currency: 'USD' }, ['currency']],
    ['an unknown ownershipType', { ...usd(), ownershipType: 'MINE' }, ['ownershipType']],
    ['a malformed address', base({ address: 'nonsense' }), ['accountInfo.address']],
    ['a custodian without a name', base({ vaspName: '' }), ['accountInfo.vaspName']],
    ['a custodian whose name is blank', base({ vaspName: ' ' }), ['accountInfo.vaspName']],
    ['a default flag and no customer', { ...usd(), defaultUmaDepositAccount: true }, ['defaultUmaDepositAccount']],
  ])('an external account with %s is refused with 400 INVALID_INPUT', async (_, sent, fields) => {
    const { post } = await kit();
    const answer = refusal(await post(PATH, sent));
    expect({ ...answer, fields: [...answer.fields].sort() }).toEqual({ status: 400, code: 'INVALID_INPUT', fields });
  });

  test('in grid a EUR account is accepted, shown and paid without a country of residence (C6)', async () => {
    const scenario = { platform: { currencies: [{ code: 'EUR' }] } };
    const { post, get, settle } = await kit({ profile: 'grid', scenario });
    const { status, body } = await post(PATH, eur({}, PERSON));
    expect([status, body.status]).toEqual([201, 'ACTIVE']);
    expect(body.accountInfo.beneficiary.countryOfResidence).toBeUndefined();
    expect((await get('/platform/external-accounts')).body.data[0].accountInfo).toEqual(body.accountInfo);
    const [own] = (await get('/platform/internal-accounts', { currency: 'EUR' })).body.data;
    await post(`/sandbox/internal-accounts/${own.id}/fund`, { amount: 1000 });
    const pay = { source: { accountId: own.id }, destination: { accountId: body.id }, amount: 1000 };
    const paid = await post('/transfer-out', pay);
    await settle();
    expect((await get(`/transactions/${paid.body.id}`)).body.status).toBe('COMPLETED');
    const other = refusal(await post(PATH, eur({ iban: 'nope' }, PERSON)));
    expect(other.fields).toEqual(['accountInfo.iban']);
  });

  test.each(titled)(
    'an external account (%s) without its required members is refused with 400 INVALID_INPUT, each of them named',
    async (_, one) => {
      const { post } = await kit();
      const { accountType } = one.info;
      const { body, status } = await post(PATH, { currency: one.currency, accountInfo: { accountType } });
      expect(status).toBe(400);
      expect(body.code).toBe('INVALID_INPUT');
      const required = REQUIRED.get(accountType) ?? [];
      const named = body.details.errors.map(({ field }: { field: string }) => field);
      expect([REQUIRED.size, named.length > 0]).toEqual([46, true]);
      expect(named).toEqual(expect.arrayContaining(required.map((name) => `accountInfo.${name}`)));
    },
  );

  const firm = { beneficiary: FIRM };
  test.each([
    ['BDT', { accountType: 'BDT_ACCOUNT', bankName: 'B' }, ['accountNumber']],
    ['CNY', { accountType: 'CNY_ACCOUNT', bankName: 'B', accountNumber: '1' }, ['beneficiary.beneficiaryType']],
    ['CNY', { accountType: 'CNY_ACCOUNT', bankName: 'B', phoneNumber: '+8613812345678' }, ['bankName']],
    ['COP', { accountType: 'COP_ACCOUNT', bankName: 'B', accountNumber: '1' }, ['bankAccountType']],
    ['EGP', { accountType: 'EGP_ACCOUNT', bankName: 'B' }, ['iban']],
    ['GHS', { accountType: 'GHS_ACCOUNT', bankName: 'B', ...firm }, ['accountNumber']],
    ['INR', { accountType: 'INR_ACCOUNT' }, ['vpa']],
    ['INR', { accountType: 'INR_ACCOUNT', accountNumber: '000111222333', ifsc: 'HDFC0001234' }, ['rail']],
    ['INR', { accountType: 'INR_ACCOUNT', accountNumber: '000111222333', rail: 'RTGS' }, ['ifsc']],
    ['PKR', { accountType: 'PKR_ACCOUNT', bankName: 'B', iban: 'PK36SCBL0000001123456702' }, ['accountNumber']],
    ['USD', { accountType: 'SLV_ACCOUNT', accountNumber: '1', bankName: 'B' }, ['bankAccountType']],
    ['GBP', { accountType: 'SWIFT_ACCOUNT', country: 'NG', swiftCode: 'ABCDNGLA', bankName: 'B' }, ['accountNumber']],
    ['BTC', { accountType: 'LIGHTNING' }, ['invoice']],
    [
      'BTC',
      { accountType: 'LIGHTNING', invoice: 'lnbc15u1p3xnhl2pp5', lightningAddress: 'a@b.example' },
      ['lightningAddress'],
    ],
  ])('a %s account with %o is refused with 400 INVALID_INPUT for %o', async (currency, info, fields) => {
    const { post } = await kit();
    const beneficiary = info.accountType === 'LIGHTNING' ? {} : { beneficiary: PERSON };
    expect(refusal(await post(PATH, { currency, accountInfo: { ...beneficiary, ...info } }))).toEqual({
      status: 400,
      code: 'INVALID_INPUT',
      fields: fields.map((name) => `accountInfo.${name}`),
    });
  });

  test.each<[string, 'customers' | 'platform', object, string[]]>([
    [
      'a member that a rail needs, beside a missing name',
      'customers',
      {
        currency: 'GHS',
        accountInfo: { accountType: 'GHS_ACCOUNT', bankName: 'B', beneficiary: { beneficiaryType: 'INDIVIDUAL' } },
      },
      ['accountInfo.accountNumber', 'accountInfo.beneficiary.fullName'],
    ],
    [
      'members that a rail needs, beside a bad one',
      'platform',
      { currency: 'COP', accountInfo: { accountType: 'COP_ACCOUNT', accountNumber: '', beneficiary: PERSON } },
      ['accountInfo.accountNumber', 'accountInfo.bankAccountType', 'accountInfo.bankName'],
    ],
    [
      'a currency that the type cannot hold, a residence and a birth date, beside a bad IBAN',
      'customers',
      { ...eur({ iban: 'nope' }, { ...PERSON, birthDate: '2030-01-01' }), currency: 'USD' },
      [
        'accountInfo.beneficiary.birthDate',
        'accountInfo.beneficiary.countryOfResidence',
        'accountInfo.iban',
        'currency',
      ],
    ],
    [
      'the missing owner of a third-party wallet, beside a bad address',
      'platform',
      { ...base({ address: 'nonsense' }), ownershipType: 'THIRD_PARTY' },
      ['accountInfo.address', 'accountInfo.beneficiary'],
    ],
    [
      'a missing ownershipType, beside a bad address',
      'customers',
      base({ address: 'x' }),
      ['accountInfo.address', 'ownershipType'],
    ],
    [
      'a default flag without a customer, beside a bad IBAN',
      'customers',
      { ...eur({ iban: 'nope' }), defaultUmaDepositAccount: true },
      ['accountInfo.iban', 'defaultUmaDepositAccount'],
    ],
    [
      'a bad IBAN and a bad customerId, and no default flag or birth date of a business',
      'customers',
      {
        ...eur({ iban: 'nope' }, { ...FIRM, birthDate: '2030-01-01' }),
        customerId: 5,
        defaultUmaDepositAccount: true,
      },
      ['accountInfo.iban', 'customerId'],
    ],
    [
      'a bad IBAN, and no default flag',
      'platform',
      { ...eur({ iban: 'nope' }), defaultUmaDepositAccount: true },
      ['accountInfo.iban'],
    ],
  ])(
    'one 400 INVALID_INPUT names %s, at POST /%s/external-accounts (reference money 2.3)',
    async (_, side, sent, fields) => {
      const { post } = await kit({ scenario: { platform: { counterpartyRules: true } } });
      const answer = refusal(await post(`/${side}/external-accounts`, sent));
      expect({ ...answer, fields: [...answer.fields].sort() }).toEqual({ status: 400, code: 'INVALID_INPUT', fields });
    },
  );

  test('an external account in a currency that the service does not know is refused with 400 INVALID_CURRENCY (spec 7)', async () => {
    const { post } = await kit();
    for (const currency of ['XYZ', 'usd'])
      expect(refusal(await post(PATH, { ...usd(), currency }))).toEqual({
        status: 400,
        code: 'INVALID_CURRENCY',
        fields: ['currency'],
      });
  });

  test('an external account whose identifier ends in 105 is refused with 400 INVALID_BANK_ACCOUNT', async () => {
    const { post } = await kit();
    expect(refusal(await post(PATH, usd('555105')))).toEqual({
      status: 400,
      code: 'INVALID_BANK_ACCOUNT',
      fields: ['accountInfo.accountNumber'],
    });
  });

  test('under counterparty rules a wallet has to say whose it is, and to name a third party', async () => {
    const { post } = await kit({ scenario: { platform: { counterpartyRules: true } } });
    expect(refusal(await post(PATH, base())).fields).toEqual(['ownershipType']);
    expect(refusal(await post(PATH, { ...base(), ownershipType: 'THIRD_PARTY' })).fields).toEqual([
      'accountInfo.beneficiary',
    ]);
    const named = { ...base({ beneficiary: FIRM }), ownershipType: 'THIRD_PARTY' };
    expect((await post(PATH, named)).body.status).toBe('ACTIVE');
    expect((await post(PATH, usd())).status).toBe(201);
  });
});

describe('POST /customers/external-accounts, 401 403 404 409', () => {
  test('a new external account is refused with 401 without credentials, and with 403 for a token that has VIEW alone (spec 5)', async () => {
    const credentials = [
      { id: 'test', secret: 'secret' },
      { id: 'reader', secret: 'secret', permissions: ['VIEW'] },
    ];
    const { post } = await kit({ scenario: { credentials } });
    expect((await post(PATH, usd(), { as: null })).status).toBe(401);
    expect(refusal(await post(PATH, usd(), { as: 'reader:secret' }))).toMatchObject({ status: 403, code: 'FORBIDDEN' });
  });

  test('an external account of an unknown or a deleted customer is refused with 404 USER_NOT_FOUND (spec 7)', async () => {
    const { post, del } = await kit();
    const gone = await customer(post);
    await del(`/customers/${gone}`);
    for (const customerId of ['Customer:nobody', gone])
      expect(refusal(await post(PATH, { ...usd(), customerId }))).toMatchObject({
        status: 404,
        code: 'USER_NOT_FOUND',
      });
  });

  test('the same external account again is refused with 409 CONFLICT for its owner, and accepted for another', async () => {
    const { post } = await kit();
    const [one, two] = [await customer(post), await customer(post)];
    expect((await post(PATH, { ...usd(), customerId: one })).status).toBe(201);
    expect(refusal(await post(PATH, { ...usd(), customerId: one }))).toMatchObject({ status: 409, code: 'CONFLICT' });
    expect((await post(PATH, { ...usd(), customerId: two })).status).toBe(201);
    expect((await post(PATH, usd())).status).toBe(201);
  });

  test('an address in another case of letters is the same account; another bank or another currency makes another account', async () => {
    const { post } = await kit();
    expect((await post(PATH, base())).status).toBe(201);
    expect(
      (await post(PATH, base({ address: `0x${'52908400098527886E0F7030069857D2E4169EE7'.toLowerCase()}` }))).status,
    ).toBe(409);
    expect((await post(PATH, usd('77'))).status).toBe(201);
    const elsewhere = usd('77');
    elsewhere.accountInfo.routingNumber = '011000015';
    expect((await post(PATH, elsewhere)).status).toBe(201);
    const eth = (currency: string) => ({
      currency,
      accountInfo: { ...base().accountInfo, accountType: 'ETHEREUM_WALLET' },
    });
    expect((await post(PATH, eth('USDC'))).status).toBe(201);
    expect((await post(PATH, eth('USDT'))).status).toBe(201);
  });

  test.each(titled.filter(([, { info }]) => info['address'] !== undefined))(
    'an address of %s with one letter in another case is another account in base58 alone (reference money 5.3)',
    async (_, one) => {
      const { post } = await kit();
      const address = String(one.info['address']);
      // A letter behind the prefix (0x, spark1, T), in the other case.
      const at = address.slice(7).search(/[a-z]/i) + 7;
      const letter = address[at] as string;
      const turned = letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase();
      const other = `${address.slice(0, at)}${turned}${address.slice(at + 1)}`;
      const first = await post(PATH, request(one));
      const again = await post(PATH, request(one));
      const second = await post(PATH, request({ ...one, info: { ...one.info, address: other } }));
      expect([first.status, again.status]).toEqual([201, 409]);
      const isBase58 = ['SOLANA_WALLET', 'TRON_WALLET'].includes(String(one.info['accountType']));
      expect(second.status).toBe(isBase58 ? 201 : 409);
      if (!isBase58) expect(second.body.details.externalAccountId).toBe(first.body.id);
    },
  );

  test.each([
    ['IBAN', 'EUR_ACCOUNT', 'iban', 'GB33BUKB20201555555555', 'GB33bukb20201555555555'],
    ['PIX key', 'BRL_ACCOUNT', 'pixKey', 'ana@bank.example', 'Ana@Bank.example'],
    ['Lightning address', 'LIGHTNING', 'lightningAddress', 'ada@wallet.example', 'Ada@Wallet.example'],
  ])('the same %s in another case of letters is refused with 409', async (_, accountType, member, sent, other) => {
    const { post } = await kit();
    const one = SAMPLES.find(({ info }) => info['accountType'] === accountType && info[member] !== undefined);
    if (!one) throw new Error(`no sample of ${accountType} with ${member}`);
    const register = (value: string) => post(PATH, request({ ...one, info: { ...one.info, [member]: value } }));
    expect((await register(sent)).status).toBe(201);
    expect((await register(other)).status).toBe(409);
  });

  test('a deleted external account can be registered again', async () => {
    const { post, del } = await kit();
    const { body } = await post(PATH, usd());
    await del(`/platform/external-accounts/${body.id}`);
    expect((await post(PATH, usd())).status).toBe(201);
  });
});
