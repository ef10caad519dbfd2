import { expect, test } from 'vitest';
import { nearest } from '../../src/mcp/nearest.ts';
import { noCounts } from '../../src/sandbox/coverage/counts.ts';
import { reportOf } from '../../src/sandbox/coverage/report.ts';

test('the overview names five things never tried, operations never seen to fail first, each with an example (product 8.3)', () => {
  const counts = { ...noCounts(), operations: { createQuote: { '201': 1 } } };
  const found = nearest(reportOf(counts, 'spec'));
  expect(found).toHaveLength(5);
  expect(found[0]?.never).toBe('createQuote was never seen to fail');
  expect(found[0]?.example).toMatch(
    /^faults \{act: "add", fault: \{match: \{operation: "createQuote", times: 1\}, then: \{status: 4/,
  );
  expect(found[1]?.example).toMatch(/^webhooks \{act: "trigger", type: "/);
});
