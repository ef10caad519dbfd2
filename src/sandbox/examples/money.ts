import { CUSTOMERS, type Customer } from '../../areas/customers/index.ts';
import { ENOUGH, type Facts, type Match } from './facts.ts';
import { ofSomebody } from './people.ts';
import { at, type Recipe, type Recipes } from './recipe.ts';
import { BANKS, BENEFICIARY, WALLET } from './samples.ts';

/** Minor units that examples move. */
export const AMOUNT = 2500;

/** An account of a bank in the currency of examples, else a wallet. */
export function bank(the: Facts): object {
  const info = BANKS[the.currency]?.(String(the.count('external-accounts') % 1000).padStart(3, '0'));
  if (!info) return { currency: 'USDC', ownershipType: 'THIRD_PARTY', accountInfo: WALLET };
  return { currency: the.currency, accountInfo: { ...info, beneficiary: BENEFICIARY } };
}

/** Who pays whom by quote. */
export function quote(the: Facts, fits?: (customer: Customer) => boolean): object {
  const pair = the.pair(fits);
  return {
    source: { sourceType: 'ACCOUNT', accountId: pair?.from.id ?? '<accountId>' },
    destination: { destinationType: 'ACCOUNT', accountId: pair?.to.id ?? '<externalAccountId>' },
    lockedCurrencySide: 'SENDING',
    lockedCurrencyAmount: AMOUNT,
  };
}

export function transfer(the: Facts, way: 'in' | 'out', fits?: (customer: Customer) => boolean): object {
  const pair = the.pair(fits);
  const inner = { accountId: pair?.from.id ?? '<accountId>' };
  const outer = { accountId: pair?.to.id ?? '<externalAccountId>' };
  return { source: way === 'in' ? outer : inner, destination: way === 'in' ? inner : outer, amount: AMOUNT };
}

/** The newest quote whose payment is in a status. */
const quoteWhere = (the: Facts, status: string, match: Match = {}, maker = 'createQuote') =>
  the.row('quotes', maker, match, (row) => {
    if (!(row['customers'] as string[]).every((customerId) => ofSomebody(the)({ customerId }))) return false;
    const payment = the.newest('transactions', { id: row['transactionId'], status });
    return payment !== undefined && Date.parse(row['expiresAt'] as string) > the.world.clock.now();
  });

const mine = (the: Facts, match: Match = {}): string =>
  the.id('external-accounts', 'createCustomerExternalAccount', { isDeleted: false, ...match }, (row) =>
    ofSomebody(the)(row),
  );
const ours = (the: Facts, match: Match = {}): string =>
  the.id(
    'external-accounts',
    'createPlatformExternalAccount',
    { isDeleted: false, ...match },
    (row) => row['customerId'] === undefined,
  );
const unproven = { ownershipType: 'FIRST_PARTY', status: 'PENDING_OWNERSHIP_VERIFICATION' };
const asked = (row: Readonly<Record<string, unknown>>): boolean =>
  (row['challenge'] as { method?: string } | undefined)?.method === 'WALLET_SIGNATURE';
const proof = { signature: 'sandbox-valid-signature' };

const untrusted =
  (the: Facts) =>
  (row: { id: string }): boolean => {
    const status = the.newest('sca-trust', { id: row.id })?.['status'];
    return status !== 'TRUSTED' && status !== 'UNTRUST_PENDING';
  };

/** A transaction of a customer who is still there. */
const payment = (
  the: Facts,
  maker: string,
  match: Match,
  fits: (row: Readonly<Record<string, unknown>>) => boolean = () => true,
) => the.id('transactions', maker, match, fits);

const incoming: Recipe = (the) => {
  const receiver = the.who((one) => the.accountOf(one.id) !== undefined);
  return {
    body: {
      senderUmaAddress: '$success.usd@sandbox.uma.money',
      customerId: receiver?.id ?? the.lacks('createCustomer'),
      receivingCurrencyCode: the.currency,
      receivingCurrencyAmount: AMOUNT,
    },
  };
};

/** Accounts, quotes, transfers and payments. */
export const MONEY: Recipes = {
  createCustomerExternalAccount: (the) => ({ body: { customerId: the.customerId(), ...bank(the) } }),
  createPlatformExternalAccount: (the) => ({ body: bank(the) }),
  getCustomerExternalAccountById: at('externalAccountId', (the) => mine(the)),
  getPlatformExternalAccountById: at('externalAccountId', (the) => ours(the)),
  deleteCustomerExternalAccountById: at('externalAccountId', (the) =>
    the.id(
      'external-accounts',
      'createCustomerExternalAccount',
      { isDeleted: false },
      (row) => ofSomebody(the)(row) && untrusted(the)(row),
    ),
  ),
  deletePlatformExternalAccountById: at('externalAccountId', (the) => ours(the)),
  createExternalAccountOwnershipChallenge: at(
    'externalAccountId',
    (the) => mine(the, unproven),
    () => ({
      body: { method: 'WALLET_SIGNATURE' },
    }),
  ),
  createPlatformExternalAccountOwnershipChallenge: at(
    'externalAccountId',
    (the) => ours(the, unproven),
    () => ({
      body: { method: 'WALLET_SIGNATURE' },
    }),
  ),
  verifyExternalAccountOwnership: at(
    'externalAccountId',
    (the) =>
      the.id(
        'external-accounts',
        'createExternalAccountOwnershipChallenge',
        { isDeleted: false, ...unproven },
        (row) => asked(row) && ofSomebody(the)(row),
      ),
    () => ({ body: proof }),
  ),
  verifyPlatformExternalAccountOwnership: at(
    'externalAccountId',
    (the) =>
      the.id(
        'external-accounts',
        'createPlatformExternalAccountOwnershipChallenge',
        { isDeleted: false, ...unproven },
        (row) => asked(row) && row['customerId'] === undefined,
      ),
    () => ({ body: proof }),
  ),
  updateInternalAccount: at(
    'id',
    (the) => the.wallet(),
    () => ({ body: { privateEnabled: true } }),
  ),

  getExchangeRates: (the) => ({ query: { sourceCurrency: the.currency } }),
  lookupUma: (the) => ({
    params: { receiverUmaAddress: '$success.usd@sandbox.uma.money' },
    query: { customerId: the.customerId() },
  }),
  lookupExternalAccount: (the) => {
    const { id, customerId } = the.row(
      'external-accounts',
      'createCustomerExternalAccount',
      { isDeleted: false, status: 'ACTIVE' },
      (row) => ofSomebody(the)(row),
    );
    return { params: { accountId: id }, query: { customerId: String(customerId ?? the.customerId()) } };
  },
  estimateCryptoWithdrawalFee: (the) => ({
    body: {
      internalAccountId: the.id('accounts', 'createCustomer', { currency: 'USDC', status: 'ACTIVE' }),
      currency: 'USDC',
      cryptoNetwork: 'SOLANA',
      amount: 2_500_000,
      destinationAddress: '4Nd1m6Qkq7RfKuE5vQ9qP9Tn6H94Ueqb4xXHzsAbd8Wg',
    },
  }),

  createQuote: (the) => ({ body: quote(the) }),
  getQuoteById: at('quoteId', (the) => the.id('quotes', 'createQuote')),
  executeQuote: at('quoteId', (the) => quoteWhere(the, 'PENDING', { pushed: false }).id),
  authorizeQuote: at(
    'quoteId',
    (the) => challenged(the, 'SMS_OTP'),
    () => ({ body: { code: '123456' } }),
  ),
  resendQuoteScaCode: at('quoteId', (the) => challenged(the, 'SMS_OTP')),
  createTransferIn: (the) => ({ body: transfer(the, 'in') }),
  createTransferOut: (the) => ({ body: transfer(the, 'out') }),

  getTransactionById: at('transactionId', (the) => the.id('transactions', 'createQuote')),
  approvePendingPayment: at('transactionId', (the) =>
    payment(
      the,
      'sandboxReceive',
      { type: 'INCOMING', status: 'PENDING' },
      (row) => row['approval'] !== undefined && ofSomebody(the)(row),
    ),
  ),
  rejectPendingPayment: at('transactionId', (the) =>
    payment(the, 'sandboxReceive', { type: 'INCOMING', status: 'PENDING' }, (row) => row['approval'] !== undefined),
  ),
  cancelTransaction: at('transactionId', (the) =>
    payment(
      the,
      'createTransferOut',
      { cancellable: true, refund: undefined },
      ({ type, status, debited, plan }) =>
        (status === 'PENDING' || status === 'PROCESSING') &&
        (type === 'INCOMING' || debited === true) &&
        !String(plan).endsWith('cancelled'),
    ),
  ),
  confirmReceiptDelivery: at('transactionId', (the) =>
    payment(the, 'createTransferOut', {}, ({ settledAt, type }) => settledAt !== undefined && type !== 'CARD'),
  ),

  sandboxFundInternalAccount: at(
    'accountId',
    (the) => {
      const next = the.who((one) => the.accountOf(one.id) !== undefined);
      return the.accountOf(next?.id)?.id ?? the.lacks('createCustomer');
    },
    () => ({ body: { amount: 100 * ENOUGH } }),
  ),
  sandboxSend: (the) => {
    const { id, source } = quoteWhere(the, 'PENDING', { pushed: true });
    return {
      body: { quoteId: id, currencyCode: (source as { currency?: string } | undefined)?.currency ?? the.currency },
    };
  },
  sandboxReceive: incoming,
  listAuthCredentials: (the) => ({ query: { accountId: the.wallet() } }),
  listAuthSessions: (the) => ({ query: { accountId: the.wallet() } }),
};

/** A quote whose payer has to answer a challenge by one factor. */
const challenged = (the: Facts, factor: string): string => {
  const found = the.newest('sca-challenges', { kind: 'PAYMENT', status: 'PENDING' }, (row) => {
    const payer = the.world.rows(CUSTOMERS).get(row['customerId'] as string);
    return (row['factors'] as string[])[0] === factor && payer !== undefined && !payer.isDeleted;
  });
  return (found?.['subject'] as string | undefined) ?? the.lacks('executeQuote');
};
