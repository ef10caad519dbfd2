import { expect, test } from 'vitest';
import { OPERATION, PROVIDER_ACCOUNT } from '../../../src/areas/stablecoins/machine.ts';
import { balanceOf } from '../../../src/ledger/ledger.ts';
import { chance } from '../../kit/chance.ts';
import { effort } from '../../kit/effort.ts';
import type { Answer } from '../../kit/sandbox.ts';
import { coinKitWithCoin } from './material.ts';

/*
 * Random mints and burns. SIMULATION_SEED: another history.
 */
const SEED = Number(process.env['SIMULATION_SEED'] ?? 1);
const [HISTORIES, STEPS] = [effort(4, 40), effort(60, 150)];

interface Shown {
  id: string;
  operationType: 'MINT' | 'BURN';
  status: string;
  amount: string;
  source: { type: string };
  destination: { accountId: string };
  expiresAt?: string;
  failureReason?: string;
}

/** Whether a machine leads from one state to another in so many lines as it takes; what ended stays. */
function leads(from: string, to: string): boolean {
  const found = new Set([from]);
  for (const state of found)
    for (const line of OPERATION.transitions)
      if (Array.isArray(line.from) && (line.from as readonly string[]).includes(state)) found.add(line.to);
  return found.has(to);
}

type Sim = Awaited<ReturnType<typeof open>>;

async function open(seed: number) {
  const it = await coinKitWithCoin('USDB');
  const random = chance(seed);
  const [inside, other] = [(await it.account('USDB')).id, (await it.account('USDB', 'platform')).id];
  const banks = ['999', '002', '005'].map((end) => it.bank('USD', end).id);
  const wallets = [await it.spark('abc'), await it.spark('003'), await it.spark('005')];
  it.policies({ 'stablecoin-operation.settle': 'after PT1H' });
  return { ...it, random, own: [inside, other], banks, wallets, shown: new Map<string, Shown>(), active: true };
}

/** What a step does; the reply of a call that may be refused. */
const STEP: Readonly<Record<string, (sim: Sim) => Promise<Answer | undefined>>> = {
  mint: ({ mint, acme, random, banks, wallets, own }) =>
    mint(acme, {
      amount: String((1 + random.below(500)) * 10_000),
      fundingSource: random.of<object>([
        { type: 'WIRE' },
        { type: 'ACH_DEBIT', externalAccountId: random.of(banks) },
        { type: 'SAME_DAY_ACH_DEBIT', externalAccountId: random.of(banks) },
      ]),
      destination: { accountId: random.of([...wallets, ...own, ...own]) },
    }),
  burn: ({ burn, acme, random, banks }) =>
    burn(acme, {
      amount: String((1 + random.below(500)) * 10_000),
      source: { type: random.of(['EXTERNAL_ACCOUNT', 'PROVIDER_INTERNAL_BALANCE']) },
      destination: {
        type: 'EXTERNAL_ACCOUNT',
        externalAccountId: random.of(banks),
        rail: random.of(['WIRE', 'ACH_CREDIT', 'SAME_DAY_ACH_CREDIT', 'RTP_CREDIT']),
      },
    }),
  refuse: async ({ mint, acme, random }) => {
    const refused = await mint(acme, random.of<object>([{ amount: '1' }, { fundingSource: { type: 'CASH' } }]));
    expect(refused.status).toBe(400);
    return undefined;
  },
  funds: async ({ decide, shown, random }) => {
    const one = shown.size > 0 ? random.of([...shown.values()]) : undefined;
    if (!one) return undefined;
    const answer = await decide(`/stablecoin-operations/${one.id}/funds`);
    expect(answer.status).toBe(one.status === 'PENDING_FUNDING' ? 200 : 409);
    return undefined;
  },
  outcome: async ({ decide, shown, random }) => {
    const one = shown.size > 0 ? random.of([...shown.values()]) : undefined;
    if (!one) return undefined;
    const outcome = random.of(['COMPLETED', 'FAILED'] as const);
    const answer = await decide(`/stablecoin-operations/${one.id}/outcome`, { outcome });
    expect(answer.status).toBe(leads(one.status, outcome) && one.status !== outcome ? 200 : 409);
    return undefined;
  },
  hold: async ({ policies, random }) => {
    const step = random.of(['submit', 'process', 'settle']);
    policies({ [`stablecoin-operation.${step}`]: random.of(['at once', 'after PT2H'] as const) });
    return undefined;
  },
  clock: async ({ advance, random }) => {
    await advance(random.of(['PT0S', 'PT30S', 'PT1H', 'P1D', 'P7D']));
    return undefined;
  },
};

/** Every operation is where its machine may lead, and the ledger holds exactly what was minted into it. */
async function check(sim: Sim): Promise<void> {
  const { get, acme, shown, sandbox, own } = sim;
  await sim.settle();
  const minted = new Map<string, bigint>();
  for (let cursor: string | undefined, page = 0; page === 0 || cursor !== undefined; page += 1) {
    const { body } = await get(`/stablecoins/${acme.id}/operations`, { limit: 100, ...(cursor ? { cursor } : {}) });
    for (const now of body.data as Shown[]) {
      const before = shown.get(now.id);
      if (before) expect(leads(before.status, now.status), `${before.status} to ${now.status}`).toBe(true);
      expect(now.failureReason !== undefined).toBe(now.status === 'FAILED');
      expect(now.expiresAt !== undefined).toBe(['PENDING_FUNDING', 'EXPIRED'].includes(now.status));
      const { accountId } = now.destination;
      if (now.operationType === 'MINT' && now.status === 'COMPLETED')
        minted.set(accountId, (minted.get(accountId) ?? 0n) + BigInt(now.amount));
      shown.set(now.id, now);
    }
    cursor = body.nextCursor;
  }
  for (const id of own)
    expect(BigInt(balanceOf(sandbox.world, id).available), 'what was minted into an account').toBe(
      minted.get(id) ?? 0n,
    );
}

test('random mints, burns, funds and expiries follow the state machine, and credit exactly what was minted', async () => {
  const ends = new Set<string>();
  for (let history = 0; history < HISTORIES; history += 1) {
    const sim = await open(SEED * 1000 + history);
    for (let step = 0; step < STEPS; step += 1) {
      const name = sim.random.of([
        'mint',
        'mint',
        'mint',
        'burn',
        'burn',
        'refuse',
        'funds',
        'funds',
        'outcome',
        'hold',
        'clock',
        'clock',
      ]);
      const made = await STEP[name]?.(sim);
      if (made) expect(made.status, made.text).toBe(201);
      await check(sim);
    }
    sim.policies({ 'stablecoin-operation.submit': 'at once', 'stablecoin-operation.process': 'at once' });
    await sim.advance('P15D');
    await check(sim);
    for (const { operationType, source, status } of sim.shown.values())
      ends.add(`${operationType} ${source.type} ${status}`);
  }
  const kinds = [
    'MINT WIRE',
    'MINT ACH_DEBIT',
    'MINT SAME_DAY_ACH_DEBIT',
    'BURN EXTERNAL_ACCOUNT',
    'BURN PROVIDER_INTERNAL_BALANCE',
  ];
  const wanted = kinds.flatMap((kind) => [`${kind} COMPLETED`, `${kind} FAILED`]);
  expect([...ends].sort()).toEqual([...wanted, 'BURN EXTERNAL_ACCOUNT EXPIRED', 'MINT WIRE EXPIRED'].sort());
});

test('no transition leads a provider account out of REVOKED', () => {
  expect(PROVIDER_ACCOUNT.transitions.filter(({ from }) => Array.isArray(from) && from.includes('REVOKED'))).toEqual(
    [],
  );
});
