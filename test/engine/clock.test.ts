import * as fc from 'fast-check';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { DURATION_PATTERN, parseDuration } from '../../src/contract/duration-text.ts';
import { isPolicy, PolicyText, policyDelay } from '../../src/contract/policy.ts';
import { Clock, LATEST } from '../../src/engine/clock.ts';

const NOW = Date.UTC(2026, 0, 5, 9);
const DAY = 86_400_000;

describe('Clock', () => {
  afterEach(() => void vi.useRealTimers());

  test('a held clock moves only by an advance, and never back', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -1000, max: 1_000_000 })), (moves) => {
        const clock = new Clock({ now: NOW, mode: 'held' });
        let right = NOW;
        for (const move of moves) {
          clock.moveTo(clock.now() + move);
          right = Math.max(right, right + move);
          expect(clock.now()).toBe(right);
          expect(clock.iso()).toBe(new Date(right).toISOString());
        }
      }),
    );
  });

  test('a live clock follows real time at its speed from where it was', () => {
    vi.useFakeTimers();
    const clock = new Clock({ now: NOW });
    vi.advanceTimersByTime(1500);
    expect(clock.now()).toBe(NOW + 1500);
    clock.setSpeed(60);
    vi.advanceTimersByTime(1000);
    expect(clock.now()).toBe(NOW + 61_500);
    clock.setMode('held');
    vi.advanceTimersByTime(1000);
    expect(clock.now()).toBe(NOW + 61_500);
    clock.moveTo(NOW + 100_000);
    clock.setMode('live');
    clock.setSpeed(1);
    vi.advanceTimersByTime(250);
    expect(clock.now()).toBe(NOW + 100_250);
    expect(clock.state()).toEqual({ now: new Date(NOW + 100_250).toISOString(), mode: 'live', speed: 1 });
  });

  test('a live clock continues from where it was when real time steps back (L1)', () => {
    vi.useFakeTimers({ now: NOW });
    const clock = new Clock();
    vi.advanceTimersByTime(5000);
    expect(clock.now()).toBe(NOW + 5000);
    vi.setSystemTime(NOW - 3_600_000);
    expect(clock.now()).toBe(NOW + 5000);
    vi.advanceTimersByTime(2000);
    expect(clock.now()).toBe(NOW + 7000);
  });

  test.each([
    ['set back by six years', -6 * 365 * DAY, []],
    ['set back by a minute', -60_000, []],
    ['set back while the clock is moved', -365 * DAY, [DAY]],
    ['set back twice', -365 * DAY, [-DAY, -DAY]],
  ])('a live clock counts no time for a machine that is %s and set right again', (_, step, more) => {
    const real = Date.now();
    vi.useFakeTimers({ now: real });
    const clock = new Clock();
    const start = clock.now();
    vi.setSystemTime(real + step);
    expect(clock.now()).toBe(start);
    let moved = 0;
    for (const ms of more) {
      if (ms < 0) vi.setSystemTime(Date.now() + ms);
      else clock.moveTo(clock.now() + ms);
      moved += Math.max(ms, 0);
      expect(clock.now()).toBe(start + moved);
    }
    vi.advanceTimersByTime(500);
    expect(clock.now()).toBe(start + moved + 500);
    vi.useRealTimers();
    expect(clock.now()).toBeGreaterThanOrEqual(start + moved + 500);
    expect(clock.now()).toBeLessThan(start + moved + 30_000);
  });

  test.each([
    ['with its own time', NOW],
    ['without its own time', undefined],
  ])('a clock created %s on a machine that was set back continues from its time when that is set right', (_, now) => {
    const past = Date.now() - 6 * 365 * DAY;
    vi.useFakeTimers({ now: past });
    const clock = new Clock({ now });
    const start = now ?? past;
    expect(clock.now()).toBe(start);
    vi.advanceTimersByTime(500);
    expect(clock.now()).toBe(start + 500);
    clock.restore({ ...clock.mark(), now: start + 1000 });
    vi.useRealTimers();
    expect(clock.now()).toBeGreaterThanOrEqual(start + 1000);
    expect(clock.now()).toBeLessThan(start + 30_000);
  });

  test.each([
    ['an hour', 3_600_000],
    ['four years', 4 * 365 * DAY],
  ])(
    'a live clock runs on from where it was on a machine that was set forward by %s and set right again',
    (_, step) => {
      const real = Date.now();
      vi.useFakeTimers({ now: real });
      const clock = new Clock();
      vi.setSystemTime(real + step);
      expect(clock.now()).toBe(real + step);
      for (const passed of [0, 100, 300, 500]) {
        vi.setSystemTime(real + passed);
        expect(clock.now()).toBe(real + step + passed);
      }
      vi.setSystemTime(real - step);
      expect(clock.now()).toBe(real + step + 500);
      for (const passed of [600, 700]) {
        vi.setSystemTime(real + passed);
        expect(clock.now()).toBe(real + step + passed - 100);
      }
    },
  );

  test('a live clock follows real time that steps forward', () => {
    vi.useFakeTimers({ now: NOW });
    const clock = new Clock();
    vi.setSystemTime(NOW + 365 * DAY);
    expect(clock.now()).toBe(NOW + 365 * DAY);
  });

  test('a clock stands still during one piece of work', () => {
    vi.useFakeTimers();
    const clock = new Clock({ now: NOW });
    clock.during(() => {
      vi.advanceTimersByTime(1000);
      expect(clock.now()).toBe(NOW);
      clock.during(() => expect(clock.now()).toBe(NOW));
    });
    expect(clock.now()).toBe(NOW + 1000);
    expect(() =>
      clock.during(() => {
        throw new Error('x');
      }),
    ).toThrow('x');
    vi.advanceTimersByTime(1);
    expect(clock.now()).toBe(NOW + 1001);
  });

  test('a clock ends with the year 9998, so that later times still have a four-digit year', () => {
    const clock = new Clock({ now: NOW, mode: 'held' });
    clock.moveTo(Number.MAX_SAFE_INTEGER);
    expect(clock.now()).toBe(LATEST);
    expect(clock.iso()).toBe('9998-12-31T23:59:59.999Z');
  });

  test('a restored clock is the saved one, even in the past', () => {
    const clock = new Clock({ now: NOW, mode: 'held' });
    const saved = clock.state();
    clock.moveTo(NOW + 1e9);
    clock.setMode('live');
    clock.restore(saved);
    expect(clock.state()).toEqual(saved);
  });
});

describe('durations (ISO 8601) and policies', () => {
  test('weeks, days, hours, minutes and seconds of a duration add up', () => {
    const part = fc.option(fc.nat(500), { nil: undefined });
    fc.assert(
      fc.property(part, part, part, part, part, (w, d, h, m, s) => {
        const write = (n: number | undefined, unit: string) => (n === undefined ? '' : `${n}${unit}`);
        const time = write(h, 'H') + write(m, 'M') + write(s, 'S');
        const text = `P${write(w, 'W')}${write(d, 'D')}${time ? `T${time}` : ''}`;
        const right = (((w ?? 0) * 7 + (d ?? 0)) * 24 + (h ?? 0)) * 3_600_000 + (m ?? 0) * 60_000 + (s ?? 0) * 1000;
        expect(parseDuration(text)).toBe(text === 'P' ? undefined : right);
      }),
    );
    expect(parseDuration('PT0.25S')).toBe(250);
  });

  test('a duration such as 1h30m equals its ISO 8601 form (U15)', () => {
    const part = fc.option(fc.nat(500), { nil: undefined });
    const write = (n: number | undefined, unit: string) => (n === undefined ? '' : `${n}${unit}`);
    fc.assert(
      fc.property(part, part, part, part, part, (w, d, h, m, s) => {
        const time = write(h, 'H') + write(m, 'M') + write(s, 'S');
        const iso = `P${write(w, 'W')}${write(d, 'D')}${time ? `T${time}` : ''}`;
        const spoken = write(w, 'w') + write(d, 'd') + write(h, 'h') + write(m, 'm') + write(s, 's');
        expect(parseDuration(spoken)).toBe(parseDuration(iso));
        expect(new RegExp(`^${DURATION_PATTERN}$`).test(spoken)).toBe(spoken !== '');
      }),
    );
    const said = ['2h', '90s', '1d', '7d', '500ms', '1h30m', '1m500ms', '1.5h', '0s'].map(parseDuration);
    expect(said).toEqual([7_200_000, 90_000, 86_400_000, 604_800_000, 500, 5_400_000, 60_500, 5_400_000, 0]);
  });

  test.each([
    '',
    'P',
    'PT',
    'P1',
    '1D',
    '1h 30m',
    '30m1h',
    'h',
    '1y',
    '-2h',
    '2h,',
    '2H',
    '1hPT1H',
    'PT1D',
    'P1Y',
    'P1M',
    '-P1D',
    'P-1D',
    'P1DT',
    'pt1s',
    'PT1S ',
    'PT1H2H',
  ])('the text %j is not a duration', (text) => expect(parseDuration(text)).toBeUndefined());

  test.each(['999999999d', `${'9'.repeat(30)}d`, `P${'9'.repeat(30)}D`, `${'9'.repeat(400)}ms`, 'PT8761H'])(
    'the duration %j is refused for a policy, which names the longest one (X12)',
    (text) => {
      expect(parseDuration(text)).toBeGreaterThan(365 * 86_400_000);
      const read = PolicyText().safeParse(`after ${text}`);
      expect(read.error?.issues.map(({ message }) => message)).toEqual(['is too long: at most 365 days']);
      expect(PolicyText().safeParse('after 365d').success).toBe(true);
    },
  );

  test('a policy is "at once", "hold", or "after" a duration', () => {
    expect(['at once', 'hold', 'after PT2S', 'after P1D', 'after 2s', 'after 1h30m'].every(isPolicy)).toBe(true);
    expect(['', 'now', 'after', 'after ', 'after two seconds', 'After PT2S', 'hold '].some(isPolicy)).toBe(false);
    expect([policyDelay('at once'), policyDelay('after PT2S'), policyDelay('hold')]).toEqual([
      0,
      2000,
      Number.POSITIVE_INFINITY,
    ]);
  });
});
