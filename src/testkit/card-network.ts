import { realWait, stopwatch } from './real-time.ts';
import { type Answer, type Fetch, send } from './transport.ts';

/** The merchant of a card payment. */
export interface CardMerchant {
  descriptor: string;
  mcc?: string;
  country?: string;
}

/** An amount in the form that both sides of a payment use. */
interface Amount {
  amount: number;
  currency: { code?: string };
}

/** A card payment as the API shows it. */
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
  /** The base URL, with the version segment. */
  baseUrl: string;
  /** The whole `Authorization` header. */
  authorization: string;
  /** The id of the card: `Card:<uuid>`. */
  cardId: string;
  /** The currency of amounts, unless a call names another; default `USD`. */
  currency?: string;
  /** The time to look for a payment before it counts as declined, in milliseconds; default 500. */
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
 * The other side of a card: merchants and the network, through the sandbox's simulators. A call resolves with the
 * payment's new state, or with undefined if an authorization was declined; a refusal rejects with `WalletError`.
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

  /** Authorizes a purchase, which is cleared later. */
  authorize(amount: number, use: CardUse = {}): Promise<CardPayment | undefined> {
    return this.#open('authorization', amount, use);
  }

  /** Authorizes and clears a purchase in one message, as a cash machine does. */
  take(amount: number, use: CardUse = {}): Promise<CardPayment | undefined> {
    return this.#open('financial_authorization', amount, use);
  }

  /** Authorizes and clears a credit in one message. */
  give(amount: number, use: CardUse = {}): Promise<CardPayment | undefined> {
    return this.#open('financial_credit_authorization', amount, use);
  }

  /** Authorizes a credit, which is cleared later. */
  authorizeCredit(amount: number, use: CardUse = {}): Promise<CardPayment | undefined> {
    return this.#open('credit_authorization', amount, use);
  }

  /** Advises of a credit that the network has authorized by itself. */
  adviseCredit(amount: number, use: CardUse = {}): Promise<CardPayment | undefined> {
    return this.#open('credit_authorization_advice', amount, use);
  }

  /** Asks whether the card works; the emulator's request log has the answer. */
  async inquire(merchant: CardMerchant = MERCHANT): Promise<void> {
    await this.#send('balance_inquiry', { merchant });
  }

  /** Clears an amount, by default the one that was authorized. */
  clear(payment: CardPayment, amount = payment.authorizedAmount.amount): Promise<CardPayment> {
    return this.#about(payment, 'clearing', { amount });
  }

  /** Ends the authorization: nothing more is cleared. */
  expire(payment: CardPayment): Promise<CardPayment> {
    return this.#about(payment, 'clearing', { amount: 0 });
  }

  /** Changes the total of the authorization. */
  resize(payment: CardPayment, amount: number): Promise<CardPayment> {
    return this.#about(payment, 'authorization_advice', { amount });
  }

  /** Refunds an amount, by default all that has not been refunded yet. */
  async refund(payment: CardPayment, amount?: number): Promise<CardPayment> {
    const { settledAmount, refundedAmount } = await this.read(payment);
    const rest = (settledAmount?.amount ?? 0) - (refundedAmount?.amount ?? 0);
    return this.#about(payment, 'return', { amount: amount ?? rest });
  }

  /** Reverses the refunds of a payment. */
  reverseRefund(payment: CardPayment): Promise<CardPayment> {
    return this.#about(payment, 'return_reversal', {});
  }

  /** Returns the present state of a payment. */
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

  /** Sends a message; returns the issuer's token for it. */
  async #send(what: string, body: object): Promise<string> {
    const path = `/sandbox/cards/${encodeURIComponent(this.#options.cardId)}/simulate/${what}`;
    return (await this.#call('POST', path, body)).body.issuerTransactionToken;
  }

  /** Finds the payment of a token among the cardholder's newest, and among all of them before it gives up. */
  async #find(token: string): Promise<CardPayment | undefined> {
    this.#cardholder ??= this.#call('GET', `/cards/${encodeURIComponent(this.#options.cardId)}`).then(
      ({ body }) => body.cardholderId,
    );
    const query = `customerId=${encodeURIComponent(await this.#cardholder)}&limit=100`;
    const end = stopwatch() + (this.#options.patienceMs ?? 500);
    const ofToken = (one: CardPayment) => one.issuerTransactionToken === token;
    for (;;) {
      let { body } = await this.#call('GET', `/transactions?${query}`);
      let found: CardPayment | undefined = body.data.find(ofToken);
      const isLast = stopwatch() >= end;
      while (isLast && !found && body.hasMore) {
        ({ body } = await this.#call('GET', `/transactions?${query}&cursor=${encodeURIComponent(body.nextCursor)}`));
        found = body.data.find(ofToken);
      }
      if (found || isLast) return found;
      await realWait(20);
    }
  }

  #call(method: string, path: string, body?: unknown): Promise<Answer> {
    return send(this.#target, method, path, body, {});
  }
}
