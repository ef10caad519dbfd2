import { describe, expect, test } from 'vitest';
import { OPERATIONS } from '../../src/areas.ts';
import { individual } from '../areas/onboarding/material.ts';
import { visitorOf } from '../inspector/visit.ts';
import { chance } from '../kit/chance.ts';
import { effort } from '../kit/effort.ts';
import { fullLife } from '../kit/full-life.ts';
import type { Answer } from '../kit/sandbox.ts';
import { clientKey, type WalletKit } from '../kit/wallet.ts';
import { type Edit, editOf, type State } from './edits.ts';

/** Edits in all, and what they are drawn from: `EDITS=10000 SEED=7 npx vitest run --project thorough test/hostile/state-edits.test.ts`. */
const EDITS = Number(process.env['EDITS'] ?? effort(12, 2000));
const SEED = Number(process.env['SEED'] ?? 1);

/** In which table the rows of a path parameter are, by the path it stands in. */
const TABLES: readonly [RegExp, string][] = [
  [/^\/customers\/external-accounts\/\{|^\/platform\/external-accounts\/\{/, 'external-accounts'],
  [/^\/customers\/bulk\/jobs\/\{/, 'bulk.jobs'],
  [/^\/customers\/\{/, 'customers'],
  [/^\/transactions\/\{/, 'transactions'],
  [/^\/quotes\/\{/, 'quotes'],
  [/^\/verifications\/\{/, 'verifications'],
  [/^\/beneficial-owners\/\{/, 'owners'],
  [/^\/documents\/\{/, 'documents'],
  [/^\/invitations\/\{/, 'invitations'],
  [/^\/tokens\/\{/, 'tokens'],
  [/^\/internal-accounts\/\{|^\/sandbox\/internal-accounts\/\{/, 'accounts'],
  [/^\/auth\/credentials\/\{/, 'credentials'],
  [/^\/auth\/sessions\/\{/, 'sessions'],
];

/** Lists that want to be told of whom. */
const QUERIES: Readonly<Record<string, readonly [string, string]>> = {
  '/beneficial-owners': ['customerId', 'customers'],
  '/auth/credentials': ['accountId', 'accounts'],
  '/auth/sessions': ['accountId', 'accounts'],
};

interface Probe {
  it: WalletKit;
  edit: Edit;
  random: ReturnType<typeof chance>;
}

const rowsIn = (state: State, table: string): State[] => state.tables.find((t: State) => t.name === table)?.rows ?? [];

/** The id to ask with: the edited row's where it is of this table, else any. */
function idIn({ edit, random }: Probe, table: string): string {
  if (edit.table === table) return edit.id;
  const rows = rowsIn(edit.state, table);
  return rows.length > 0 ? String(random.of(rows).id) : 'none';
}

/** Every operation that reads, asked about the edited row where it can be. */
async function reads(probe: Probe): Promise<[string, Answer][]> {
  const answers: [string, Answer][] = [];
  for (const { method, path } of OPERATIONS.filter((op) => op.method === 'GET')) {
    const table = TABLES.find(([where]) => where.test(path))?.[1];
    const asked = table
      ? path.replace(/\{\w+\}/, encodeURIComponent(idIn(probe, table)))
      : path.replace(/\{\w+\}/, 'x');
    const [name, of] = QUERIES[path] ?? [];
    const query = name && of ? { [name]: idIn(probe, of) } : {};
    answers.push([`${method} ${asked}`, await probe.it.overlapping(method, asked, undefined, { query })]);
  }
  return answers;
}

/** Calls that write, as a client might send them next. */
const WRITES: readonly ((probe: Probe) => readonly [method: string, path: string, body?: unknown])[] = [
  () => ['POST', '/customers', { ...individual, fullName: 'New Person' }],
  (p) => ['PATCH', `/customers/${idIn(p, 'customers')}`, { email: 'changed@example.com', fullName: 'Other Name' }],
  (p) => ['DELETE', `/customers/${idIn(p, 'customers')}`],
  (p) => ['POST', `/customers/${idIn(p, 'customers')}/kyc-link`, {}],
  (p) => ['POST', '/verifications', { customerId: idIn(p, 'customers') }],
  (p) => ['PATCH', `/beneficial-owners/${idIn(p, 'owners')}`, { ownershipPercentage: 30 }],
  (p) => ['DELETE', `/documents/${idIn(p, 'documents')}`],
  (p) => ['POST', `/sandbox/internal-accounts/${idIn(p, 'accounts')}/fund`, { amount: 100 }],
  (p) => ['POST', `/quotes/${idIn(p, 'quotes')}/execute`, {}],
  (p) => ['POST', '/sandbox/send', { quoteId: idIn(p, 'quotes'), currencyCode: 'USD' }],
  (p) => ['POST', `/transactions/${idIn(p, 'transactions')}/approve`, {}],
  (p) => ['POST', `/transactions/${idIn(p, 'transactions')}/reject`, {}],
  (p) => ['POST', `/transactions/${idIn(p, 'transactions')}/cancel`, {}],
  (p) => ['POST', `/transactions/${idIn(p, 'transactions')}/confirm`, {}],
  (p) => [
    'POST',
    '/transfer-out',
    { source: { accountId: idIn(p, 'accounts') }, destination: { accountId: idIn(p, 'external-accounts') }, amount: 5 },
  ],
  (p) => [
    'POST',
    '/transfer-in',
    { source: { accountId: idIn(p, 'external-accounts') }, destination: { accountId: idIn(p, 'accounts') }, amount: 5 },
  ],
  (p) => [
    'POST',
    '/quotes',
    {
      source: { sourceType: 'ACCOUNT', accountId: idIn(p, 'accounts') },
      destination: { destinationType: 'ACCOUNT', accountId: idIn(p, 'external-accounts') },
      lockedCurrencySide: 'SENDING',
      lockedCurrencyAmount: 1000,
    },
  ],
  (p) => ['DELETE', `/customers/external-accounts/${idIn(p, 'external-accounts')}`],
  (p) => ['POST', `/customers/external-accounts/${idIn(p, 'external-accounts')}/challenge`, { method: 'LIVENESS' }],
  (p) => ['POST', `/auth/credentials/${idIn(p, 'credentials')}/challenge`, { clientPublicKey: KEY.uncompressed }],
  (p) => ['DELETE', `/auth/credentials/${idIn(p, 'credentials')}`],
  (p) => ['POST', `/auth/sessions/${idIn(p, 'sessions')}/refresh`, {}],
  (p) => ['POST', `/internal-accounts/${idIn(p, 'accounts')}/export`, { clientPublicKey: KEY.uncompressed }],
  (p) => ['POST', `/invitations/${idIn(p, 'invitations')}/claim`, { inviteeUma: '$joe@pay.example' }],
  (p) => ['DELETE', `/tokens/${idIn(p, 'tokens')}`],
  () => ['POST', '/tokens', { name: 'another', permissions: ['VIEW'] }],
  () => ['PATCH', '/config', { umaDomain: 'other.example' }],
  () => ['POST', '/sandbox/webhooks/test', {}],
];
const KEY = clientKey();

async function writes(probe: Probe, count: number): Promise<[string, Answer][]> {
  const answers: [string, Answer][] = [];
  for (let i = 0; i < count; i += 1) {
    const [method, path, body] = probe.random.of(WRITES)(probe);
    answers.push([`${method} ${path}`, await probe.it.overlapping(method, encodeURI(path), body)]);
  }
  return answers;
}

/** The pages about the edited table and row, and one of the others. */
async function pages({ it, edit, random }: Probe): Promise<[string, { status: number; text: string }][]> {
  const world = visitorOf(it);
  const table = `/inspector/state/${encodeURIComponent(edit.table)}`;
  const own: Readonly<Record<string, string>> = { webhooks: `/inspector/webhooks/${encodeURIComponent(edit.id)}` };
  const others = [
    '/',
    '/inspector/webhooks',
    '/inspector/codes',
    '/inspector/clock',
    '/inspector/jobs',
    '/inspector/state',
  ];
  const shown: [string, { status: number; text: string }][] = [];
  for (const path of [table, own[edit.table] ?? `${table}/${encodeURIComponent(edit.id)}`, random.of(others)]) {
    const { status, html } = await world.open(path);
    shown.push([path, { status, text: html.slice(0, 2000) }]);
  }
  return shown;
}

/** What a state that was taken leads to and must not: 500s, broken jobs, bugs. */
async function consequences(probe: Probe): Promise<string[]> {
  const { it } = probe;
  const answers = [...(await pages(probe)), ...(await reads(probe)), ...(await writes(probe, 4))];
  const clock = await it.control('POST', '/clock', { advance: 'P1D' });
  answers.push(['advance P1D', clock], ...(await reads(probe)).slice(0, 8));
  const wrong = answers
    .filter(([, { status }]) => status >= 500)
    .map(([what, { status, text }]) => `${what}: ${status} ${text}`);
  const jobs = [...it.sandbox.world.scheduler.jobs.rows()].flatMap((job) =>
    job.broken ? [`${job.kind}: ${job.broken}`] : [],
  );
  return [...wrong, ...jobs, ...it.broken.splice(0)];
}

describe('a full state with one member of one row edited', () => {
  test.each(['spec', 'grid'] as const)(
    'a full state with one member of one row edited is refused, or harms nothing under profile %s (H7)',
    async (profile) => {
      const it = await fullLife(profile);
      it.oddRows();
      await it.control('POST', '/webhooks/pause', {});
      const base = (await it.control('GET', '/state')).body;
      for (const job of rowsIn(base, 'jobs')) if (job.kind === 'webhook.deliver') job.dueAt = null;
      const random = chance(SEED);
      const harm: string[] = [];
      let taken = 0;
      // Some seeds begin with edits that are all refused.
      for (let i = 0; i < EDITS / 2 || (taken <= EDITS / 20 && i < EDITS * 20); i += 1) {
        const edit = editOf(base, random);
        const put = await it.control('PUT', '/state', edit.state);
        if (put.status === 400) continue;
        taken += 1;
        const found = put.status === 200 ? await consequences({ it, edit, random }) : [`PUT: ${put.text}`];
        if (found.length > 0)
          harm.push(
            `${edit.says}\n${found.map((line) => `    ${line.replaceAll(/\s+/g, ' ').slice(0, 500)}`).join('\n')}`,
          );
      }
      if (process.env['EDITS'])
        console.log(`${profile}: ${taken} of ${EDITS / 2} edits were taken, ${harm.length} did harm`);
      expect(harm.slice(0, 10).join('\n'), `${harm.length} edits of seed ${SEED} did harm`).toBe('');
      expect(taken).toBeGreaterThan(EDITS / 20);
    },
  );
});
