// Loaded into the emulator (--import) of a long run: sends, when it is asked, what the heap held after the latest full sweeps
// and the longest pause, without forcing any.
import { monitorEventLoopDelay, PerformanceObserver } from 'node:perf_hooks';
import v8 from 'node:v8';

const MAJOR = 4;
let [least, sweeps, longest] = [Number.POSITIVE_INFINITY, 0, 0];
new PerformanceObserver((list) => {
  for (const { duration, detail } of list.getEntries()) {
    longest = Math.max(longest, duration);
    if (detail.kind !== MAJOR) continue;
    sweeps += 1;
    least = Math.min(least, process.memoryUsage().heapUsed);
  }
}).observe({ entryTypes: ['gc'] });
// Processor time between two ticks: what holds the others up on a machine that does nothing else, too.
let [busiest, cpu] = [0, process.cpuUsage()];
setInterval(() => {
  const { user, system } = process.cpuUsage(cpu);
  cpu = process.cpuUsage();
  busiest = Math.max(busiest, (user + system) / 1000);
}, 10).unref();
const delay = monitorEventLoopDelay({ resolution: 10 });
delay.enable();

process.on('message', ({ heapSnapshot }) => {
  if (heapSnapshot) return process.send({ wrote: v8.writeHeapSnapshot(heapSnapshot) });
  const { heapUsed, heapTotal, external, arrayBuffers } = process.memoryUsage();
  const { malloced_memory: malloced } = v8.getHeapStatistics();
  const answer = {
    malloced,
    least: sweeps > 0 ? least : null,
    sweeps,
    longest,
    heapUsed,
    heapTotal,
    external,
    arrayBuffers,
  };
  process.send({ ...answer, busiest, loopMax: delay.max / 1e6 });
  [least, sweeps, longest, busiest] = [Number.POSITIVE_INFINITY, 0, 0, 0];
  delay.reset();
});
// The channel keeps no process that wants to end.
process.channel?.unref();
