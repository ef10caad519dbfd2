import { expect, test, vi } from 'vitest';

const part = (name: string) => import(new URL(`../../bench/${name}.mjs`, import.meta.url).href);
const { reporter } = await part('report');
const { ROWS } = await part('rows');

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

test('a target that is missed says below its row what the time is made of, one that is met does not', () => {
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
