import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { kit } from '../../kit/sandbox.ts';
import { type Agent, agent } from '../agent.ts';
import { Scripted } from './scripted.ts';
import { TASKS } from './tasks.ts';

/** Calls of all tasks together, and answers that lead nowhere: they may only become fewer. */
const MOST = { calls: 148, deadEnds: 0 };

test('forty tasks in plain words are done with tools alone, in at most 148 calls, and no answer leads nowhere', async () => {
  const results = [];
  for (const { told, scenario, before, go, proof } of TASKS) {
    const it = await kit({ scenario: scenario as never });
    await before?.(it);
    const scripted = new Scripted(await agent(it));
    const failed = await go(scripted)
      .then((done) => proof(it, done))
      .then(
        () => undefined,
        (error: Error) => error.message.slice(0, 300),
      );
    results.push({ told, calls: scripted.calls, deadEnds: scripted.deadEnds, failed });
  }
  const table = results.map(({ told, calls, deadEnds }) => `${String(calls).padStart(3)} ${deadEnds.length} ${told}`);
  const calls = results.reduce((sum, one) => sum + one.calls, 0);
  const deadEnds = results.flatMap(({ told, deadEnds: ends }) => ends.map((end) => `${told}: ${end}`));
  console.info(
    ['calls, dead ends, task', ...table, `${calls} calls, ${deadEnds.length} dead ends`, ...deadEnds].join('\n'),
  );
  expect(results.flatMap(({ told, failed }) => (failed === undefined ? [] : [`${told}: ${failed}`]))).toEqual([]);
  expect(results.length).toBe(40);
  expect(deadEnds.slice(MOST.deadEnds)).toEqual([]);
  expect(calls).toBeLessThanOrEqual(MOST.calls);
  // The page says how many there are.
  const page = readFileSync(join(import.meta.dirname, '../../../docs/mcp.md'), 'utf8');
  expect(page.replaceAll(/\s+/g, ' ')).toContain(`All forty are done, in ${calls} calls, and no answer leads nowhere.`);
});

describe('dead ends of the benchmark', () => {
  const answering = (answers: Record<string, unknown>): Scripted =>
    new Scripted({
      use: async (tool) => {
        const answer = answers[tool];
        if (answer instanceof Error) throw answer;
        return answer;
      },
    } as Agent);

  test.each<[string, Record<string, unknown>, (scripted: Scripted) => Promise<unknown>]>([
    ['a search that finds nothing', { find_operation: { operations: [] } }, (agent) => agent.find('anything')],
    [
      'a refusal that is not explained',
      {
        find_operation: { operations: [{ id: 'x' }] },
        describe_operation: { example: {}, parameters: [] },
        call_operation: { status: 400, requestId: 'req_1', body: {} },
        why: { why: {} },
      },
      (agent) => agent.do('anything'),
    ],
    [
      'a member that the task has and the description has not',
      {
        find_operation: { operations: [{ id: 'x' }] },
        describe_operation: { example: {}, parameters: [], body: { amount: 'number' } },
        call_operation: { status: 200, body: {} },
      },
      (agent) => agent.do('anything', { 'body.colour': 'red' }),
    ],
    ['a tool that says only that it cannot', { clock: new Error('failed') }, (agent) => agent.use('clock')],
    ['a row that is not shown', { read_state: { rows: [] } }, (agent) => agent.row('customers', 'Ada')],
  ])('the benchmark counts %s as a dead end', async (_, answers, go) => {
    const scripted = answering(answers);
    await go(scripted).catch(() => undefined);
    expect(scripted.deadEnds.length).toBe(1);
  });

  test('the benchmark does not count a refusal that says what to change as a dead end', async () => {
    const scripted = answering({ clock: new Error('advance needs by, such as "1h"') });
    await scripted.use('clock').catch(() => undefined);
    expect([scripted.calls, scripted.deadEnds]).toEqual([1, []]);
  });
});
