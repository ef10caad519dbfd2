import { expect, test } from 'vitest';
import { BUILT_INS } from '../../src/scenario/builtin.ts';
import { kit } from '../kit/sandbox.ts';

test('GET /scenarios lists the built-in scenarios with their titles', async () => {
  const it = await kit();
  const { data } = (await it.control('GET', '/scenarios')).body;
  expect(data.map(({ name }: { name: string }) => name)).toEqual(BUILT_INS);
  expect(data.filter(({ title }: { title: string }) => title.length < 10)).toEqual([]);
});

test('POST /scenarios/check returns the scenario that a valid text describes', async () => {
  const it = await kit();
  const text = 'title: mine # a comment\nplatform: { regulated: true }\n';
  expect((await it.control('POST', '/scenarios/check', { text })).body).toEqual({
    valid: true,
    scenario: { title: 'mine', platform: { regulated: true } },
  });
});

test.each([
  ['form', 'platform:\n  regulatd: true\n', [2, 3, 'unknown key regulatd; did you mean regulated?']],
  [
    'sense',
    'customers:\n  - { customerType: BUSINESS, accounts: { EUR: 1 } }\n',
    [2, 43, 'customers.0.accounts.EUR: the platform has no EUR'],
  ],
])('POST /scenarios/check shows line and column of a mistake of %s', async (_, text, [line, column, message]) => {
  const it = await kit();
  expect((await it.control('POST', '/scenarios/check', { text })).body).toEqual({
    valid: false,
    problems: [{ line, column, message }],
    count: 1,
  });
});

test('POST /scenarios/check finds a text that is not a scenario invalid', async () => {
  const it = await kit();
  for (const text of ['[1]', '"', '- a', '7', '*a', '{"'])
    expect((await it.control('POST', '/scenarios/check', { text })).body.valid, text).toBe(false);
});
