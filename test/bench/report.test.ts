import { expect, test, vi } from 'vitest';

const part = (name: string) => import(new URL(`../../bench/${name}.mjs`, import.meta.url).href);
const { reporter } = await part('report');
const { GROUPS, partsOf, ROWS } = await part('rows');
const { merged } = await part('keep');
const { figuresOf } = await part('figures');

type Row = { made?: string; judged?: string; atMost?: number };

/** What a run prints that found these values. */
function printed(found: Record<string, number>): string[] {
  const say = vi.spyOn(console, 'log').mockImplementation(() => {});
  try {
    const report = reporter({ wants: () => true });
    for (const [id, value] of Object.entries(found)) report(id, { value });
    report.end();
    return say.mock.calls.flatMap(([text]) => String(text).split('\n'));
  } finally {
    say.mockRestore();
  }
}

test('a missed target prints below its row what its time consists of, and a met target prints nothing more', () => {
  const row = ROWS.find(({ made, judged, atMost }: Row) => made && judged === 'value' && atMost !== undefined);
  const lines = printed({ [row.id]: row.atMost + 1, 'create-sandbox': 0.1 });
  expect(lines.map((line) => line.slice(0, 28).trim())).toEqual([
    `✗ ${row.name}`.slice(0, 28).trim(),
    `  ${row.made}`.slice(0, 28).trim(),
    '✓ createSandbox',
    '',
    '1 of 2 targets met',
  ]);
  expect(printed({ [row.id]: row.atMost }).join()).not.toContain(row.made);
});

test('a name on the command line of the bench stands for a part or a group, and an unknown name for nothing', () => {
  expect(partsOf(['heavy', 'start'], ['start', 'csv', 'state'])).toEqual(['csv', 'state', 'start']);
  expect(partsOf(['nothing'], ['start'])).toBeUndefined();
  expect(GROUPS.felt).not.toContain('csv');
});

test('every part of a group has a row in the bench, and every row of what a user feels has a target', () => {
  for (const name of [...GROUPS.felt, ...GROUPS.heavy]) expect(ROWS.some(({ part }: Felt) => part === name)).toBe(true);
  expect(ROWS.filter(({ felt, judged }: Felt) => felt && judged === undefined)).toEqual([]);
});

type Felt = { part: string; felt?: true; judged?: string };

const run = (commit: string) => ({ date: '2026-11-25', commit, machine: 'here', node: 'v24.0.0', starts: '24' });

test('a report keeps the latest result of each row with its run, and drops a run that has no row left', () => {
  const first = merged({ runs: [], rows: {} }, [{ id: 'get', unit: 'requests/s', value: 30_123.4 }], run('a'));
  expect(first).toEqual({ runs: [run('a')], rows: { get: { run: 0, value: 30_120, unit: 'requests/s' } } });
  const both = merged(first, [{ id: 'post', unit: 'requests/s', value: 10 }], run('b'));
  expect(both.runs).toEqual([run('a'), run('b')]);
  const last = merged(both, [{ id: 'get', unit: 'requests/s', value: 9, reference: 10, ratio: 0.9 }], run('c'));
  expect(last.runs).toEqual([run('b'), run('c')]);
  expect(last.rows).toMatchObject({ get: { run: 1, reference: 10, ratio: 0.9 }, post: { run: 0, value: 10 } });
});

test('a row that was not measured keeps the result that the report had', () => {
  const first = merged({ runs: [], rows: {} }, [{ id: 'get', unit: 'ms', value: 1 }], run('a'));
  expect(merged(first, [{ id: 'get', unit: 'ms', skipped: 'not today' }], run('b'))).toEqual(first);
});

test('a figure of the documents gets its line as soon as its rows are measured', () => {
  const found = { run: 0, value: 0.25, reference: 0.5, ratio: 2, minutes: 60 };
  const rows = Object.fromEntries(ROWS.map(({ id }: { id: string }) => [id, found]));
  const names = ['executable', 'image', 'prism', 'proxy', 'garbage'];
  const records = Object.fromEntries(names.map((name) => [name, { figures: {} }]));
  const lines = (given: object) =>
    figuresOf({ rows: given }, records).flatMap(({ figures }: { figures: object[] }) => figures);
  expect(lines(rows).length - lines({}).length).toBeGreaterThan(20);
  expect(lines({ get: found })).toContainEqual({
    what: 'a read by id',
    is: '4,000,000 µs: 0.25 per second',
    beside: 'about a bare Hono route',
  });
});
