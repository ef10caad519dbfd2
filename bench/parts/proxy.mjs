import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { BASE, CUSTOMER, call, done, emulator, THIS } from '../kit.mjs';
import { load } from '../load.mjs';
import { file, freePort, launch } from '../processes.mjs';
import { beside, inTurns } from '../statistics.mjs';

const HAPROXY = '/usr/sbin/haproxy';
const PAGE = 'docs/scale.md';

/** What a read costs HAProxy, with the configuration of the page, beside what it costs the emulator behind it. */
export async function proxy(report) {
  if (!existsSync(HAPROXY)) return report.skip('proxy', 'haproxy is not there: apt-get install haproxy');
  const server = await emulator();
  const front = await freePort();
  const page = readFileSync(join(THIS, PAGE), 'utf8');
  const text = /^```haproxy\n([\s\S]*?)^```$/m
    .exec(page)[1]
    .replaceAll('127.0.0.1:4010', `127.0.0.1:${front}`)
    .replaceAll(/127\.0\.0\.1:401[123]/g, new URL(server.url).host);
  const flags = ['-db', '-f', file('haproxy.cfg', text)];
  const through = await launch(HAPROXY, flags, { url: `http://127.0.0.1:${front}` });
  while (!(await call(through.url).catch(() => undefined))) await new Promise((resolve) => setTimeout(resolve, 10));
  const { id } = await done(`${server.url}${BASE}/customers`, { method: 'POST', body: CUSTOMER });
  const path = `${BASE}/customers/${id}`;
  await load(server, path, { seconds: 2 });
  await load(through, path, { seconds: 1 });
  const pairs = await inTurns(
    5,
    () => load(server, path),
    () => load(through, path),
  );
  const of = (member) => beside(pairs.map((pair) => pair.map((each) => each[member])));
  const rates = of('rate');
  const note = `${Math.round(rates.value)} requests/s through it, ${Math.round(rates.reference)} without, on this machine's cores`;
  report('proxy', { ...of('cpuUs'), note });
  await Promise.all([through.stop(), server.stop()]);
}
