import { describe, expect, test } from 'vitest';
import { kit } from '../kit/sandbox.ts';
import { unbroken } from '../kit/sane.ts';
import { LONGEST_TURN_MS, longestTurn } from '../kit/turns.ts';

const MIB = 1024 * 1024;
const object = (members: number) => `{${Array.from({ length: members }, (_, i) => `"k${i}":1`).join(',')}}`;
const list = (value: string, count: number) => `[${Array(count).fill(value).join(',')}]`;

/** Bodies of about the largest size, by what is wrong with them. */
const BODIES: Readonly<Record<string, readonly [body: string, message: string | RegExp | undefined]>> = {
  'a million open brackets': ['['.repeat(1_000_000), 'the body is nested more than 100 levels deep'],
  '150,000 nested objects': [
    `${'{"a":'.repeat(150_000)}1${'}'.repeat(150_000)}`,
    'the body is nested more than 100 levels deep',
  ],
  'an object of 80,000 members': [object(80_000), 'an object of the body has more than 10000 members'],
  'a list of 300,000 objects': [list('{}', 300_000), 'the body has more than 100000 values'],
  'an object of 10,000 members': [object(10_000), undefined],
  'a list of 45,000 objects': [list('{}', 45_000), undefined],
  'a long string': [JSON.stringify({ customerType: '\\"'.repeat(200_000) }), undefined],
  'text that is not JSON': ['x'.repeat(1_000_000), 'the body is not JSON'],
  // Most paths read a megabyte; those that take files read this body to its end.
  'a string of millions of letters without its end': [
    `{"a":"${'x'.repeat(12_000_000)}`,
    /the body is (not JSON|larger than \d+ bytes)/,
  ],
};

describe('hostile JSON bodies (X5)', () => {
  test.each(Object.keys(BODIES))(
    'a JSON body with %s blocks no other call, and is read or refused (X5)',
    async (name) => {
      const [body, message] = BODIES[name] as (typeof BODIES)[string];
      const it = await kit();
      const send = async (method: string, path: string, text: string) => {
        const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
        const answer = await it.host.fetch(
          new Request(`http://127.0.0.1:4010/_emulator${path}`, { method, headers, body: text }),
        );
        return { status: answer.status, text: await answer.text() };
      };
      const callsWith = (text: string): (() => Promise<{ status: number; text: string }>)[] => {
        const raw = { raw: text, headers: { 'content-type': 'application/json' } };
        const tool = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"find_operation","arguments":{"query":${text}}}}`;
        return [
          () => it.overlapping('POST', '/customers', undefined, raw),
          () => it.overlapping('POST', '/quotes', undefined, raw),
          () => send('POST', '/sandboxes', `{"scenario":${text}}`),
          () => send('POST', '/trigger', `{"event":"TEST","set":${text}}`),
          () => send('POST', '/operations/createCustomer/call', `{"body":${text}}`),
          ...['/faults', '/record', '/clock', '/mcp'].map((path) => () => send('POST', path, text)),
          () => send('POST', '/mcp', tool),
        ];
      };
      // What is made once, at first use, is not the body's doing.
      for (const call of callsWith('{"a":1}')) await call();
      for (const [i, call] of callsWith(body).entries()) {
        const { value, ms } = await longestTurn(call);
        unbroken(value.status, `call ${i}: ${value.text.slice(0, 200)}`);
        expect(value.text.length, `call ${i}`).toBeLessThan(MIB / 2);
        expect(ms, `call ${i}`).toBeLessThan(LONGEST_TURN_MS);
        if (message) expect(value.text).toMatch(message);
      }
    },
  );
});

const HEADER = 'umaAddress,platformCustomerId,customerType,fullName';
const rows = (row: string, count: number) => `${HEADER}\n${`${row}\n`.repeat(count)}`;
const CSVS: Readonly<Record<string, string>> = {
  'an open quote': `${HEADER}\n${'"'.repeat(MIB)}`,
  'rows of quotes only': rows(`"${'""'.repeat(100_000)}"`, 5),
  'rows of quoted cells': rows('"a",'.repeat(60_000), 5),
  'rows of misplaced quotes': rows('a"b"c,'.repeat(40_000), 5),
  'rows of line breaks in quotes': rows('"\n",'.repeat(50_000), 5),
  'rows of commas': rows(','.repeat(250_000), 5),
  'a line of three megabytes': `${HEADER}\n${'x'.repeat(3 * MIB)}`,
  '100,000 meaningless rows': rows('x', 100_000),
  'a header of 50,000 columns': `${Array.from({ length: 50_000 }, (_, i) => `c${i}`).join(',')}\n1,2\n`,
  'empty lines before the header': `${'\n'.repeat(MIB)}${HEADER}\n$a@b.example,1,INDIVIDUAL,Ada\n`,
};

describe('hostile CSV files (X5)', () => {
  test.each(Object.keys(CSVS))('a CSV file with %s blocks no other call, and its import ends (X5)', async (name) => {
    const it = await kit();
    const raw = new FormData();
    raw.append('file', new Blob([CSVS[name] as string]), 'customers.csv');
    const { value, ms } = await longestTurn(async () => {
      const answer = await it.overlapping('POST', '/customers/bulk/csv', undefined, { raw });
      await it.settle();
      return answer;
    });
    expect(value.status).toBe(202);
    expect(ms).toBeLessThan(LONGEST_TURN_MS);
    const { body } = await it.get(`/customers/bulk/jobs/${value.body.id}`);
    expect(body.progress.processed, body.status).toBe(body.progress.total);
    if (name.startsWith('empty')) expect(body.progress).toMatchObject({ total: 1, processed: 1 });
  });
});

const EDGE = 'edge-of-a-part';
const NAMED = 'content-disposition: form-data; name="file"; filename="x"';
const part = (headers: string, content = 'x') => `--${EDGE}\r\n${headers}\r\n\r\n${content}\r\n`;
const FORMS: Readonly<Record<string, string>> = {
  '100,000 parts': part('content-disposition: form-data; name="a"').repeat(100_000),
  '100,000 headers of a part': part(`${'h: 1\r\n'.repeat(100_000)}${NAMED}`),
  'a header of three megabytes': part(`content-disposition: form-data; name="${'a'.repeat(3 * MIB)}"`),
  'a header of 1,500 parameters': part(`content-disposition: form-data; ${'a=b; '.repeat(1500)}`),
  'a header of escaped quotes': part(`content-disposition: form-data; name="${'\\"'.repeat(3900)}`),
  'near misses of its boundary': part(NAMED, `\r\n--${EDGE.slice(0, -1)}`.repeat(200_000)),
  'line breaks only': part(NAMED, '\r\n'.repeat(MIB)),
  'no part at all': '-'.repeat(3 * MIB),
};

describe('hostile forms (X5)', () => {
  test.each(Object.keys(FORMS))('a form with %s blocks no other call (X5)', async (name) => {
    const it = await kit();
    for (const path of ['/customers/bulk/csv', '/documents']) {
      const sent = {
        raw: `${FORMS[name]}--${EDGE}--\r\n`,
        headers: { 'content-type': `multipart/form-data; boundary=${EDGE}` },
      };
      const { value, ms } = await longestTurn(async () => {
        const answer = await it.overlapping('POST', path, undefined, sent);
        await it.settle();
        return answer;
      });
      unbroken(value.status, path);
      expect(ms, path).toBeLessThan(LONGEST_TURN_MS);
    }
  });
});
