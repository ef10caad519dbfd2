import type { Builder, Recipes, Thing } from '../builder.ts';
import type { Json } from '../plan.ts';
import { customer, list } from './people.ts';

/** An internal account by currency: of a customer, or of the platform. */
export function internal(b: Builder, currency = 'USD', owner?: Thing): Thing {
  const whose = owner?.id ?? 'platform';
  return b.some(
    'internal',
    () => {
      const call =
        owner === undefined
          ? b.call('listPlatformInternalAccounts', { query: { currency } })
          : b.call('listCustomerInternalAccounts', { query: { customerId: owner.id, currency } });
      return b.keep('internal', call, { currency, owner: whose }, 'data.0.id');
    },
    (account) => account['currency'] === currency && account['owner'] === whose,
  );
}

/** The same with money in it. */
export function funded(b: Builder, currency = 'USD', owner?: Thing, amount = 500_000): Thing {
  const account = internal(b, currency, owner);
  if (b.all('funding').some((funding) => funding['account'] === account.id)) return account;
  const call = b.call('sandboxFundInternalAccount', { params: { accountId: account.id }, body: { amount } });
  b.keep('funding', call, { account: account.id });
  return account;
}

const PERSON = { beneficiaryType: 'INDIVIDUAL', fullName: 'Nora Lind' };
const usd = (ending: string): Json => ({
  accountType: 'USD_ACCOUNT',
  accountNumber: `123456789${ending}`,
  routingNumber: '021000021',
  beneficiary: PERSON,
});
const eur = (iban: string): Json => ({
  accountType: 'EUR_ACCOUNT',
  iban,
  countryOfResidence: 'DE',
  beneficiary: { ...PERSON, countryOfResidence: 'DE' },
});
const EVM = '0x52908400098527886E0F7030069857D2E4169EE7';

/** Endings of account numbers at which the sandbox does something: most do nothing. */
const ENDINGS = ['', '', '', '002', '003', '004', '005', '102', '103', '104', '105', '106', '107'];

/** Details of accounts elsewhere by currency, the plainest first. */
const DETAILS: Readonly<Record<string, (b: Builder) => Json>> = {
  USD: (b) => usd(b.of(ENDINGS)),
  EUR: (b) => eur(b.of(['DE89370400440532013000', 'NL02ABNA0123456789'])),
  GBP: () => ({ accountType: 'GBP_ACCOUNT', sortCode: '040004', accountNumber: '12345678', beneficiary: PERSON }),
  MXN: () => ({ accountType: 'MXN_ACCOUNT', clabeNumber: '123456789012345678', beneficiary: PERSON }),
  BRL: () => ({
    accountType: 'BRL_ACCOUNT',
    pixKey: 'ana@bank.example',
    pixKeyType: 'EMAIL',
    taxId: '12345678901',
    beneficiary: PERSON,
  }),
  INR: () => ({ accountType: 'INR_ACCOUNT', vpa: 'asha@upi', beneficiary: PERSON }),
  NGN: () => ({ accountType: 'NGN_ACCOUNT', accountNumber: '0123456789', bankName: 'GTBank', beneficiary: PERSON }),
  KES: () => ({ accountType: 'KES_ACCOUNT', phoneNumber: '+254712345678', provider: 'M-PESA', beneficiary: PERSON }),
  USDC: (b) =>
    b.of<Json>([
      { accountType: 'BASE_WALLET', address: EVM },
      { accountType: 'SOLANA_WALLET', address: '4Nd1m6Qkq7RfKuE5vQ9qP9Tn6H94Ueqb4xXHzsAbd8Wg' },
    ]),
  USDB: () => ({
    accountType: 'SPARK_WALLET',
    address: 'spark1pgssyuuuhnrrdjswal5c3s3rafw9w3y5dd4cjy3duxlf7hjzkp0rqx6dj6mrhu',
  }),
  BTC: () => ({ accountType: 'LIGHTNING', lightningAddress: 'john.doe@wallet.example' }),
};
/** Bodies that leave something out or hold what the currency does not go with. */
const ODD: readonly Json[] = [
  {
    currency: 'EUR',
    accountInfo: { accountType: 'EUR_ACCOUNT', iban: 'DE89370400440532013000', beneficiary: PERSON },
  },
  { currency: 'EUR', accountInfo: { ...(eur('DE00370400440532013000') as object) } },
  { currency: 'GBP', accountInfo: usd('') },
  { currency: 'USD', accountInfo: { ...(usd('') as object), routingNumber: '123456789' } },
];

/** The body of a new account elsewhere. */
export function accountBody(b: Builder, currency: string): { readonly [name: string]: Json } {
  const accountInfo = (DETAILS[currency] as (b: Builder) => Json)(b);
  const isWallet = ['USDC', 'USDB', 'BTC'].includes(currency);
  return { currency, accountInfo, ...(isWallet ? { ownershipType: b.of(['FIRST_PARTY', 'THIRD_PARTY']) } : {}) };
}

function newExternal(b: Builder, currency: string, owner?: Thing): Thing {
  const body = accountBody(b, currency);
  const about = { currency, owner: owner?.id ?? 'platform' };
  const call =
    owner === undefined
      ? b.call('createPlatformExternalAccount', { body })
      : b.call('createCustomerExternalAccount', { body: { customerId: owner.id, ...body } });
  return b.keep('external', call, about);
}

/** An account elsewhere: of a customer, or of the platform. */
export const external = (b: Builder, currency = 'USD', owner?: Thing): Thing =>
  b.some(
    'external',
    () => newExternal(b, currency, owner),
    (account) => account['currency'] === currency && account['owner'] === (owner?.id ?? 'platform'),
  );

const CURRENCIES = Object.keys(DETAILS);
const ownerOf = (b: Builder, whose: 'Customer' | 'Platform'): Thing | undefined =>
  whose === 'Customer' ? customer(b) : undefined;
const any = (b: Builder, whose: 'Customer' | 'Platform'): Thing => {
  const owner = ownerOf(b, whose);
  const found = b.all('external').filter((account) => account['owner'] === (owner?.id ?? 'platform'));
  return found.at(-1) ?? newExternal(b, b.of(['USD', ...CURRENCIES]), owner);
};

function create(b: Builder, whose: 'Customer' | 'Platform'): void {
  const owner = ownerOf(b, whose);
  if (!b.once(5)) return void newExternal(b, b.of(CURRENCIES), owner);
  const body = { ...(b.of(ODD) as object), ...(owner ? { customerId: owner.id } : {}) };
  b.call(`create${whose}ExternalAccount`, { body });
}

function listed(b: Builder, whose: 'Customer' | 'Platform'): void {
  const owner = ownerOf(b, whose);
  for (let n = b.below(3); n > 0; n -= 1) newExternal(b, b.of(CURRENCIES), owner);
  const query = { ...(owner ? { customerId: owner.id } : {}), ...b.of<object>([{}, { currency: 'USD' }]) };
  list(b, `list${whose}ExternalAccounts`, { query });
}

const pathOf = (account: Thing) => ({ externalAccountId: account.id });
/** A wallet of a kind that its owner has to prove. */
const wallet = (b: Builder, whose: 'Customer' | 'Platform'): Thing => {
  const owner = ownerOf(b, whose);
  return b.some(`wallet of ${owner?.id}`, () => {
    const accountInfo = { accountType: 'BASE_WALLET', address: EVM };
    const body = { currency: 'USDC', ownershipType: 'FIRST_PARTY', accountInfo };
    const call = b.call(`create${whose}ExternalAccount`, { body: owner ? { customerId: owner.id, ...body } : body });
    return b.keep(`wallet of ${owner?.id}`, call);
  });
};
const SIGNATURES = ['sandbox-valid-signature', 'wrong'];

function prove(b: Builder, whose: 'Customer' | 'Platform', operation: string): void {
  const params = pathOf(b.once(4) ? any(b, whose) : wallet(b, whose));
  if (!b.once(4)) b.call(`create${operation}OwnershipChallenge`, { params, body: { method: 'WALLET_SIGNATURE' } });
  b.call(`verify${operation}Ownership`, { params, body: { signature: b.of(SIGNATURES) } });
}

export const ACCOUNTS: Recipes = {
  listCustomerInternalAccounts: (b) => {
    const query = b.of<Record<string, string>>([{}, { currency: 'USD' }, { type: 'EMBEDDED_WALLET' }]);
    list(b, 'listCustomerInternalAccounts', { query: { customerId: customer(b).id, ...query } });
  },
  listPlatformInternalAccounts: (b) =>
    void b.call('listPlatformInternalAccounts', { query: b.of<Record<string, string>>([{}, { currency: 'USD' }]) }),
  sandboxFundInternalAccount: (b) => {
    const account = internal(b, b.of(['USD', 'USDC']), b.once(2) ? customer(b) : undefined);
    b.call('sandboxFundInternalAccount', { params: { accountId: account.id }, body: { amount: b.of([100, 2500]) } });
  },
  createCustomerExternalAccount: (b) => create(b, 'Customer'),
  createPlatformExternalAccount: (b) => create(b, 'Platform'),
  listCustomerExternalAccounts: (b) => listed(b, 'Customer'),
  listPlatformExternalAccounts: (b) => listed(b, 'Platform'),
  getCustomerExternalAccountById: (b) =>
    void b.call('getCustomerExternalAccountById', { params: pathOf(any(b, 'Customer')) }),
  getPlatformExternalAccountById: (b) =>
    void b.call('getPlatformExternalAccountById', { params: pathOf(any(b, 'Platform')) }),
  deleteCustomerExternalAccountById: (b) =>
    void b.call('deleteCustomerExternalAccountById', { params: pathOf(any(b, 'Customer')) }),
  deletePlatformExternalAccountById: (b) =>
    void b.call('deletePlatformExternalAccountById', { params: pathOf(any(b, 'Platform')) }),
  createExternalAccountOwnershipChallenge: (b) => {
    const params = pathOf(b.once(4) ? any(b, 'Customer') : wallet(b, 'Customer'));
    b.call('createExternalAccountOwnershipChallenge', { params, body: { method: 'WALLET_SIGNATURE' } });
  },
  createPlatformExternalAccountOwnershipChallenge: (b) => {
    const params = pathOf(b.once(4) ? any(b, 'Platform') : wallet(b, 'Platform'));
    b.call('createPlatformExternalAccountOwnershipChallenge', { params, body: { method: 'WALLET_SIGNATURE' } });
  },
  verifyExternalAccountOwnership: (b) => prove(b, 'Customer', 'ExternalAccount'),
  verifyPlatformExternalAccountOwnership: (b) => prove(b, 'Platform', 'PlatformExternalAccount'),
  lookupExternalAccount: (b) => {
    const owner = customer(b);
    const account = external(b, b.of(['USD', 'EUR']), owner);
    b.keep(
      'lookup',
      b.call('lookupExternalAccount', { params: { accountId: account.id }, query: { customerId: owner.id } }),
    );
  },
  estimateCryptoWithdrawalFee: (b) => {
    const body = {
      internalAccountId: internal(b, 'USDC', b.once(2) ? customer(b) : undefined).id,
      currency: 'USDC',
      amount: b.of([2_500_000, 2500]),
      ...b.of<{ [name: string]: string }>([
        { cryptoNetwork: 'SOLANA', destinationAddress: '4Nd1m6Qkq7RfKuE5vQ9qP9Tn6H94Ueqb4xXHzsAbd8Wg' },
        { cryptoNetwork: 'BASE', destinationAddress: EVM },
      ]),
    };
    b.call('estimateCryptoWithdrawalFee', { body });
  },
};
