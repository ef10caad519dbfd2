import { type Answer, type Fetch, send } from './transport.ts';

/** The request of an agent, as the API shows it. */
export interface AgentAction {
  id: string;
  agentId: string;
  customerId: string;
  platformCustomerId: string;
  status: 'PENDING_APPROVAL' | 'APPROVED' | 'REJECTED' | 'FAILED';
  type: 'EXECUTE_QUOTE' | 'TRANSFER_OUT' | 'TRANSFER_IN';
  // biome-ignore lint/suspicious/noExplicitAny: a quote has many members, and tests say what they expect of them
  quote?: any;
  transferDetails?: { amount: number; currency: string; sourceAccountId: string; destinationAccountId: string };
  // biome-ignore lint/suspicious/noExplicitAny: as above
  transaction?: any;
  rejectionReason?: string;
  createdAt: string;
  updatedAt: string;
}

/** The options of an agent's client. */
export interface AgentOptions {
  /** The base URL, with the version segment. */
  baseUrl: string;
  /**
   * The sandbox's whole `Authorization` header, which selects it if several know the code. The service does not require
   * one.
   */
  authorization?: string;
  fetch?: Fetch;
}

/** One end of a transfer: the id of an account, or any other form that the API accepts. */
type End = string | { accountId: string; paymentRail?: string };
const endOf = (end: End) => (typeof end === 'string' ? { accountId: end } : end);

/**
 * An agent that calls with its own access token. A refusal rejects with `WalletError`; its `reason` names the failed
 * policy check.
 */
export class AgentClient {
  readonly agentId: string;
  readonly name: string;
  /** Returned once by the service; the token alone is enough to pay. */
  readonly accessToken: string;
  readonly #target: { baseUrl: string; authorization: string; fetch: Fetch };

  constructor(options: Omit<AgentOptions, 'authorization'> & { agentId: string; name?: string; accessToken: string }) {
    const { baseUrl, fetch: given = (url, init) => fetch(url, init) } = options;
    this.agentId = options.agentId;
    this.name = options.name ?? '';
    this.accessToken = options.accessToken;
    this.#target = {
      baseUrl: baseUrl.replace(/\/+$/, ''),
      authorization: `Bearer ${options.accessToken}`,
      fetch: given,
    };
  }

  /** Makes one call below `/agents/me`. */
  call(method: string, path: string, body?: unknown, headers: { [name: string]: string } = {}): Promise<Answer> {
    return send(this.#target, method, `/agents/me${path}`, body, headers);
  }

  /**
   * Pays out to an external account, the whole balance if there is no amount. The action is `APPROVED` or waits for
   * approval.
   */
  async transferOut(transfer: { source: End; destination: End; amount?: number }): Promise<AgentAction> {
    return this.#transfer('/transfer-out', transfer);
  }

  /** Collects an amount from an external account. */
  async transferIn(transfer: { source: End; destination: End; amount: number }): Promise<AgentAction> {
    return this.#transfer('/transfer-in', transfer);
  }

  /** Requests a quote, as in `POST /quotes`. */
  // biome-ignore lint/suspicious/noExplicitAny: as above
  async createQuote(quote: object): Promise<any> {
    return (await this.call('POST', '/quotes', quote)).body;
  }

  /** Executes a quote of this agent; for an embedded wallet, pass the headers of its owner's signature. */
  async executeQuote(quoteId: string, headers: { [name: string]: string } = {}): Promise<AgentAction> {
    return (await this.call('POST', `/quotes/${quoteId}/execute`, undefined, headers)).body;
  }

  /** Returns the present state of an action. */
  async action(id: string): Promise<AgentAction> {
    return (await this.call('GET', `/actions/${id}`)).body;
  }

  async #transfer(path: string, { source, destination, ...rest }: { source: End; destination: End; amount?: number }) {
    const body = { source: endOf(source), destination: endOf(destination), ...rest };
    return (await this.call('POST', path, body)).body as AgentAction;
  }
}

/**
 * Redeems a device code, as the program that will be the agent does; the returned client calls with the token received.
 */
export async function redeemAgent(options: AgentOptions, code: string): Promise<AgentClient> {
  const { authorization, fetch: given = (url, init) => fetch(url, init), ...rest } = options;
  const target = { baseUrl: options.baseUrl.replace(/\/+$/, ''), authorization, fetch: given };
  const path = `/agents/device-codes/${encodeURIComponent(code)}/redeem`;
  const { agentId, agentName, accessToken } = (await send(target, 'POST', path, undefined, {})).body;
  return new AgentClient({ ...rest, agentId, name: agentName, accessToken, fetch: given });
}
