// npm run soak -- --rate 5000 --minutes 60: mixed requests at a fixed rate, with webhooks, resets and forks. Fails where memory is
// not flat after the first five minutes, a call is slow, an answer is unexpected, or a ledger does not sum to zero.
import { join } from 'node:path';
import { binOf, done, reference } from '../kit.mjs';
import { launch, lines } from '../processes.mjs';
import { median } from '../statistics.mjs';

const HERE = new URL('.', import.meta.url).pathname;
const SLOWEST_MS = 250;
const P99_MS = 10;
const WARM_MINUTES = 5;
/** From then on the bench compares memory: V8 has touched most of its heap (docs/scale.md). */
export const MEMORY_MINUTES = 10;
/** Beyond this part of what it was, memory has grown: sweeps come when they come. */
const GROWTH = 0.05;
const GROWTH_MIB = 10;
const MIB = 2 ** 20;

/** Whether later values are above earlier ones, by the medians of the first and the last third. */
export function growth(values) {
  const third = Math.max(1, Math.floor(values.length / 3));
  const [first, last] = [median(values.slice(0, third)), median(values.slice(-third))];
  return { first, last, flat: last <= first * (1 + GROWTH) + GROWTH_MIB };
}

const mib = (bytes) => Math.round(bytes / MIB);

/** Runs it, and returns its findings, p99 and slowest call of the whole run, and memory after minute 10. */
export async function hours({ rate, minutes, sandboxes = 20, lifeSeconds = 60, say = console.log, snapshots }) {
  const receiver = await reference('receiver');
  const flags = ['--import', join(HERE, 'probe.mjs'), binOf(), '--port', '0', '--json', '--log', 'off'];
  const server = await launch(process.execPath, flags, { ipc: true });
  const settings = { url: server.url, receiver: receiver.url, rate, minutes, sandboxes, lifeSeconds };
  const samples = [];
  const findings = [];
  let ids = [];
  let whole;
  for await (const text of lines(process.execPath, [join(HERE, 'load.mjs'), JSON.stringify(settings)])) {
    const line = JSON.parse(text);
    if (line.ended) {
      ids = line.ids;
      whole = line.p99;
      say(`${line.resets} resets, ${line.forks} forks`);
      continue;
    }
    const heap = await server.ask({});
    const rss = server.rss();
    samples.push({ rss, heap: (heap.least ?? heap.heapUsed) / MIB, line });
    say(
      `minute ${line.minute}: ${Math.round(line.requests / 60)}/s, p50 ${line.p50} p99 ${line.p99} p99.9 ${line.p999} ms, slowest ${line.slowest.ms} ms (${line.slowest.kind}), queue ${line.queue}; RSS ${Math.round(rss)} MiB, heap ${mib(heap.least ?? 0)} after a sweep, ${mib(heap.heapTotal)} held, external ${mib(heap.external)}, V8's own ${mib(heap.malloced)}; longest sweep ${Math.round(heap.longest)} ms, loop ${Math.round(heap.loopMax)} ms (${Math.round(heap.busiest)} ms CPU); webhooks ${(await done(receiver.url)) ?? 0}`,
    );
    for (const [what, times] of line.unexpected) findings.push(`minute ${line.minute}: ${times} x ${what}`);
    if (snapshots?.includes(line.minute))
      say((await server.ask({ heapSnapshot: `/tmp/minute-${line.minute}.heapsnapshot` })).wrote);
  }
  for (const id of ids) {
    const check = await done(`${server.url}/_emulator/ledger/check?sandbox=${id}`);
    if (!check.ok) findings.push(`the ledger of ${id} is broken: ${JSON.stringify(check).slice(0, 500)}`);
  }
  const after = samples.slice(WARM_MINUTES);
  for (const member of after.length > 0 ? ['rss', 'heap'] : []) {
    const { first, last, flat } = growth(after.map((sample) => sample[member]));
    say(`${member} after the first ${WARM_MINUTES} minutes: ${Math.round(first)} to ${Math.round(last)} MiB`);
    if (!flat) findings.push(`${member} grew from ${Math.round(first)} to ${Math.round(last)} MiB`);
  }
  const slowest = samples.map(({ line }) => line.slowest).sort((a, b) => b.ms - a.ms)[0];
  if (slowest?.ms > SLOWEST_MS) findings.push(`a call (${slowest.kind}) took ${slowest.ms} ms at ${slowest.at}`);
  const p99 = Math.max(...samples.map(({ line }) => line.p99));
  if (p99 > P99_MS) findings.push(`p99 was ${p99} ms in a minute`);
  await Promise.all([server.stop(), receiver.stop()]);
  const late = samples.slice(MEMORY_MINUTES).map(({ rss }) => rss);
  return { findings, p99: whole, slowest, memory: late.length > 0 ? growth(late) : undefined };
}
