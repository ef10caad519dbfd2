import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { COLUMNS, missingFrom, REQUIRED } from '../../../src/areas/bulk/columns.ts';
import { lastRequests } from '../../../src/fixtures/last-requests.ts';
import { type Kit, kit } from '../../kit/sandbox.ts';

const PAGE = readFileSync(join(import.meta.dirname, '../../../docs/bulk.md'), 'utf8');
const CSV = /```csv\n([\s\S]*?)```/.exec(PAGE)?.[1] ?? '';

async function imported(it: Kit, text: string) {
  const form = new FormData();
  form.set('file', new File([text], 'customers.csv', { type: 'text/csv' }));
  const { jobId } = (await it.post('/customers/bulk/csv', undefined, { raw: form })).body;
  await it.settle();
  return (await it.get(`/customers/bulk/jobs/${jobId}`)).body;
}

describe('docs/bulk.md (G15)', () => {
  const rows = [...PAGE.matchAll(/^\| `(\w+)` \| (.*?) ?\| `([\w.]+)`/gm)].map(([, ...cells]) => cells);

  test('docs/bulk.md lists every column in the order in which columns are read, with its member', () => {
    expect(rows.map(([column, , member]) => [column, member])).toEqual(Object.entries(COLUMNS));
  });

  const FOR: Readonly<Record<string, string>> = { INDIVIDUAL: 'for individuals', BUSINESS: 'for businesses' };
  test.each(['INDIVIDUAL', 'BUSINESS'])('docs/bulk.md says which columns a row of type %s needs', (customerType) => {
    const needed = rows.flatMap(([column, when = '']) =>
      when === 'always' || when === 'for both' || when === FOR[customerType] ? [String(column)] : [],
    );
    const missing = missingFrom({ customerType }).map(({ field }) => field);
    expect([...missing, 'customerType'].sort()).toEqual(needed.sort());
    expect(rows.flatMap(([column, when]) => (when === 'always' ? [column] : [])).sort()).toEqual([...REQUIRED].sort());
  });

  test.each(['spec', 'grid'] as const)(
    'docs/bulk.md shows a file that imports whole in profile %s',
    async (profile) => {
      const { status, progress, errors } = await imported(await kit({ profile }), CSV);
      expect([status, progress.successful, progress.failed, errors]).toEqual(['COMPLETED', 2, 0, []]);
    },
  );
});

test('the report of a failed test says how many rows of an import failed, and why the first did (G15)', async () => {
  const it = await kit();
  const { status } = await imported(it, CSV.replaceAll('1990-01-02', '1990-13-02').replaceAll(',GB,', ',Leeds,'));
  expect(status).toBe('COMPLETED');
  const lines = lastRequests(it.sandbox, it.host.basePath).split('\n').slice(1);
  expect(lines).toHaveLength(2);
  for (const line of lines) expect(line).toMatch(/\[2 of 2 rows failed; ida: INVALID_FIELD .*birthDate/);
  const right = await kit();
  await imported(right, CSV);
  expect(lastRequests(right.sandbox, right.host.basePath)).not.toContain('rows failed');
});
