import type { ServerResponse } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { TURNS } from '../../src/engine/turns.ts';
import { Answers } from '../../src/http/answers.ts';

/** What Node would be told of answers, in order. */
function listening() {
  const told: unknown[] = [];
  const outgoing = (name: string, state: { destroyed?: boolean; breaks?: boolean } = {}) =>
    ({
      destroyed: state.destroyed ?? false,
      destroy: () => told.push(`${name} is cut off`),
      writeHead(status: number, headers: Record<string, string>) {
        if (state.breaks) throw new Error(`${name} breaks`);
        told.push([name, status, headers]);
        return { end: (text?: string) => told.push(text) };
      },
    }) as unknown as ServerResponse;
  const answers = new Answers((error) => told.push((error as Error).message));
  return { told, outgoing, answers };
}

test('answers of one turn are written in their order when it ends, with their lengths in bytes', async () => {
  const { told, outgoing, answers } = listening();
  answers.add(outgoing('first'), 200, '{"name":"Zoë"}', { 'x-request-id': '1' });
  answers.add(outgoing('second'), 204, '', { 'x-request-id': '2' });
  expect(told).toEqual([]);
  await nextTurn();
  expect(told).toEqual([
    ['first', 200, { 'x-request-id': '1', 'content-length': '15' }],
    '{"name":"Zoë"}',
    ['second', 204, { 'x-request-id': '2' }],
    undefined,
  ]);
});

test('an answer that was expected is written before the work that it led to begins', async () => {
  const { told, outgoing, answers } = listening();
  answers.expect();
  setImmediate(() => told.push('a webhook'));
  answers.add(outgoing('the answer'), 200, '{}', {});
  await nextTurn();
  expect(told).toEqual([['the answer', 200, { 'content-length': '2' }], '{}', 'a webhook']);
});

test('an answer is written before the work that it led to where the work of others was due before', async () => {
  const { told, outgoing, answers } = listening();
  TURNS.soon(() => told.push('the webhook of another sandbox'));
  answers.expect();
  TURNS.soon(() => told.push('its webhook'));
  answers.add(outgoing('the answer'), 204, '', {});
  await nextTurn();
  expect(told).toEqual([['the answer', 204, {}], undefined, 'the webhook of another sandbox', 'its webhook']);
});

test('after a turn without an answer the next one is written all the same', async () => {
  const { told, outgoing, answers } = listening();
  answers.expect();
  await nextTurn();
  answers.add(outgoing('late'), 200, '{}', {});
  await nextTurn();
  expect(told).toEqual([['late', 200, { 'content-length': '2' }], '{}']);
});

test('many answers do not wait for the end of a turn', () => {
  const { told, outgoing, answers } = listening();
  for (let n = 0; n < 33; n += 1) answers.add(outgoing(`${n}`), 204, '', {});
  expect(told).toHaveLength(64);
  answers.write();
  expect(told).toHaveLength(66);
});

test('nothing is written to a client that has left, and what cannot be written holds no other up', () => {
  const { told, outgoing, answers } = listening();
  answers.add(outgoing('gone', { destroyed: true }), 200, '{}', {});
  answers.add(outgoing('broken', { breaks: true }), 200, '{}', {});
  answers.add(outgoing('there'), 200, '{}', {});
  answers.write();
  expect(told).toEqual(['broken breaks', 'broken is cut off', ['there', 200, { 'content-length': '2' }], '{}']);
});
