import { expect, test } from 'vitest';
import { OPERATIONS } from '../../src/areas.ts';
import { ERRORS } from '../../src/contract/errors.ts';
import { declared, judge } from '../kit/seen.ts';

const everything = OPERATIONS.flatMap((op) => {
  const { statuses, codes } = declared(op);
  return [
    ...statuses.map((status) => `${op.id} ${status}`),
    ...codes.map((code) => `${op.id} ${ERRORS[code]} ${code}`),
  ];
});

test('a run in which every declared answer was seen reports none as missing', () => {
  expect(judge(everything, true)).toEqual({
    missing: 0,
    text: `declared answers seen: ${everything.length} of ${everything.length}, over ${OPERATIONS.length} of ${OPERATIONS.length} operations`,
  });
});

test('a whole run that lacks a declared status, code or operation names it', () => {
  const without = (wrong: (line: string) => boolean) =>
    judge(
      everything.filter((line) => !wrong(line)),
      true,
    );
  expect(without((line) => line === 'executeQuote 200')).toMatchObject({ missing: 1 });
  expect(without((line) => line === 'executeQuote 429 DAILY_VOLUME_LIMIT_EXCEEDED').text).toContain(
    'never seen:\n  executeQuote: 429 DAILY_VOLUME_LIMIT_EXCEEDED',
  );
  expect(without((line) => line.startsWith('getAgentMe ')).text).toContain('  getAgentMe: 200, ');
});

test('a run of some tests is judged by the operations that these tests called', () => {
  expect(judge(['getAgentMe 200'], false).text).toMatch(
    /^declared answers seen: 1 of \d+, over 1 of \d+ operations\nnever seen:\n {2}getAgentMe: 400?/,
  );
});
