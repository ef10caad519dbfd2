// Pages of the inspector over the scenario load-10k (10,000 customers, 50,000 payments), and what other calls feel of them.
import { AUTHORIZATION, BASE, call, child, done, emulator } from '../kit.mjs';
import { output } from '../processes.mjs';
import { beside, quantile, short } from '../statistics.mjs';

const TIMES = 60;
const ROUNDS = 5;
const SECONDS = 4;
const RATE = 200;

const PAGES = {
  overview: '/',
  payments: '/inspector/state/transactions',
  ledger: '/inspector/ledger',
  search: '/inspector/search?q=Ada',
};

async function page(url) {
  const { status, text, ms } = await call(url, { headers: { accept: 'text/html' } });
  if (status !== 200) throw new Error(`${url}: ${status} ${text.slice(0, 300)}`);
  return ms;
}

/** A page many times: its 95th percentile, and what each took of a processor, in milliseconds. */
async function asked(server, path) {
  for (let i = 0; i < 10; i += 1) await page(`${server.url}${path}`);
  const took = [];
  const busy = server.cpuMs();
  for (let i = 0; i < TIMES; i += 1) took.push(await page(`${server.url}${path}`));
  return { p95: quantile(took, 0.95), cpu: (server.cpuMs() - busy) / TIMES };
}

/** The slowest of reads at a fixed rate; `isOver` tells who works beside that they have ended. */
async function slowest(server, path, beside = async () => {}) {
  const settings = { url: server.url, path, authorization: AUTHORIZATION, rate: RATE, seconds: SECONDS };
  let over = false;
  const reads = output(process.execPath, [child('steady'), JSON.stringify(settings)]).finally(() => {
    over = true;
  });
  await beside(() => over);
  return JSON.parse(await reads).slowest;
}

export async function feltPages(report) {
  const [many, few] = [await emulator(['--scenario', 'load-10k']), await emulator()];
  for (const [name, path] of Object.entries(PAGES)) {
    const [ours, empty] = [await asked(many, path), await asked(few, path)];
    const note = `each ${short(ours.cpu)} ms of a processor, ${short(empty.cpu)} there`;
    report(`felt-${name}`, { value: ours.p95, reference: empty.p95, ratio: ours.p95 / empty.p95, note });
  }
  const { data } = await done(`${many.url}${BASE}/customers?limit=1`);
  const read = `${BASE}/customers/${data[0].id}`;
  const inTurn = async (isOver) => {
    while (!isOver()) for (const path of Object.values(PAGES)) await page(`${many.url}${path}`);
  };
  const pairs = [];
  for (let i = 0; i < ROUNDS; i += 1) pairs.push([await slowest(many, read), await slowest(many, read, inTurn)]);
  const { value, reference } = beside(pairs);
  const more = Math.max(0, value - reference);
  report('felt-others', { value: more, reference, ratio: more / reference, note: `${value.toFixed(1)} ms with pages` });
  await Promise.all([many.stop(), few.stop()]);
}
