import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { typesIn } from '../../src/calls/trigger/trigger.ts';
import { PROFILES } from '../../src/contract/profile.ts';
import { CONTRACT } from '../kit/contract.ts';

/** The event types that the page of profiles says are never sent. */
function notSent(): string[] {
  const page = readFileSync(join(import.meta.dirname, '../../docs/profiles.md'), 'utf8');
  const [, offered = ''] = page.split('\n## Not offered in either profile\n');
  const item = offered.split('\n- ').find((text) => text.startsWith('Events that nothing in the emulator causes'));
  return [...(item ?? '').matchAll(/`([A-Z_]+\.[A-Z_]+)`/g)].map(([, type]) => type as string);
}

// That each declared type is sent, too, is what test/control/trigger.test.ts shows.
test('every event of the public contract is declared in profile grid, or docs/profiles.md says why it is not; no other is declared (K7)', () => {
  const theirs = CONTRACT.$defs['WebhookType']?.enum as string[];
  expect(theirs).not.toEqual([]);
  expect([...typesIn(PROFILES.grid), ...notSent()].sort()).toEqual([...theirs].sort());
});

test('every event that a webhook of the public contract lists is one of its event types', () => {
  expect(CONTRACT.$defs['WebhookType']?.enum).toEqual(expect.arrayContaining(Object.keys(CONTRACT.events)));
});
