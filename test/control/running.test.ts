import { describe, expect, test } from 'vitest';
import { eventsIn } from '../../src/cli/sse.ts';
import { kit } from '../kit/sandbox.ts';

describe('GET /_emulator/running', () => {
  test('GET /_emulator/running counts the customers and requests of each sandbox, the default one first', async () => {
    const it = await kit();
    await it.post('/customers', { customerType: 'INDIVIDUAL', fullName: 'Ada Keller' });
    await it.get('/customers');
    await it.control('POST', '/sandboxes', {});
    const { status, body } = await it.control('GET', '/running');
    expect([status, body.totalCount, body.profile]).toEqual([200, 2, 'spec']);
    expect(
      body.sandboxes.map(({ customers, requests }: { customers: number; requests: number }) => [customers, requests]),
    ).toEqual([
      [1, 2],
      [0, 0],
    ]);
    expect(body.sandboxes[0].id).toBe(it.sandbox.id);
  });

  test('GET /_emulator/running shows as many sandboxes as limit allows, and counts all', async () => {
    const it = await kit();
    await it.control('POST', '/sandboxes', {});
    const { body } = await it.control('GET', '/running?limit=1');
    expect([body.sandboxes.length, body.totalCount]).toEqual([1, 2]);
    expect((await it.control('GET', '/running?limit=0')).status).toBe(400);
  });
});

describe('reading server-sent events', () => {
  /** The events in pieces of a stream. */
  async function read(...parts: (string | Buffer)[]) {
    const found: [string, unknown][] = [];
    for await (const { event, data } of eventsIn(
      (async function* () {
        yield* parts;
      })(),
    ))
      found.push([event, data]);
    return found;
  }

  test('a server-sent event is read whole wherever the stream is split, also within a character', async () => {
    const whole = Buffer.from(
      'retry: 1000\nevent: clock\ndata: {"now":"é"}\n\n: alive\n\nid: 1\nevent: reset\ndata: {}\n\n',
    );
    const expected = [
      ['clock', { now: 'é' }],
      ['reset', {}],
    ];
    expect(await read(whole)).toEqual(expected);
    for (let cut = 1; cut < whole.length; cut += 1)
      expect(await read(whole.subarray(0, cut), whole.subarray(cut))).toEqual(expected);
  });

  test('a server-sent event that breaks off is left out', async () => {
    expect(await read('event: reset\ndata: {}\n\nevent: clock\ndata: {"n')).toEqual([['reset', {}]]);
  });
});
