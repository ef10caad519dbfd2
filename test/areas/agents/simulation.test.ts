import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Action } from '../../../src/areas/agents/row.ts';
import { ACTIONS, AGENTS } from '../../../src/areas/agents/tables.ts';
import { PAYMENTS } from '../../../src/areas/transactions/index.ts';
import { effort } from '../../kit/effort.ts';
import { Watch } from '../quotes/invariants.ts';
import { type AgentKit, agentKit, PERMISSIONS, policyOf, type Running } from './material.ts';

/*
 * Random days of two agents of one customer. SIMULATION_RUNS: how many; SIMULATION_SEED: another history.
 *   SIMULATION_RUNS=300 SIMULATION_SEED=7 npx vitest run test/areas/agents/simulation.test.ts
 */
const RUNS = Number(process.env['SIMULATION_RUNS'] ?? effort(6, 150));
const SEED = Number(process.env['SIMULATION_SEED'] ?? 3);

type Step =
  | { do: 'out' | 'in' | 'exchange' | 'late'; agent: number; amount: number; suffix: string }
  | { do: 'approve' | 'reject' | 'by hand'; which: number }
  | { do: 'policy'; agent: number; change: object }
  | { do: 'pause'; agent: number; paused: boolean }
  | { do: 'replace'; agent: number }
  | { do: 'fund' | 'settle' }
  | { do: 'clock'; to: string };

const who = fc.nat(1);
// Even, so that half of it is a whole number: a euro is two dollars here.
const amount = fc.integer({ min: 1, max: 2000 }).map((n) => n * 2);
const suffix = fc.constantFrom('999', '999', '002', '005');
const just = <T extends string>(...names: T[]) => fc.constantFrom(...names);
const change = fc.oneof(
  fc.record({ defaultExecutionMode: just('AUTO', 'AUTO', 'APPROVAL_REQUIRED') }),
  fc.record({
    spendingLimits: fc.record(
      {
        currency: just('USD', 'EUR'),
        perTransactionLimit: fc.constantFrom(500, 3000, 100_000),
        dailyLimit: fc.constantFrom(null, 3000, 20_000),
        dailyTransactionLimit: fc.constantFrom(2, 50),
        monthlyLimit: fc.constantFrom(null, 10_000, 90_000),
      },
      { requiredKeys: [] },
    ),
  }),
  fc.record({ permissions: fc.subarray(PERMISSIONS, { minLength: 3 }) }),
  fc.record({
    approvalThresholds: fc.record({ currency: just('USD', 'EUR'), amount: fc.constantFrom(null, 500, 2000) }),
  }),
);

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.record({ do: just('out', 'out', 'in', 'exchange', 'late'), agent: who, amount, suffix }),
  },
  { weight: 6, arbitrary: fc.record({ do: just('approve', 'approve', 'reject', 'by hand'), which: fc.nat(50) }) },
  { weight: 6, arbitrary: fc.record({ do: just('policy'), agent: who, change }) },
  { weight: 1, arbitrary: fc.record({ do: just('pause'), agent: who, paused: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ do: just('replace'), agent: who }) },
  { weight: 3, arbitrary: fc.record({ do: just('fund', 'settle') }) },
  { weight: 4, arbitrary: fc.record({ do: just('clock'), to: just('PT10S', 'PT4M', 'PT7H', 'P1D', 'P9D') }) },
);

/** What may follow a status of an action. */
const NEXT: Readonly<Record<string, readonly string[]>> = {
  none: ['PENDING_APPROVAL', 'APPROVED'],
  PENDING_APPROVAL: ['APPROVED', 'REJECTED', 'FAILED'],
};

class Days {
  readonly #seen = new Map<string, string>();
  readonly #watch: Watch;
  readonly ends = new Set<string>();
  readonly #banks: Readonly<Record<string, string>>;
  readonly it: AgentKit;
  readonly agents: Running[];

  static async open(): Promise<Days> {
    const platform = { currencies: ['USD', 'EUR'].map((code) => ({ code })) };
    const it = await agentKit({ scenario: { platform, rates: { 'EUR/USD': 2 } } });
    const policy = policyOf({ approvalThresholds: { currency: 'USD', amount: 2000 } });
    return new Days(it, [await it.agent(policy), await it.agent(policy)]);
  }

  private constructor(it: AgentKit, agents: Running[]) {
    this.it = it;
    this.agents = agents;
    this.#watch = new Watch(it.sandbox.world);
    this.#banks = Object.fromEntries(['999', '002', '005'].map((end) => [end, it.bank('USD', end).id]));
  }

  get #waiting(): Action[] {
    return this.it.sandbox.world.rows(ACTIONS).all('status', 'PENDING_APPROVAL');
  }

  async act(s: Step): Promise<void> {
    const { it } = this;
    switch (s.do) {
      case 'out':
      case 'in':
      case 'exchange':
      case 'late':
        return this.#order(s);
      case 'approve':
      case 'reject':
      case 'by hand': {
        const action = this.#waiting[s.which % Math.max(1, this.#waiting.length)];
        if (!action) return;
        const [path, body] =
          s.do === 'by hand'
            ? [`/agent-actions/${action.id}/decision`, { decision: 'approve' }]
            : [`/agents/${action.agentId}/actions/${action.id}/${s.do}`, undefined];
        await (s.do === 'by hand' ? it.control('POST', path, body) : it.overlapping('POST', path, body));
        return;
      }
      case 'policy':
        await it.overlapping('PATCH', `/agents/${this.#agent(s.agent).id}/policy`, s.change);
        return;
      case 'pause':
        await it.overlapping('PATCH', `/agents/${this.#agent(s.agent).id}`, { isPaused: s.paused });
        return;
      case 'replace': {
        const old = this.#agent(s.agent);
        await it.overlapping('DELETE', `/agents/${old.id}`);
        expect((await old.get('')).status).toBe(401);
        this.agents[s.agent] = await it.agent();
        return;
      }
      case 'fund':
        await it.post(`/sandbox/internal-accounts/${it.usd.id}/fund`, { amount: 5000 });
        return;
      case 'settle':
        return it.settle();
      case 'clock':
        await it.advance(s.to);
    }
  }

  #agent = (n: number): Running => this.agents[n] as Running;

  async #order(s: Extract<Step, { agent: number; amount: number }>): Promise<void> {
    const { it } = this;
    const agent = this.#agent(s.agent);
    const bank = this.#banks[s.suffix] ?? it.bankId;
    const [inner, outer] = [{ accountId: it.usd.id }, { accountId: bank }];
    const money = { amount: s.amount };
    // Without the comparison of each refused call: a simulation makes many.
    const post = (path: string, body?: object) =>
      it.overlapping('POST', `/agents/me${path}`, body, {
        as: null,
        headers: { authorization: `Bearer ${agent.token}` },
      });
    if (s.do === 'out') await post('/transfer-out', { source: inner, destination: outer, ...money });
    else if (s.do === 'in') await post('/transfer-in', { source: outer, destination: inner, ...money });
    else {
      const { body } = await post('/quotes', {
        source: { sourceType: 'ACCOUNT', ...inner },
        destination: { destinationType: 'ACCOUNT', ...outer },
        lockedCurrencySide: 'SENDING',
        lockedCurrencyAmount: s.amount,
      });
      if (!body.id) return;
      if (s.do === 'late') await it.advance('PT5M');
      await post(`/quotes/${body.id}/execute`);
    }
  }

  /** What must hold after every step. */
  check(): void {
    const { world } = this.it.sandbox;
    this.#watch.check();
    const used = new Map<string, { count: number; day: number; month: number }>();
    const now = world.clock.iso();
    for (const action of world.rows(ACTIONS).rows()) {
      this.#action(action);
      if (action.status !== 'APPROVED') continue;
      const t = world.rows(PAYMENTS).get(action.transactionId ?? '');
      expect([t?.agentId, t?.sent.currency]).toEqual([action.agentId, 'USD']);
      const sum = used.get(action.agentId) ?? { count: 0, day: 0, month: 0 };
      const sent = t?.sent.amount ?? 0;
      if (action.updatedAt.slice(0, 10) === now.slice(0, 10)) [sum.count, sum.day] = [sum.count + 1, sum.day + sent];
      if (action.updatedAt.slice(0, 7) === now.slice(0, 7)) sum.month += sent;
      used.set(action.agentId, sum);
    }
    for (const agent of world.rows(AGENTS).rows()) {
      if (agent.isDeleted) continue;
      const { usage, policy } = agent;
      const worth = (cents: number) => (policy.spendingLimits.currency === 'USD' ? cents : cents / 2);
      const { count, day, month } = used.get(agent.id) ?? { count: 0, day: 0, month: 0 };
      const kept = {
        count: usage.day === now.slice(0, 10) ? usage.count : 0,
        day: usage.day === now.slice(0, 10) ? usage.daySpend : 0,
        month: usage.month === now.slice(0, 7) ? usage.monthSpend : 0,
      };
      expect(kept, agent.id).toEqual({ count, day: worth(day), month: worth(month) });
    }
  }

  #action({ id, status, transactionId, failure, agentId }: Action): void {
    const before = this.#seen.get(id) ?? 'none';
    const allowed = before === status || NEXT[before]?.includes(status) === true;
    expect(allowed, `${id} ${before} ${status}`).toBe(true);
    this.#seen.set(id, status);
    this.ends.add(status === 'FAILED' ? `FAILED ${failure?.reason ?? failure?.code}` : status);
    expect(transactionId !== undefined, id).toBe(status === 'APPROVED');
    if (status === 'PENDING_APPROVAL')
      expect(this.it.sandbox.world.rows(AGENTS).get(agentId)?.isDeleted, id).toBe(false);
  }

  /** In the end each order that waited was told once, and each payment is of one action. */
  end(): void {
    const { world } = this.it.sandbox;
    this.check();
    const told = this.it.events('AGENT_ACTION.PENDING_APPROVAL').map(({ data }) => data.id);
    const asked = [...world.rows(ACTIONS).rows()].filter((action) => action.decision !== undefined);
    expect(told).toEqual(asked.map(({ id }) => id));
    const paid = [...world.rows(ACTIONS).rows()].flatMap(({ transactionId }) => transactionId ?? []);
    expect(new Set(paid).size).toBe(paid.length);
    const moved = [...world.rows(PAYMENTS).rows()].filter(
      (t) => t.agentId !== undefined && (t.debited || t.type === 'INCOMING'),
    );
    expect(moved.map(({ id }) => id).sort()).toEqual([...paid].sort());
    this.#watch.close();
  }
}

/** Ends that a run of this length has to have seen, or it proves little. */
const ENDS = [
  'APPROVED',
  'REJECTED',
  'PENDING_APPROVAL',
  'FAILED QUOTE_EXPIRED',
  'FAILED AGENT_PAUSED',
  'FAILED PER_TRANSACTION_LIMIT_EXCEEDED',
];

test('agents on random days count exactly what was paid, ask for each approval once, and have each decided once', async () => {
  const ends = new Set<string>();
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 60, maxLength: 120 }), async (steps) => {
      const days = await Days.open();
      days.check();
      for (const one of steps) {
        await days.act(one);
        days.check();
      }
      await days.it.settle();
      days.end();
      for (const end of days.ends) ends.add(end);
      days.it.host.close();
    }),
    { seed: SEED, numRuns: RUNS },
  );
  expect(ENDS.filter((end) => !ends.has(end))).toEqual([]);
});
