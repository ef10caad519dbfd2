import { expect, onTestFinished, test, vi } from 'vitest';

test('realWait waits in real time where it was loaded under fake timers, while they are held and after they are released', async () => {
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
