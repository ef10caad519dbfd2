import { expect, test, vi } from 'vitest';

const part = (name: string) => import(new URL(`../../bench/${name}.mjs`, import.meta.url).href);
const { reporter } = await part('report');
const { ROWS } = await part('rows');

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
  const { made } = ROWS.find((row: { id: string }) => row.id === 'customer');
  const lines = printed({ customer: 1401, 'create-sandbox': 0.1 });
  expect(lines.map((line) => line.slice(0, 30).trim())).toEqual([
    '✗ memory of a customer, three',
    made.slice(0, 28),
    '✓ createSandbox',
    '',
    '1 of 2 targets met',
  ]);
  expect(printed({ customer: 1400 }).join()).not.toContain(made);
});
