import type { HostOptions } from '../../../src/public.ts';
import { type MoneyKit, moneyKit } from '../../kit/money.ts';
import type { Answer, CallOptions } from '../../kit/sandbox.ts';

// biome-ignore lint/suspicious/noExplicitAny: a test says what it expects of a reply, line by line
type Body = any;

export const PERMISSIONS = [
  'VIEW_TRANSACTIONS',
  'CREATE_TRANSFERS',
  'CREATE_QUOTES',
  'EXECUTE_QUOTES',
  'MANAGE_EXTERNAL_ACCOUNTS',
];

/** A policy that allows everything up to 500.00 USD. */
export const policyOf = (more: object = {}) => ({
  permissions: PERMISSIONS,
  defaultExecutionMode: 'AUTO',
  spendingLimits: { currency: 'USD', perTransactionLimit: 50_000 },
  ...more,
});

/** An external account that an agent may register. */
export const CAROL = {
  currency: 'USD',
  accountInfo: {
    accountType: 'USD_ACCOUNT',
    accountNumber: '123456789501',
    routingNumber: '021000021',
    beneficiary: { beneficiaryType: 'INDIVIDUAL', fullName: 'Carol Jensen' },
  },
};

/** A running agent: its id and token, and its calls. */
export interface Running {
  id: string;
  token: string;
  call(method: string, path: string, body?: unknown, options?: CallOptions): Promise<Answer>;
  get(path: string, query?: CallOptions['query']): Promise<Answer>;
  post(path: string, body?: unknown, options?: CallOptions): Promise<Answer>;
  /** A payout of so much of a currency to a bank account with this suffix. */
  pay(amount?: number, destinationAccountId?: string, currency?: string): Promise<Answer>;
  /** Its row as the platform reads it. */
  shown(): Promise<Body>;
}

export interface AgentKit extends MoneyKit {
  /** A new agent of Ana's (or of somebody else), connected. */
  agent(policy?: object, customerId?: string): Promise<Running>;
  /** Says yes or no to an action. */
  approve(action: Body): Promise<Answer>;
  reject(action: Body, reason?: string): Promise<Answer>;
  /** Ana's USD account, with 1,000.00 in it, and a bank account of hers. */
  usd: Body;
  bankId: string;
}

/** Headers of a call with an access token. */
export const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

/** Ana with 1,000.00 USD and a bank account, and agents that pay for her. */
export async function agentKit(options: HostOptions = {}): Promise<AgentKit> {
  const it = await moneyKit(options);
  const usd = await it.funded('USD', 100_000);
  const { id: bankId } = it.bank('USD');
  const agent: AgentKit['agent'] = async (policy = policyOf(), customerId = it.customer.id) => {
    const made = await it.post('/agents', { name: 'Payroll', customerId, policy });
    if (made.status !== 201) throw new Error(made.text);
    const redeemed = await it.post(`/agents/device-codes/${made.body.deviceCode.code}/redeem`, undefined, { as: null });
    if (redeemed.status !== 200) throw new Error(redeemed.text);
    const { id } = made.body.agent;
    const token = redeemed.body.accessToken;
    const call: Running['call'] = (method, path, body, { headers, ...rest } = {}) =>
      it.call(method, `/agents/me${path}`, body, { ...rest, as: null, headers: { ...bearer(token), ...headers } });
    return {
      id,
      token,
      call,
      get: (path, query) => call('GET', path, undefined, query ? { query } : {}),
      post: (path, body, o) => call('POST', path, body, o),
      pay: async (amount, destination = bankId, currency = 'USD') =>
        call('POST', '/transfer-out', {
          source: { accountId: (await it.account(currency)).id },
          destination: { accountId: destination },
          ...(amount === undefined ? {} : { amount }),
        }),
      shown: async () => (await it.get(`/agents/${id}`)).body,
    };
  };
  return {
    ...it,
    agent,
    usd,
    bankId,
    approve: (action) => it.post(`/agents/${action.agentId}/actions/${action.id}/approve`),
    reject: (action, reason) =>
      it.post(`/agents/${action.agentId}/actions/${action.id}/reject`, reason === undefined ? undefined : { reason }),
  };
}
