import { expect, onTestFinished, test, vi } from 'vitest';

test('what is loaded while a program holds its timers waits in real time, while it holds them and once it lets them go', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  vi.resetModules();
  const { realTimeout, realWait, stopwatch } = await import('../../src/testkit/real-time.ts');
  let came = 0;
  for (const letGo of [() => {}, () => void vi.useRealTimers()]) {
    letGo();
    const before = stopwatch();
    const giveUp = realTimeout(() => {
      came += 1;
    }, 1);
    giveUp();
    await realWait(20);
    expect(stopwatch() - before).toBeGreaterThanOrEqual(15);
  }
  expect(came).toBe(0);
});
