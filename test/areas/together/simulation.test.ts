import { expect, test } from 'vitest';
import { ACTIONS } from '../../../src/areas/agents/tables.ts';
import { QUOTES } from '../../../src/areas/quotes/index.ts';
import { CARD_PAYMENTS, PAYMENTS } from '../../../src/areas/transactions/index.ts';
import { BALANCES } from '../../../src/ledger/ledger.ts';
import { chance } from '../../kit/chance.ts';
import { effort } from '../../kit/effort.ts';
import { brokenRules } from '../../kit/ledger.ts';
import { type AgentKit, agentKit, policyOf, type Running } from '../agents/material.ts';
import { Watch } from '../quotes/invariants.ts';

/*
 * One account that everything pays from: the platform, an agent, a card, payments that wait for a challenge, a coin that is
 * minted. TOGETHER_STEPS: how many steps at least; TOGETHER_SEED: another history.
 */
const STEPS = Number(process.env['TOGETHER_STEPS'] ?? effort(300, 6000));
const SEED = Number(process.env['TOGETHER_SEED'] ?? 1);

/** What a history of this length has to have seen, or it proves little. */
const SEEN = [
  'card AUTHORIZED',
  'card PARTIALLY_SETTLED',
  'card SETTLED',
  'action APPROVED',
  'action PENDING_APPROVAL',
  'action REJECTED',
  'payment PENDING_AUTHORIZATION',
  'payment COMPLETED',
  'payment FAILED',
  'refused INSUFFICIENT_BALANCE',
  'refused FORBIDDEN',
  'minted 201',
];

const COIN = {
  platform: { sca: { regions: ['BR'] } },
  stablecoinProviderAccounts: [{ label: 'issuer', providerAccountId: 'issuer-1' }],
  stablecoins: [{ label: 'usdb', providerAccount: 'issuer', providerTokenIdentifier: 'USDB', status: 'ENABLED' }],
};

/** One account, and everything that pays from it. */
class Household {
  readonly it: AgentKit;
  readonly agent: Running;
  readonly card: { id: string };
  readonly coin: { id: string };
  readonly own: { id: string };
  readonly #chance: ReturnType<typeof chance>;
  readonly seen = new Set<string>();
  #keys = 0;

  private constructor(parts: Pick<Household, 'it' | 'agent' | 'card' | 'coin' | 'own'>, seed: number) {
    ({ it: this.it, agent: this.agent, card: this.card, coin: this.coin, own: this.own } = parts);
    this.#chance = chance(seed);
  }

  static async open(seed: number): Promise<Household> {
    const it = await agentKit({ scenario: ['default', COIN] });
    const address = { line1: '1 Rua Augusta', city: 'Sao Paulo', postalCode: '01304-001', country: 'BR' };
    const changed = await it.patch(`/customers/${it.customer.id}`, { phoneNumber: '+5511987654321', address });
    expect(changed.status, changed.text).toBe(200);
    const agent = await it.agent(policyOf({ approvalThresholds: { currency: 'USD', amount: 9000 } }));
    const sent = { cardholderId: it.customer.id, form: 'VIRTUAL', fundingSources: [it.usd.id] };
    const { body: card } = await it.post('/cards', sent);
    await it.settle();
    const [coin] = (await it.get('/stablecoins')).body.data;
    const own = await it.account('USDB', 'platform');
    return new Household({ it, agent, card, coin, own }, seed);
  }

  #oneOf<T>(rows: Iterable<T>): T | undefined {
    const all = [...rows];
    return all.length === 0 ? undefined : this.#chance.of(all);
  }

  readonly acts = {
    fund: () => this.it.post(`/sandbox/internal-accounts/${this.it.usd.id}/fund`, { amount: 4000 }),
    buy: () => this.#simulate(this.#chance.of(['authorization', 'authorization', 'financial_authorization'])),
    clear: () => this.#follow('clearing'),
    giveBack: () => this.#follow('return'),
    freeze: () => this.it.patch(`/cards/${this.card.id}`, { state: this.#chance.of(['FROZEN', 'ACTIVE', 'ACTIVE']) }),
    order: () => this.agent.pay(this.#chance.of([500, 3000, 12_000, 60_000])),
    quoteByAgent: async () => {
      const { body, status } = await this.agent.post('/quotes', this.#quote());
      return status === 201 ? this.agent.post(`/quotes/${body.id}/execute`) : { status, body };
    },
    quote: async () => {
      const { body, status } = await this.it.post('/quotes', this.#quote());
      return status === 201 ? this.it.post(`/quotes/${body.id}/execute`, {}) : { status, body };
    },
    answer: async () => {
      const { world } = this.it.sandbox;
      const waiting = [...world.rows(QUOTES).rows()].filter(
        ({ transactionId }) => world.rows(PAYMENTS).get(transactionId)?.status === 'PENDING_AUTHORIZATION',
      );
      const quote = this.#oneOf(waiting);
      const code = this.#chance.of(['123456', '123456', '123456', '999999']);
      // A wrong code is counted, so that refusal leaves a trace.
      return quote && this.it.overlapping('POST', `/quotes/${quote.id}/authorize`, { code });
    },
    forgiven: () =>
      this.it.call(
        'POST',
        '/sca/record-event',
        { eventType: 'RESET_PASSWORD_COMPLETED' },
        { query: { customerId: this.it.customer.id } },
      ),
    decide: () => {
      const rows = [...this.it.sandbox.world.rows(ACTIONS).rows()];
      const waiting = this.#oneOf(rows.filter(({ status }) => status === 'PENDING_APPROVAL'));
      return waiting && (this.#chance.below(3) === 0 ? this.it.reject(waiting) : this.it.approve(waiting));
    },
    pause: () => this.it.patch(`/agents/${this.agent.id}`, { isPaused: this.#chance.below(4) === 0 }),
    trust: async () => {
      const what = this.#chance.of(['trust', 'untrust']);
      const path = `/customers/external-accounts/${this.it.bankId}/${what}`;
      const started = await this.it.post(path);
      if (started.status !== 200) return started;
      return this.it.post(`${path}/confirm`, { challengeId: started.body.scaChallenge.id, code: '123456' });
    },
    mint: async () => {
      const made = await this.#keyed(`/stablecoins/${this.coin.id}/mints`, {
        amount: '2500000',
        fundingSource: { type: 'WIRE' },
        destination: { accountId: this.own.id },
      });
      this.seen.add(`minted ${made.status}`);
      if (made.status === 201 && this.#chance.below(2) === 0)
        await this.it.control('POST', `/stablecoin-operations/${made.body.id}/funds`, {});
      return made;
    },
    wait: () => this.it.advance(this.#chance.of(['PT1S', 'PT30S', 'PT6M', 'PT5H', 'P1D'])),
  };

  #quote() {
    return {
      source: { sourceType: 'ACCOUNT', accountId: this.it.usd.id },
      destination: { destinationType: 'ACCOUNT', accountId: this.it.bankId },
      lockedCurrencySide: 'SENDING',
      lockedCurrencyAmount: this.#chance.of([700, 5000, 20_000]),
    };
  }

  #keyed(path: string, body: object) {
    this.#keys += 1;
    return this.it.post(path, body, { headers: { 'idempotency-key': `together-${this.#keys}` } });
  }

  #simulate(how: string) {
    const merchant = {
      descriptor: `PIER ${this.#chance.of(['', '', '003', '005', '006'])}`,
      mcc: '5812',
      country: 'US',
    };
    const amount = this.#chance.of([400, 2500, 8000]);
    return this.it.post(`/sandbox/cards/${this.card.id}/simulate/${how}`, {
      amount,
      currency: { code: 'USD' },
      merchant,
    });
  }

  async #follow(what: string) {
    const t = this.#oneOf([...this.it.sandbox.world.rows(CARD_PAYMENTS).rows()].filter(({ type }) => type === 'CARD'));
    const amount = this.#chance.of([200, 400, 2500, 3000]);
    return t && this.it.post(`/sandbox/cards/${this.card.id}/simulate/${what}`, { cardTransactionId: t.id, amount });
  }

  async step(): Promise<string> {
    const name = this.#chance.of(Object.keys(this.acts) as (keyof Household['acts'])[]);
    const answer = (await this.acts[name]()) as { status?: number; body?: { code?: string } } | undefined;
    if (answer?.body?.code !== undefined) this.seen.add(`refused ${answer.body.code}`);
    this.look();
    return name;
  }

  /** What is held of each account is what its pulls wait for, and every state is noted. */
  look(): void {
    const { world } = this.it.sandbox;
    expect(brokenRules(world)).toEqual([]);
    const held = new Map<string, number>();
    for (const t of world.rows(CARD_PAYMENTS).rows()) {
      if (t.type !== 'CARD') continue;
      this.seen.add(`card ${t.status}`);
      for (const pull of t.pulls)
        if (pull.stage === 'PENDING') held.set(t.accountId, (held.get(t.accountId) ?? 0) + pull.amount);
    }
    for (const balance of world.rows(BALANCES).rows())
      expect([balance.id, balance.held]).toEqual([balance.id, held.get(balance.id) ?? 0]);
    for (const { status } of world.rows(PAYMENTS).rows()) this.seen.add(`payment ${status}`);
    for (const { status } of world.rows(ACTIONS).rows()) this.seen.add(`action ${status}`);
  }
}

test('an account that a platform, an agent, a card, challenges and a stablecoin move at once keeps its books balanced and its statuses valid', async () => {
  const seen = new Set<string>();
  const length = 125;
  for (let seed = SEED; (seed - SEED) * length < STEPS; seed += 1) {
    const household = await Household.open(seed);
    const watch = new Watch(household.it.sandbox.world);
    const done: string[] = [];
    try {
      for (let i = 0; i < length; i += 1) {
        done.push(await household.step());
        watch.check();
      }
      await household.it.advance('P8D');
      household.look();
      watch.end();
      const { world } = household.it.sandbox;
      const held = [...world.rows(BALANCES).rows()].reduce((sum, balance) => sum + balance.held, 0);
      expect(held).toBe(0);
      const open = [...world.rows(CARD_PAYMENTS).rows()].filter(({ status }) => /AUTHORIZED|PARTIALLY/.test(status));
      expect(open).toEqual([]);
    } catch (error) {
      throw new Error(`TOGETHER_SEED=${seed} after ${done.join(', ')}`, { cause: error });
    } finally {
      watch.close();
      household.it.host.close();
    }
    for (const one of household.seen) seen.add(one);
  }
  expect(SEEN.filter((one) => !seen.has(one))).toEqual([]);
});
