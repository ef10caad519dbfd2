// Acts on a sandbox that somebody waits for: a recording, a capsule, a diff.
import { gzipSync } from 'node:zlib';
import { BASE, CUSTOMER, call, done, emulator } from '../kit.mjs';
import { file } from '../processes.mjs';
import { beside, median, short } from '../statistics.mjs';
import { ready } from './requests.mjs';

const TIMES = 7;
const CALLS = 1000;
const IN_CAPSULE = 100;
/** With a customer come three accounts: 10,000 rows. */
const CUSTOMERS = 2500;

async function timed(work) {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

/** Both in turns, after once for nothing; what ours took of the server's processor is noted. */
async function compared(server, reference, ours) {
  await ours();
  const [pairs, cpu] = [[], []];
  for (let i = 0; i < TIMES; i += 1) {
    const plain = await timed(reference);
    const busy = server.cpuMs();
    pairs.push([plain, await timed(ours)]);
    cpu.push(server.cpuMs() - busy);
  }
  return { ...beside(pairs), note: `${short(median(cpu))} ms of a processor` };
}

const must = async (url, options) => {
  const { status, text } = await call(url, options);
  if (status >= 300) throw new Error(`${url}: ${status} ${text.slice(0, 300)}`);
  return text;
};

/** So many calls of a backend that pays: a customer, a quote, its execution, two reads. */
async function pay(url, quote, count) {
  for (let made = 0; made < count; made += 5) {
    const { id } = await done(`${url}/customers`, { method: 'POST', body: CUSTOMER });
    const { id: quoted } = await done(`${url}/quotes`, { method: 'POST', body: quote });
    const { transactionId } = await done(`${url}/quotes/${quoted}/execute`, { method: 'POST' });
    await done(`${url}/transactions/${transactionId}`);
    await done(`${url}/customers/${id}`);
  }
}

async function ofLog(report) {
  const { server, quote } = await ready();
  const control = `${server.url}/_emulator`;
  const log = (limit) => must(`${control}/requests?limit=${limit}`);
  await pay(`${server.url}${BASE}`, quote, IN_CAPSULE - JSON.parse(await log(CALLS)).data.length);
  const zipped = async () => gzipSync(await log(IN_CAPSULE));
  report('capsule', await compared(server, zipped, () => must(`${control}/capsule`)));

  await pay(`${server.url}${BASE}`, quote, CALLS);
  const { data } = JSON.parse(await log(CALLS));
  const body = { requests: { from: data.at(-1).id, to: data[0].id }, as: 'vitest' };
  const record = () => must(`${control}/record`, { method: 'POST', body });
  report('record', await compared(server, () => log(CALLS), record));
  await server.stop();
}

async function ofStates(report) {
  const scenario = file('ten-thousand.yaml', `generate: { customers: ${CUSTOMERS} }\n`);
  const server = await emulator(['--scenario', 'default', '--scenario', scenario]);
  const url = `${server.url}${BASE}`;
  await done(`${server.url}/_emulator/snapshots`, { method: 'POST', body: { name: 'before' } });
  const rows = [];
  for (let cursor = ''; cursor !== undefined; ) {
    const page = await done(`${url}/customers?limit=100${cursor && `&cursor=${cursor}`}`);
    for (const row of page.data) {
      await done(`${url}/customers/${row.id}`, {
        method: 'PATCH',
        body: { customerType: row.customerType, email: 'new@example.com' },
      });
      rows.push(row);
    }
    cursor = page.nextCursor;
  }
  const plain = () => new Map(Array.from({ length: CUSTOMERS * 4 }, (_, n) => [n, { ...rows[n % rows.length], n }]));
  const [one, other] = [plain(), plain()];
  const bare = () => {
    for (const [id, row] of one) if (JSON.stringify(row) !== JSON.stringify(other.get(id))) throw new Error('differs');
  };
  const diff = () => must(`${server.url}/_emulator/snapshots/before/diff`);
  report('diff', await compared(server, bare, diff));
  await server.stop();
}

export async function acts(report) {
  await ofLog(report);
  await ofStates(report);
}
