import { submitCustomer } from '../../src/areas/customers/index.ts';
import { EXTERNAL_ACCOUNTS, type ExternalAccount } from '../../src/areas/external-accounts/index.ts';
import type { HostOptions } from '../../src/public.ts';
import { type Answer, type Kit, kit } from './sandbox.ts';

// biome-ignore lint/suspicious/noExplicitAny: a test says what it expects of a reply, line by line
type Body = any;

export interface MoneyKit extends Kit {
  customer: Body;
  /** An internal account of Ana, of somebody else, or (`platform`) of the platform. */
  account(currency: string, owner?: string): Promise<Body>;
  /** Ana's account of a currency, with so much more in it. */
  funded(currency: string, amount: number, owner?: string): Promise<Body>;
  /** What can be spent from an account. */
  balance(accountId: string): Promise<number>;
  /** A bank account of Ana's whose identifier ends in these three characters. */
  bank(currency: string, suffix?: string, more?: Partial<ExternalAccount>): ExternalAccount;
  /** A wallet of Ana's whose address ends in these three characters. */
  wallet(suffix?: string, more?: Partial<ExternalAccount>): ExternalAccount;
  /** Events about one payment, without the part of the type before the dot; balances as `BALANCE <amount>`. */
  story(): string[];
  transaction(id: string): Promise<Body>;
  /** Ana is submitted for review again: until somebody decides she is not approved. */
  review(): Promise<void>;
  quote(source: object, destination: object, more?: object): Promise<Answer>;
}

const IDENTIFIER: Readonly<Record<string, [string, (suffix: string) => string, string[]]>> = {
  USD: ['accountNumber', (suffix) => `123456789${suffix}`, ['ACH', 'WIRE']],
  EUR: ['iban', (suffix) => `NL02ABNA0123456${suffix}`, ['SEPA', 'SEPA_INSTANT']],
  MXN: ['clabeNumber', (suffix) => `646180157000004${suffix}`, ['SPEI']],
  GBP: ['accountNumber', (suffix) => `12345${suffix}`, ['FASTER_PAYMENTS']],
};

/** What an account says besides its number. */
const infoOf = (currency: string) => ({
  accountType: `${currency}_ACCOUNT`,
  ...(currency === 'USD' ? { routingNumber: '021000021' } : {}),
  ...(currency === 'GBP' ? { sortCode: '040004' } : {}),
  beneficiary: {
    beneficiaryType: 'INDIVIDUAL',
    fullName: 'Ana Souza',
    birthDate: '1990-01-02',
    countryOfResidence: 'BR',
  },
});

/** A platform whose customers have to accept the end-user terms, and one who has not, with a bank account. */
export async function unconsentedKit(options: HostOptions = {}) {
  const platform = { requireEndUserTerms: true, currencies: ['USD', 'EUR'].map((code) => ({ code })) };
  const base = await kit({ scenario: { platform }, ...options });
  const { body: customer } = await base.post('/customers', { customerType: 'INDIVIDUAL', fullName: 'Bo Lind' });
  await base.settle();
  const { body: bank } = await base.post('/customers/external-accounts', {
    customerId: customer.id,
    currency: 'USD',
    accountInfo: {
      accountType: 'USD_ACCOUNT',
      accountNumber: '123456789999',
      routingNumber: '021000021',
      beneficiary: { beneficiaryType: 'INDIVIDUAL', fullName: 'Bo Lind' },
    },
  });
  const own = (await base.get('/platform/internal-accounts', { currency: 'USD' })).body.data[0];
  await base.post(`/sandbox/internal-accounts/${own.id}/fund`, { amount: 10_000 });
  return { ...base, customer, bank, own };
}

/** Ana, approved, with accounts in several currencies; rows of external accounts are put in place directly. */
export async function moneyKit(options: HostOptions = {}): Promise<MoneyKit> {
  const base = await kit({
    scenario: {
      platform: {
        currencies: ['USD', 'EUR', 'MXN', 'GBP', 'USDC', 'BTC', 'USDB'].map((code) => ({ code })),
      },
    },
    ...options,
  });
  const sent = { customerType: 'INDIVIDUAL', fullName: 'Ana Souza', birthDate: '1990-01-02', email: 'ana@example.com' };
  const customer = (
    await base.post('/customers', { ...sent, platformCustomerId: 'ana', umaAddress: '$ana@pay.example' })
  ).body;
  await base.settle();
  const { world } = base.sandbox;
  let made = 0;
  const external = (currency: string, accountInfo: object, more: Partial<ExternalAccount> = {}) =>
    world.transact(() => {
      made += 1;
      const now = world.clock.iso();
      return world.rows(EXTERNAL_ACCOUNTS).insert({
        id: world.newId('ExternalAccount'),
        customerId: customer.id,
        status: 'ACTIVE',
        currency,
        accountInfo,
        isDeleted: false,
        createdAt: now,
        updatedAt: now,
        ...more,
      } as ExternalAccount);
    });
  const account: MoneyKit['account'] = async (currency, owner = customer.id) =>
    owner === 'platform'
      ? (await base.get('/platform/internal-accounts', { currency })).body.data[0]
      : (await base.get('/customers/internal-accounts', { currency, customerId: owner })).body.data[0];
  const shown = new Set(base.events().map((event) => event.id));
  return {
    ...base,
    customer,
    account,
    funded: async (currency, amount, owner) => {
      const { id } = await account(currency, owner);
      const answer = await base.post(`/sandbox/internal-accounts/${id}/fund`, { amount });
      for (const event of base.events()) shown.add(event.id);
      return answer.body;
    },
    balance: async (id) => {
      const { body } = await base.get('/customers/internal-accounts', { limit: 100 });
      const platform = await base.get('/platform/internal-accounts');
      return [...body.data, ...platform.body.data].find((a: Body) => a.id === id).balance.amount;
    },
    bank: (currency, suffix = '999', more) => {
      const [name, make, paymentRails] = IDENTIFIER[currency] as [string, (s: string) => string, string[]];
      return external(currency, { ...infoOf(currency), [name]: make(suffix), paymentRails }, more);
    },
    wallet: (suffix = 'abc', more) =>
      external('USDC', { accountType: 'BASE_WALLET', address: `0x${String(made).padStart(37, '0')}${suffix}` }, more),
    story: () => {
      const told = base.events().filter((event) => !shown.has(event.id));
      for (const event of told) shown.add(event.id);
      return told.map(({ type, data }) =>
        type === 'INTERNAL_ACCOUNT.BALANCE_UPDATED'
          ? `BALANCE ${data.balance.amount}`
          : type.replace('OUTGOING_PAYMENT', 'OUT').replace('INCOMING_PAYMENT', 'IN'),
      );
    },
    review: async () => {
      world.transact(() => submitCustomer(world, customer.id));
      await base.settle();
      for (const event of base.events()) shown.add(event.id);
    },
    transaction: async (id) => (await base.get(`/transactions/${id}`)).body,
    quote: (source, destination, more) =>
      base.post('/quotes', {
        source,
        destination,
        lockedCurrencySide: 'SENDING',
        lockedCurrencyAmount: 20_000,
        ...more,
      }),
  };
}
