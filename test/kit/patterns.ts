import { PROFILES } from '../../src/contract/profile.ts';
import { openApiDocument } from '../../src/http/openapi.ts';
import { chance } from './chance.ts';

type Json = Record<string, unknown>;

/** Every pattern below a node, with the place where it stands; references are followed into the components. */
export function patternsOf(document: Json, start: unknown): Map<string, string> {
  const found = new Map<string, string>();
  const seen = new Set<unknown>();
  const walk = (node: unknown, at: string): void => {
    if (typeof node !== 'object' || node === null || seen.has(node)) return;
    seen.add(node);
    for (const [key, value] of Object.entries(node)) {
      if (key === 'pattern' && typeof value === 'string') found.set(value, at);
      if (key === '$ref' && typeof value === 'string')
        walk((document['components'] as { schemas: Json }).schemas[value.split('/').at(-1) as string], value);
      walk(value, `${at}/${key}`);
    }
  };
  walk(start, '');
  return found;
}

/** Texts that patterns might see: letters of several scripts, digits that are none of ASCII's, marks, and the sample itself. */
const LETTERS = [...'pLNabAZ019+-_.@: ()/\\{}', 'é', 'Ж', '٣', '𝔸', '\u00a0', '\u200d', '=', '0x'];
export const TEXTS: readonly string[] = (() => {
  const { below, of } = chance(11);
  const random = Array.from({ length: 400 }, () => Array.from({ length: 1 + below(24) }, () => of(LETTERS)).join(''));
  return [
    ...['', 'Gina Doe', '+14155550123', '+1٣٣٣٣٣٣٣', 'USD', 'DE89370400440532013000', '123', '12345678', '1234567890'],
    ...[
      'pay.example',
      'PAY.example:80',
      '-bad.example',
      'abc=',
      'a_b-c',
      '123456789012345678',
      'HSBCGB2LXXX',
      'a@b',
      'ln0',
    ],
    ...[3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 16, 22].flatMap((n) => ['7'.repeat(n), '٧'.repeat(n), 'A'.repeat(n)]),
    ...random,
  ];
})();

/** What of a profile's document is sent, and what is answered or told. */
export function documentOf(profile: 'spec' | 'grid'): { document: Json; sent: unknown; answered: unknown } {
  const document = openApiDocument(PROFILES[profile], []);
  const operations = Object.values(document['paths'] as Record<string, Record<string, Json>>).flatMap(Object.values);
  return {
    document,
    sent: operations.map((op) => [op['parameters'], op['requestBody']]),
    answered: [document['webhooks'], operations.map((op) => op['responses'])],
  };
}
