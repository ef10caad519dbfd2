import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { OPERATIONS } from '../../src/areas.ts';
import { effort } from '../kit/effort.ts';
import { fullLife } from '../kit/full-life.ts';
import { type Kit, kit, refusal } from '../kit/sandbox.ts';

// biome-ignore lint/suspicious/noExplicitAny: a test spoils states on purpose
type State = any;
type Row = Record<string, unknown>;

const PROFILES = ['spec', 'grid'] as const;
/** What the first release saved, with this file's own story: rows in every table. */
const firstState = (profile: string): State =>
  JSON.parse(readFileSync(join(import.meta.dirname, `states/first-${profile}.state`), 'utf8'));

const rowsOf = (state: State, table: string): Row[] => state.tables.find((t: State) => t.name === table).rows;

/** Every list, and every GET by the ids of the state; what does not answer 2xx. */
async function unreadable(it: Kit, state: State): Promise<string[]> {
  const wrong: string[] = [];
  const ids: Record<string, string> = {
    customerId: 'customers',
    transactionId: 'transactions',
    quoteId: 'quotes',
    verificationId: 'verifications',
    beneficialOwnerId: 'owners',
    documentId: 'documents',
    invitationCode: 'invitations',
    tokenId: 'tokens',
    jobId: 'bulk.jobs',
    externalAccountId: 'external-accounts',
  };
  for (const { method, path } of OPERATIONS.filter((op) => op.method === 'GET')) {
    const [name] = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] as string);
    const table = name === undefined ? undefined : ids[name];
    const rows = table === undefined ? [{ id: '-' }] : rowsOf(state, table);
    for (const { id } of rows) {
      const answer = await it.overlapping(method, path.replace(/\{\w+\}/, String(id)));
      if (answer.status >= 500) wrong.push(`${path} of ${id}: ${answer.text}`);
    }
  }
  return wrong;
}

describe('a state that the first release saved', () => {
  test.each(PROFILES.slice(0, effort(1, 2)))(
    'a state of the first release loads under profile %s, every operation reads it, and its jobs run (H7)',
    async (profile) => {
      const state = firstState(profile);
      const it = await kit({ profile });
      // The first release paid out of every currency by one account of the outside.
      it.oddBooks();
      const put = await it.control('PUT', '/state', state);
      expect(put.status, put.text).toBe(200);
      expect(await unreadable(it, state)).toEqual([]);
      await it.advance('P2D');
      expect([...it.sandbox.world.scheduler.jobs.rows()].filter((job) => job.broken)).toEqual([]);
      expect(await unreadable(it, state)).toEqual([]);
    },
  );

  test.each(PROFILES)(
    'a full life under profile %s fills every table that the state of the first release fills (H7)',
    async (profile) => {
      const now = JSON.parse((await (await fullLife(profile)).control('GET', '/state')).text);
      const filled = (state: State) => state.tables.filter((t: State) => t.rows.length > 0).map((t: State) => t.name);
      expect(filled(now)).toEqual(expect.arrayContaining(filled(firstState(profile))));
    },
  );
});

describe('a state from outside', () => {
  const spoiled = (how: (state: State) => void): State => {
    const state = firstState('spec');
    how(state);
    return state;
  };
  const first = (state: State, table: string): Row => rowsOf(state, table)[0] as Row;
  const job = (state: State, kind: string): State => rowsOf(state, 'jobs').find((row) => row['kind'] === kind);

  test.each<[string, (state: State) => void, RegExp]>([
    ['a table that no area declares', (s) => s.tables.push({ name: 'spies', next: 0, rows: [] }), /tables\.spies/],
    ['a row that is null', (s) => (rowsOf(s, 'customers')[0] = null as never), /^customers$/],
    [
      'a member of another type',
      (s) => (first(s, 'customers')['kycStatus'] = 7),
      /^customers\.Customer:.*\.kycStatus$/,
    ],
    ['a missing member', (s) => delete first(s, 'accounts')['currency'], /^accounts\..*\.currency$/],
    ['an unknown member', (s) => (first(s, 'quotes')['more'] = 1), /^quotes\.Quote:/],
    ['an id of another type', (s) => (first(s, 'codes')['id'] = 'Customer:x'), /^codes\.Customer:x\.id$/],
    ['an unknown customer', (s) => (first(s, 'kyc-links')['customerId'] = 'Customer:0'), /\.customerId$/],
    ['two platforms', (s) => twice(s, 'platform'), /^platform$/],
    ['a job of an unknown kind', (s) => (job(s, 'quote.expire').kind = 'quote.explode'), /^jobs\.Job:.*\.kind$/],
    ['a job without its payload', (s) => (job(s, 'quote.expire').payload = {}), /^jobs\..*\.payload\.quoteId$/],
    ['a job about an unknown quote', (s) => (job(s, 'quote.expire').payload.quoteId = 'Quote:0'), /payload\.quoteId$/],
    ['a balance that differs from its postings', (s) => (first(s, 'balances')['available'] = 5), /^balances\./],
    [
      'a fixed fee beyond all fees of its payment',
      (s) =>
        ((rowsOf(s, 'transactions').find((row) => row['rateDetails']) as State).rateDetails.serviceApiFixedFee = 1e6),
      /^transactions\./,
    ],
    ['a posting that creates money', (s) => ((first(s, 'postings') as State).lines[0].amount += 5), /^postings\./],
    ['a limit of 9e99 hours', (s) => (s.settings.limits.kycLinkHours = 9e99), /^settings\.limits\.kycLinkHours$/],
    ['a tick of 5000', (s) => (s.ids.tick = 5000), /^ids\.tick$/],
  ])(
    'a state with %s is refused with its table, row and member, and the sandbox stays as it is (H7)',
    async (_, how, field) => {
      const it = await kit();
      const before = (await it.control('GET', '/state')).text;
      const answer = await it.control('PUT', '/state', spoiled(how));
      expect(refusal(answer)).toMatchObject({ status: 400, code: 'INVALID_INPUT' });
      expect(refusal(answer).fields).toContainEqual(expect.stringMatching(field));
      expect((await it.control('GET', '/state')).text).toBe(before);
    },
  );

  const twice = (state: State, table: string) => {
    const found = state.tables.find((t: State) => t.name === table);
    found.rows.push({ ...found.rows[0], id: found.rows[0].id.replace(/.$/, '0') });
    found.next += 1;
  };

  test('a state with money below zero is refused at the posting that took it there, although its books agree (H7)', async () => {
    const it = await kit();
    const [balance] = rowsOf(firstState('spec'), 'balances').filter(({ id }) => !String(id).startsWith('outside:'));
    const state = spoiled((s) => {
      const amount = -1e12;
      const account = String(balance?.['id']);
      const row = rowsOf(s, 'balances').find(({ id }) => id === account) as State;
      const other = rowsOf(s, 'balances').find(({ id }) => String(id).startsWith('outside:')) as State;
      row.available += amount;
      other.available -= amount;
      (first(s, 'postings') as State).lines.push(
        { account, currency: 'USD', amount },
        { account: other.id, currency: 'USD', amount: -amount },
      );
    });
    const answer = await it.control('PUT', '/state', state);
    expect(refusal(answer)).toMatchObject({ status: 400 });
    expect(answer.body.details.errors).toEqual([
      { field: expect.stringMatching(/^postings\./), message: `it takes ${balance?.['id']} below zero` },
    ]);
  });

  test.each<[string, (add: (account: string, currency: string, amount: number) => void, own: string) => void, RegExp]>([
    [
      'an account that was below zero in between',
      (add, own) => {
        for (const sign of [-1, 1]) {
          add(own, 'USD', sign * 1e12);
          add('outside:world:USD', 'USD', sign * -1e12);
        }
      },
      /^it takes InternalAccount:\S+ below zero$/,
    ],
    [
      'lines that sum to zero only in floating point',
      (add) => {
        const most = Number.MAX_SAFE_INTEGER;
        for (const [i, amount] of [most, most - 2, 1, -most, -(most - 2)].entries())
          add(`outside:world-${i}:USD`, 'USD', amount);
      },
      /^its lines sum to 1 USD, not to zero$/,
    ],
    [
      'money of another currency in an account',
      (add, own) => {
        add(own, 'EUR', 5);
        add('outside:world:EUR', 'EUR', -5);
      },
      /^it moves EUR of InternalAccount:\S+, which holds USD$/,
    ],
  ])('a state with %s is refused although its books agree', async (_, how, says) => {
    const it = await kit();
    const state = spoiled((s) => {
      const own = String(rowsOf(s, 'accounts').find((account) => account['currency'] === 'USD')?.['id']);
      const balances = rowsOf(s, 'balances') as State[];
      const posting = (lines: State[]) => {
        const table = s.tables.find((t: State) => t.name === 'postings');
        const last = table.rows.at(-1);
        const id = `Posting:${String(table.next).padStart(8, '0')}-0000-4000-8000-000000000000`;
        table.rows.push({ ...last, id, lines });
        table.next += 1;
      };
      const lines: State[] = [];
      how((account, currency, amount) => {
        lines.push({ account, currency, amount });
        const balance = balances.find(({ id }) => id === account);
        if (balance) balance.available += amount;
        else {
          balances.push({ id: account, available: amount, held: 0 });
          s.tables.find((t: State) => t.name === 'balances').next += 1;
        }
      }, own);
      // Two lines each, so that what comes later does not count yet; of more, all at once.
      if (lines.length === 4) for (const at of [0, 2]) posting(lines.slice(at, at + 2));
      else posting(lines);
    });
    const { status, body } = await it.control('PUT', '/state', state);
    expect(status).toBe(400);
    const messages = body.details.errors.map(({ message }: { message: string }) => message);
    expect(messages).toEqual([expect.stringMatching(says)]);
  });

  test('a state with very many bad rows is refused with the first 20 and the number of the rest (H7)', async () => {
    const it = await kit();
    const many = effort(30_000, 300_000);
    const rows = Array.from({ length: many }, (_, i) => ({ id: `x${i}` }));
    const state = spoiled((s) =>
      Object.assign(
        s.tables.find((t: State) => t.name === 'customers'),
        { rows, next: many },
      ),
    );
    const answer = await it.control('PUT', '/state', state);
    expect(refusal(answer)).toMatchObject({ status: 400, code: 'INVALID_INPUT' });
    expect(answer.body.details.errors).toHaveLength(20);
    // Rows that lose what they refer to are told of, too.
    expect(answer.body.details.more).toBe(many + 86);
    expect(answer.text.length).toBeLessThan(10_000);
  });
});
