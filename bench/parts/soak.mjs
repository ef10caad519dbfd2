// A part of npm run soak: as many minutes of mixed requests as --minutes says, beside reads of a bare route at the same rate.
import { child, done, reference } from '../kit.mjs';
import { output } from '../processes.mjs';
import { hours, MEMORY_MINUTES } from '../soak/hours.mjs';

const RATE = 1000;
/** Fewer minutes after those would compare a moment with itself. */
const LEAST_MINUTES = MEMORY_MINUTES + 5;

export async function soak(report, { minutes }) {
  const bare = await reference('hono');
  await done(`${bare.url}/seed`, { method: 'POST', body: [{ id: 'Customer:1', fullName: 'Ada Keller' }] });
  const settings = { url: bare.url, path: '/customers/Customer:1', rate: RATE, seconds: 20 };
  const plain = JSON.parse(await output(process.execPath, [child('steady'), JSON.stringify(settings)]));
  await bare.stop();
  const { findings, p99, slowest, memory } = await hours({ rate: RATE, minutes, say: () => {} });
  const note = [`${minutes} minutes`, ...findings].join('; ');
  report('soak-p99', { value: p99, reference: plain.p99, ratio: p99 / plain.p99, note, minutes });
  const { ms, kind } = slowest;
  report('soak-slowest', { value: ms, reference: plain.slowest, ratio: ms / plain.slowest, note: kind, minutes });
  if (minutes < LEAST_MINUTES)
    return report.skip('soak-memory', `-- soak --minutes 60 measures it, ${LEAST_MINUTES} at least`);
  const { first, last } = memory;
  report('soak-memory', { value: last, reference: first, ratio: last / first, minutes });
}
