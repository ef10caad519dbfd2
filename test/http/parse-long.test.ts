import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseLong } from '../../src/http/parse-long.ts';
import { kit } from '../kit/sandbox.ts';
import { longestTurn } from '../kit/turns.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const refusal = (text: string): Promise<unknown> =>
  parseLong(bytes(text)).then(
    () => 'taken',
    (error) => ({ code: error.code, message: error.message }),
  );

describe('a long body that is read in slices (X5)', () => {
  test('a long body is parsed as by JSON.parse, wherever its slices begin', async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue({ maxDepth: 5 }), fc.nat(40_000), async (value, before) => {
        // Behind so many spaces the value lies across the place where one slice ends and the next begins.
        const text = `${' '.repeat(before)}${JSON.stringify(value)}\n`;
        expect(await parseLong(bytes(text))).toEqual(JSON.parse(text));
      }),
    );
  });

  test('a long body keeps a member __proto__ as a member, and the last of two members with one name', async () => {
    const value = (await parseLong(bytes('{"__proto__":{"isAdmin":true},"a":1,"a":2}'))) as Record<string, unknown>;
    expect(Object.keys(value)).toEqual(['__proto__', 'a']);
    expect([value['isAdmin'], value['a']]).toEqual([undefined, 2]);
  });

  test.each([
    ['', /it ends before its end/],
    ['{"a":', /before its end|ended/],
    ['{"a":1}}', /Unexpected/],
    ['{a:1}', /Unexpected/],
    ['[1,]', /Unexpected/],
  ])('a long body of %j is refused with INVALID_REQUEST_FORMAT', async (text, message) => {
    expect(await refusal(text)).toEqual({ code: 'INVALID_REQUEST_FORMAT', message: expect.stringMatching(message) });
  });

  test('a long body is refused for its depth and for the members of one object, like any body', async () => {
    expect(await refusal('['.repeat(101))).toMatchObject({ message: expect.stringContaining('100 levels') });
    const members = Array.from({ length: 10_001 }, (_, i) => `"m${i}":1`).join();
    expect(await refusal(`{${members}}`)).toMatchObject({ message: expect.stringContaining('10000 members') });
  });

  test('the parsing of a long body leaves turns to other calls', async () => {
    const list = bytes(`[${'{"a":"b"},'.repeat(400_000)}{}]`);
    let turns = 0;
    let isOver = false;
    const count = () => {
      turns += 1;
      if (!isOver) setImmediate(count);
    };
    setImmediate(count);
    const { value } = await longestTurn(() => parseLong(list));
    isOver = true;
    expect((value as unknown[]).length).toBe(400_001);
    expect(turns).toBeGreaterThan(10);
  });

  test('a state of more than a megabyte is loaded and returned unchanged, although its JSON is laid out on other lines', async () => {
    const it = await kit({ scenario: [{ generate: { customers: 3000 } }] });
    const state = (await it.control('GET', '/state')).body;
    const text = JSON.stringify(state, null, 1);
    expect(text.length).toBeGreaterThan(1024 * 1024);
    const init = { method: 'PUT', body: text, headers: { 'content-type': 'application/json' } };
    await it.control('POST', '/reset');
    await it.post('/tokens', { name: 'later', permissions: ['VIEW'] });
    expect((await it.host.fetch(new Request('http://127.0.0.1:4010/_emulator/state', init))).status).toBe(200);
    expect((await it.control('GET', '/state')).body).toEqual(state);
  });
});
