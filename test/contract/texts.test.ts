import formats from 'ajv-formats';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Email } from '../../src/contract/shapes.ts';
import { isUri, uriOf } from '../../src/contract/uri.ts';

// What a request may say and a reply then shows has the format of the contract, as ajv understands it.
const email = formats.default.get('email') as RegExp;
const uri = formats.default.get('uri') as (text: string) => boolean;

const letters = (all: string, maxLength: number) =>
  fc.array(fc.constantFrom(...all), { minLength: 1, maxLength }).map((one) => one.join(''));

test('every email address that a request may have is one by JSON Schema (spec 4)', () => {
  const domain = fc.array(letters('aB9-_', 4), { minLength: 1, maxLength: 4 }).map((parts) => parts.join('.'));
  fc.assert(
    fc.property(letters("aZ0_'+-.!", 6), domain, (local, host) => {
      const text = `${local}@${host}.com`;
      if (Email().safeParse(text).success) expect(text).toMatch(email);
    }),
    { numRuns: 20_000 },
  );
  expect(Email().safeParse('a@b-.com').success).toBe(false);
  expect(Email().safeParse('ada.keller+x@a-b.example.com').success).toBe(true);
});

test('every URI that a request may have, and that of every URL, is one by JSON Schema (spec 4)', () => {
  const rest = fc.array(
    fc.constantFrom(...'aZ0-._~!$&\'()*+,;=:@/?#[]%{}|\\^`"<> é'.split(''), '%2f', '//', '..', '\u{1f600}', '\ud800'),
    { maxLength: 8 },
  );
  const host = fc.constantFrom(
    'x.example',
    'x.example:81',
    '[::1]',
    '[::1]:81',
    'a@x.example',
    'bücher.example',
    '127.0.0.1',
    'u:p@x.example',
    '[::1]u:p@@1.2.3.4',
  );
  fc.assert(
    fc.property(host, rest, (at, parts) => {
      const text = `https://${at}/${parts.join('')}`;
      if (isUri(text)) expect(uri(text), text).toBe(true);
      expect(uri(uriOf(text)), uriOf(text)).toBe(true);
    }),
    { numRuns: 20_000 },
  );
  expect(isUri('https://x.example/a%20b?c=d&e=/f?#g')).toBe(true);
});
