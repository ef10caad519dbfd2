import type { Builder, Recipes, Thing } from '../builder.ts';
import { type Json, ref, unique } from '../plan.ts';
import { external, funded, internal } from './accounts.ts';
import { customer, list } from './people.ts';

const AMOUNTS = [2500, 100, 20_000, 9_000_000];
export const keyed = (b: Builder): Readonly<Record<string, string>> =>
  b.below(2) === 0 ? { 'Idempotency-Key': unique(`k${b.number()}-`) } : {};
const UMA = ['$success.usd', '$success.eur', '$pending.long.usd', '$nobody'].map((name) => `${name}@sandbox.uma.money`);
const DURATIONS = ['1s', '10s', '1m', '10m'];

function lookUp(b: Builder, who: Thing): { umaAddress: string; lookupId: string } {
  const umaAddress = b.of(UMA);
  const params = { receiverUmaAddress: umaAddress };
  const call = b.call('lookupUma', { params, query: { customerId: who.id } });
  return { umaAddress, lookupId: ref(call, 'lookupId') };
}

/** Where the money of a quote comes from, and where it goes. */
function ends(b: Builder, who: Thing): { readonly [name: string]: Json } {
  const uma = b.once(4);
  const pushed = !uma && b.once(4);
  const source: Json = pushed
    ? { sourceType: 'REALTIME_FUNDING', currency: b.of(['USD', 'USDC']), customerId: who.id }
    : { sourceType: 'ACCOUNT', accountId: b.of([funded, funded, funded, internal, external])(b, 'USD', who).id };
  if (!uma) {
    const to = b.once(6) ? internal(b, 'USDC', who) : external(b, b.of(['EUR', 'USD', 'USDC', 'MXN']), who);
    return { source, destination: { destinationType: 'ACCOUNT', accountId: to.id } };
  }
  const { umaAddress, lookupId } = lookUp(b, who);
  return { source, destination: { destinationType: 'UMA_ADDRESS', umaAddress }, lookupId };
}

/** The body of a new quote for a customer. */
export function quoteBody(b: Builder, who: Thing): { readonly [name: string]: Json } {
  return {
    ...ends(b, who),
    lockedCurrencySide: b.of(['SENDING', 'SENDING', 'RECEIVING']),
    lockedCurrencyAmount: b.of(AMOUNTS),
    ...b.of<{ [name: string]: Json }>([{}, {}, {}, { immediatelyExecute: true }, { description: 'Rent' }]),
  };
}

function newQuote(b: Builder, who = customer(b)): Thing {
  const call = b.call('createQuote', { body: quoteBody(b, who), headers: keyed(b) });
  b.keep('transaction', call, {}, 'transactionId');
  return b.keep('quote', call);
}
const quote = (b: Builder): Thing => b.some('quote', () => newQuote(b));

/** A quote that somebody pays by pushing money to the service. */
function pushed(b: Builder): Thing {
  const who = customer(b);
  const body = {
    source: { sourceType: 'REALTIME_FUNDING', currency: 'USD', customerId: who.id },
    destination: { destinationType: 'ACCOUNT', accountId: external(b, 'EUR', who).id },
    lockedCurrencySide: 'SENDING',
    lockedCurrencyAmount: 2500,
  };
  const call = b.call('createQuote', { body });
  b.keep('transaction', call, {}, 'transactionId');
  return b.keep('quote', call);
}

/** A quote out of a wallet, from which only its owner's signature moves anything. */
function walletQuote(b: Builder): Thing {
  const who = customer(b);
  const from = funded(b, 'USDB', who, 50_000_000);
  const call = b.call('createQuote', {
    body: {
      source: { sourceType: 'ACCOUNT', accountId: from.id },
      destination: { destinationType: 'ACCOUNT', accountId: internal(b, 'USD', who).id },
      lockedCurrencySide: 'SENDING',
      lockedCurrencyAmount: 10_000_000,
    },
  });
  b.keep('transaction', call, {}, 'transactionId');
  return b.keep('walletQuote', call);
}

/** The header that carries a wallet's signature, by whatever name a side knows it. */
export const SIGNATURE = '@wallet-signature';
export const SIGNED = { [SIGNATURE]: 'sandbox-valid-signature' };

function execute(b: Builder): void {
  const isWallet = b.below(3) === 2;
  const params = { quoteId: (isWallet ? b.some('walletQuote', () => walletQuote(b)) : quote(b)).id };
  // Signed at once, as where the payload has been in the quote all along.
  if (isWallet && b.below(2) === 0) {
    const id = 'Request:00000000-0000-7000-8000-000000000000';
    b.call('executeQuote', { params, headers: { ...SIGNED, ...b.of<object>([{}, { 'Request-Id': id }]) } });
    return;
  }
  const details = { params, headers: isWallet ? {} : keyed(b) };
  const call = b.call('executeQuote', details);
  if (!isWallet) {
    if (b.below(2) === 0) b.pause(b.of(DURATIONS));
    return;
  }
  const headers = b.of<Record<string, string>>([
    { ...SIGNED, 'Request-Id': ref(call, 'requestId') },
    { ...SIGNED, 'Request-Id': 'Request:00000000-0000-7000-8000-000000000000' },
    SIGNED,
  ]);
  b.call('executeQuote', { params, headers });
}

function transfer(b: Builder, out: boolean): Thing {
  const who = b.once(2) ? customer(b) : undefined;
  const currency = b.of(['USD', 'USD', 'USDC']);
  const inner = { accountId: (b.once(5) || !out ? internal : funded)(b, currency, who).id };
  const outer = { accountId: external(b, currency, who).id };
  const body = {
    source: out ? inner : outer,
    destination: out ? outer : inner,
    ...(b.once(8) ? {} : { amount: b.of([100, 2500, 9_000_000]) }),
  };
  const call = b.call(out ? 'createTransferOut' : 'createTransferIn', { body, headers: keyed(b) });
  return b.keep('transaction', call);
}

const payment = (b: Builder): Thing => b.some('transaction', () => transfer(b, true));

/** A payment that takes a while, so that it can still be cancelled. */
const slow = (b: Builder): Thing =>
  b.some('slow', () => {
    const accountInfo = {
      accountType: 'USD_ACCOUNT',
      accountNumber: '123456789005',
      routingNumber: '021000021',
      beneficiary: { beneficiaryType: 'INDIVIDUAL', fullName: 'Nora Lind' },
    };
    const to = b.call('createPlatformExternalAccount', { body: { currency: 'USD', accountInfo } });
    const from = { accountId: funded(b, 'USD').id };
    const body = { source: from, destination: { accountId: ref(to) }, amount: 100 };
    return b.keep('slow', b.call('createTransferOut', { body }));
  });

function receive(b: Builder): Thing {
  const sender = b.of(['$success.usd', '$success.eur', '$fail.compliance.usd']);
  const body = {
    senderUmaAddress: `${sender}@sandbox.uma.money`,
    customerId: customer(b).id,
    receivingCurrencyCode: b.of(['USD', 'EUR']),
    receivingCurrencyAmount: b.of([2500, 100_000]),
  };
  return b.keep('incoming', b.call('sandboxReceive', { body }));
}
const incoming = (b: Builder): Thing => b.some('incoming', () => receive(b));

const on = (operation: string, body: Json, which: (b: Builder) => Thing) => (b: Builder) => {
  const params = { transactionId: (b.once(4) ? payment : which)(b).id };
  b.call(operation, { params, body });
};

const TRANSACTION_FILTERS = [
  {},
  {},
  { type: 'OUTGOING' },
  { type: 'INCOMING' },
  { status: 'COMPLETED' },
  { status: 'PROCESSING' },
  { sortOrder: 'asc' },
  { sortOrder: 'desc' },
  { startDate: '2020-01-01T00:00:00Z' },
  { endDate: '2020-01-01T00:00:00Z' },
];

export const PAYMENTS: Recipes = {
  getExchangeRates: (b) => {
    const query = b.of<Record<string, string>>([
      {},
      { sourceCurrency: 'USD' },
      { sourceCurrency: 'USD', destinationCurrency: 'EUR', sendingAmount: '10000' },
      { destinationCurrency: 'MXN' },
    ]);
    b.call('getExchangeRates', { query });
  },
  lookupUma: (b) => void lookUp(b, customer(b)),
  createQuote: (b) => void newQuote(b),
  getQuoteById: (b) => void b.call('getQuoteById', { params: { quoteId: (b.once(4) ? walletQuote : quote)(b).id } }),
  executeQuote: execute,
  createTransferOut: (b) => void transfer(b, true),
  createTransferIn: (b) => void transfer(b, false),
  listTransactions: (b) => {
    if (b.all('transaction').length < 3) for (let n = b.below(3); n > 0; n -= 1) transfer(b, b.below(2) === 0);
    if (b.once(2)) b.pause('1m');
    list(b, 'listTransactions', { query: b.of(TRANSACTION_FILTERS) as Record<string, string> });
  },
  getTransactionById: (b) => {
    const { id } = payment(b);
    if (b.below(2) === 0) b.pause(b.of(DURATIONS));
    b.call('getTransactionById', { params: { transactionId: id } });
  },
  cancelTransaction: on('cancelTransaction', { reason: 'changed my mind' }, slow),
  approvePendingPayment: on('approvePendingPayment', {}, incoming),
  rejectPendingPayment: on('rejectPendingPayment', { reason: 'unknown sender' }, incoming),
  confirmReceiptDelivery: on('confirmReceiptDelivery', { receiptDeliveryConfirmedAt: '2026-01-05T09:00:00Z' }, payment),
  sandboxReceive: (b) => void receive(b),
  sandboxSend: (b) => {
    const make = b.of([pushed, walletQuote, quote]);
    const currencyCode = make === walletQuote ? 'USDB' : 'USD';
    b.call('sandboxSend', {
      body: { quoteId: make(b).id, currencyCode, ...b.of<object>([{}, {}, { currencyAmount: 1 }]) },
    });
    if (b.once(2)) b.pause('10s');
  },
};
