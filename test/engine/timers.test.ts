import { afterEach, expect, test, vi } from 'vitest';
import { realInterval } from '../../src/engine/timers.ts';

afterEach(() => void vi.useRealTimers());

test('a real interval continues under fake timers until it is stopped', async () => {
  vi.useFakeTimers();
  let times = 0;
  const stop = await new Promise<() => void>((resolve) => {
    const made = realInterval(() => {
      times += 1;
      if (times === 3) resolve(made);
    }, 1);
  });
  stop();
  const then = times;
  await new Promise<void>((resolve) => {
    const end = realInterval(() => {
      end();
      resolve();
    }, 20);
  });
  expect(times).toBe(then);
});
