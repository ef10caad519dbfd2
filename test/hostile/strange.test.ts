import { expect, test } from 'vitest';
import { effort } from '../kit/effort.ts';
import { Report } from './report.ts';
import { strangeTexts } from './strange.ts';
import { STRANGE_TEXTS } from './texts.ts';

/** STRANGE_TEXTS=all: every text to every member, in an hour of CPU. */
const EVERY_TEXT = process.env['STRANGE_TEXTS'] === 'all';

/** How much of it `npm test` does, and `npm run test:thorough`: the other profile reads the same texts by other names. */
const EFFORT = {
  spec: { oneIn: effort(4 * STRANGE_TEXTS.length, EVERY_TEXT ? 1 : 5), firstToAll: true },
  grid: { oneIn: effort(4 * STRANGE_TEXTS.length, EVERY_TEXT ? 1 : 25), firstToAll: false },
};

test.each(['spec', 'grid'] as const)(
  'one strange text at a time, in every member of every body, breaks nothing in profile %s (X14)',
  async (profile) => {
    const report = new Report(1);
    const watch = { report, timings: false, only: undefined, input: -1 };
    const looking = { looks: 1, lookAfter: effort(4, 2) };
    const sent = await strangeTexts({ profile, seed: 1, ...EFFORT[profile], ...looking }, watch);
    expect(report.told()).toBe('');
    expect(sent.members).toBeGreaterThan(900);
    // Bodies are otherwise valid: many a strange text is a name like any other.
    expect(sent.done).toBeGreaterThan(sent.calls / 8);
  },
);
