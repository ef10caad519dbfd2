import { realWait, stopwatch } from './real-time.ts';
import { type Answer, type Fetch, send } from './transport.ts';

/** The merchant of a card payment. */
export interface CardMerchant {
  descriptor: string;
  mcc?: string;
  country?: string;
}

/** The data that both sides have of one amount. */
interface Amount {
  amount: number;
  currency: { code?: string };
}

/** A payment by card as the API shows it. */
export interface CardPayment {
  id: string;
  cardId?: string;
  status: 'AUTHORIZED' | 'PARTIALLY_SETTLED' | 'SETTLED' | 'REFUNDED' | 'EXCEPTION';
  direction: 'CREDIT' | 'DEBIT';
  issuerTransactionToken?: string;
  merchant: CardMerchant;
  accountId: string;
  authorizedAmount: Amount;
  settledAmount?: Amount;
  refundedAmount?: Amount;
  pullSummary?: { count: number; totalAmount: number; pendingCount?: number };
  refundSummary?: { count: number; totalAmount: number };
  settlementSummary?: { count: number; totalAmount: number };
}

export interface CardNetworkOptions {
  /** With the version segment. */
  baseUrl: string;
  /** The whole `Authorization` header. */
  authorization: string;
  /** `Card:<uuid>`. */
  cardId: string;
  /** The currency of amounts, unless a call names another; default `USD`. */
  currency?: string;
  /** The longest that a payment is looked for before it counts as declined, in milliseconds; default 500. */
  patienceMs?: number;
  fetch?: Fetch;
}

export interface CardUse {
  merchant?: CardMerchant;
  currency?: string;
}

const MERCHANT: CardMerchant = { descriptor: 'NORTH PIER CAFE', mcc: '5812', country: 'US' };

/** The message that opens an authorization. */
type Opening =
  | 'authorization'
  | 'financial_authorization'
  | 'credit_authorization'
  | 'financial_credit_authorization'
  | 'credit_authorization_advice';

/**
 * The other side of a card: merchants and the network, through the simulators of the sandbox. A call resolves with the payment
 * as it stands afterwards, an authorization that was declined with `undefined`; a refusal rejects with `WalletError`.
 */
export class CardNetwork {
  readonly #options: CardNetworkOptions;
  readonly #target: { baseUrl: string; authorization: string; fetch: Fetch };
  #cardholder: Promise<string> | undefined;

  constructor(options: CardNetworkOptions) {
    this.#options = options;
    const { baseUrl, authorization, fetch: given = (url, init) => fetch(url, init) } = options;
    this.#target = { baseUrl: baseUrl.replace(/\/+$/, ''), authorization, fetch: given };
  }

  /** A merchant asks for money, to be cleared later. */
  authorize(amount: number, use: CardUse = {}): Promise<CardPayment | undefined> {
    return this.#open('authorization', amount, use);
  }

  /** A merchant takes money in one message, as a cash machine does. */
  take(amount: number, use: CardUse = {}): Promise<CardPayment | undefined> {
    return this.#open('financial_authorization', amount, use);
  }

  /** A merchant gives money in one message. */
  give(amount: number, use: CardUse = {}): Promise<CardPayment | undefined> {
    return this.#open('financial_credit_authorization', amount, use);
  }

  /** A merchant announces a credit, to be cleared later. */
  authorizeCredit(amount: number, use: CardUse = {}): Promise<CardPayment | undefined> {
    return this.#open('credit_authorization', amount, use);
  }

  /** The network has authorized a credit by itself. */
  adviseCredit(amount: number, use: CardUse = {}): Promise<CardPayment | undefined> {
    return this.#open('credit_authorization_advice', amount, use);
  }

  /** A merchant asks whether the card works; the request log of the emulator has the answer. */
  async inquire(merchant: CardMerchant = MERCHANT): Promise<void> {
    await this.#send('balance_inquiry', { merchant });
  }

  /** The merchant collects so much, or what was authorized. */
  clear(payment: CardPayment, amount = payment.authorizedAmount.amount): Promise<CardPayment> {
    return this.#about(payment, 'clearing', { amount });
  }

  /** Nothing more is collected. */
  expire(payment: CardPayment): Promise<CardPayment> {
    return this.#about(payment, 'clearing', { amount: 0 });
  }

  /** The network gives the authorization another total. */
  resize(payment: CardPayment, amount: number): Promise<CardPayment> {
    return this.#about(payment, 'authorization_advice', { amount });
  }

  /** The merchant gives so much back, or all that is not returned yet. */
  async refund(payment: CardPayment, amount?: number): Promise<CardPayment> {
    const { settledAmount, refundedAmount } = await this.read(payment);
    const rest = (settledAmount?.amount ?? 0) - (refundedAmount?.amount ?? 0);
    return this.#about(payment, 'return', { amount: amount ?? rest });
  }

  /** The merchant takes its refunds back. */
  reverseRefund(payment: CardPayment): Promise<CardPayment> {
    return this.#about(payment, 'return_reversal', {});
  }

  /** A payment as it stands. */
  async read({ id }: Pick<CardPayment, 'id'>): Promise<CardPayment> {
    return (await this.#call('GET', `/transactions/${encodeURIComponent(id)}`)).body;
  }

  async #open(how: Opening, amount: number, use: CardUse): Promise<CardPayment | undefined> {
    const code = use.currency ?? this.#options.currency ?? 'USD';
    const merchant = use.merchant ?? MERCHANT;
    return this.#find(await this.#send(how, { amount, currency: { code }, merchant }));
  }

  async #about(payment: Pick<CardPayment, 'id'>, what: string, body: object): Promise<CardPayment> {
    await this.#send(what, { cardTransactionId: payment.id, ...body });
    return this.read(payment);
  }

  /** Returns the issuer's token of a message. */
  async #send(what: string, body: object): Promise<string> {
    const path = `/sandbox/cards/${encodeURIComponent(this.#options.cardId)}/simulate/${what}`;
    return (await this.#call('POST', path, body)).body.issuerTransactionToken;
  }

  /** The payment of a token, among the cardholder's newest. */
  async #find(token: string): Promise<CardPayment | undefined> {
    this.#cardholder ??= this.#call('GET', `/cards/${encodeURIComponent(this.#options.cardId)}`).then(
      ({ body }) => body.cardholderId,
    );
    const query = `customerId=${encodeURIComponent(await this.#cardholder)}&limit=100`;
    const end = stopwatch() + (this.#options.patienceMs ?? 500);
    for (;;) {
      const { body } = await this.#call('GET', `/transactions?${query}`);
      const found = body.data.find((one: CardPayment) => one.issuerTransactionToken === token);
      if (found || stopwatch() >= end) return found;
      await realWait(20);
    }
  }

  #call(method: string, path: string, body?: unknown): Promise<Answer> {
    return send(this.#target, method, path, body, {});
  }
}
