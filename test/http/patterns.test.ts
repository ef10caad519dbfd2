import { describe, expect, test } from 'vitest';
import { documentOf, patternsOf, TEXTS } from '../kit/patterns.ts';

describe.each(['spec', 'grid'] as const)('patterns in the OpenAPI document of profile %s (K2)', (profile) => {
  const { document, sent, answered } = documentOf(profile);

  test('no member of a reply or an event has a pattern in the OpenAPI document', () => {
    expect([...patternsOf(document, answered)]).toEqual([]);
  });

  test('patterns in the OpenAPI document mean the same with and without the u flag', () => {
    const patterns = [...patternsOf(document, sent).keys()];
    expect(patterns.length).toBeGreaterThan(20);
    for (const pattern of patterns)
      for (const text of TEXTS)
        expect(new RegExp(pattern).test(text), `${pattern} of ${text}`).toBe(new RegExp(pattern, 'u').test(text));
  });
});
