import { expect, test } from 'vitest';
import { parseMoment } from '../../src/contract/moment.ts';

test.each([
  ['2026-01-05T09:00:00Z', '2026-01-05T09:00:00.000Z'],
  ['2026-01-05T09:00:00', '2026-01-05T09:00:00.000Z'],
  ['2026-01-05 09:00', '2026-01-05T09:00:00.000Z'],
  ['2026-01-05', '2026-01-05T00:00:00.000Z'],
  ['2026-01-05T09:00:00.25+02:00', '2026-01-05T07:00:00.250Z'],
  ['2026-01-05T09:00-0530', '2026-01-05T14:30:00.000Z'],
  ['2026-01-05t09:00z', '2026-01-05T09:00:00.000Z'],
  ['2026-01-05T09:00+02', '2026-01-05T07:00:00.000Z'],
])('%s is parsed as the moment %s on every machine', (text, iso) => {
  expect(new Date(parseMoment(text) ?? 0).toISOString()).toBe(iso);
});

test.each(['', 'yesterday', '5 Jan 2026', '2026-13-05', '2026-01-05T25:00', '2026-01-05T09', '1767603600000'])(
  '%j is refused as a moment, because it is not ISO 8601',
  (text) => {
    expect(parseMoment(text)).toBeUndefined();
  },
);
