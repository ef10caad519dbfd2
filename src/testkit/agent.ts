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
  /** With the version segment. */
  baseUrl: string;
  /** Of the sandbox, as a whole `Authorization` header: chooses it where several know the code. The service asks for none. */
  authorization?: string;
  fetch?: Fetch;
}

/** One end of a transfer: an account by its id, or what else the API takes. */
type End = string | { accountId: string; paymentRail?: string };
const endOf = (end: End) => (typeof end === 'string' ? { accountId: end } : end);

/** An agent that calls with its own access token. A refusal rejects with `WalletError`, its `reason` the check of the policy. */
export class AgentClient {
  readonly agentId: string;
  readonly name: string;
  /** Shown once by the service: the token alone pays. */
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

  /** One call below `/agents/me`. */
  call(method: string, path: string, body?: unknown, headers: { [name: string]: string } = {}): Promise<Answer> {
    return send(this.#target, method, `/agents/me${path}`, body, headers);
  }

  /** Pays out to an external account, the whole balance without an amount; `APPROVED`, or waiting for approval. */
  async transferOut(transfer: { source: End; destination: End; amount?: number }): Promise<AgentAction> {
    return this.#transfer('/transfer-out', transfer);
  }

  /** Collects from an external account. */
  async transferIn(transfer: { source: End; destination: End; amount: number }): Promise<AgentAction> {
    return this.#transfer('/transfer-in', transfer);
  }

  /** Asks for a quote, as in `POST /quotes`. */
  // biome-ignore lint/suspicious/noExplicitAny: as above
  async createQuote(quote: object): Promise<any> {
    return (await this.call('POST', '/quotes', quote)).body;
  }

  /** Executes a quote of this agent, from an embedded wallet with the headers of its owner's signature. */
  async executeQuote(quoteId: string, headers: { [name: string]: string } = {}): Promise<AgentAction> {
    return (await this.call('POST', `/quotes/${quoteId}/execute`, undefined, headers)).body;
  }

  /** Returns what became of an action. */
  async action(id: string): Promise<AgentAction> {
    return (await this.call('GET', `/actions/${id}`)).body;
  }

  async #transfer(path: string, { source, destination, ...rest }: { source: End; destination: End; amount?: number }) {
    const body = { source: endOf(source), destination: endOf(destination), ...rest };
    return (await this.call('POST', path, body)).body as AgentAction;
  }
}

/** Redeems a device code, as the program that is to be the agent does; the client calls with the token that became of it. */
export async function redeemAgent(options: AgentOptions, code: string): Promise<AgentClient> {
  const { authorization, fetch: given = (url, init) => fetch(url, init), ...rest } = options;
  const target = { baseUrl: options.baseUrl.replace(/\/+$/, ''), authorization, fetch: given };
  const path = `/agents/device-codes/${encodeURIComponent(code)}/redeem`;
  const { agentId, agentName, accessToken } = (await send(target, 'POST', path, undefined, {})).body;
  return new AgentClient({ ...rest, agentId, name: agentName, accessToken, fetch: given });
}
