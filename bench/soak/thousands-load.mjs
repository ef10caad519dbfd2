// node thousands-load.mjs '{"url","sandboxes","rounds","rate"}': as many sandboxes, each with a path of its own at this program's
// receiver, all in use at once: every round creates one customer in each, in an order that is drawn. One sandbox in a hundred
// does ten times as much, and the receiver of one in a hundred never answers. Prints what was found as JSON.
import { createServer } from 'node:http';
import { BASE, randomOf, SCENARIO } from './platform.mjs';
import { Pool } from './pool.mjs';

const { url, sandboxes, rounds, rate } = JSON.parse(process.argv[2]);
const pool = new Pool(url, 64);
const random = randomOf(2);
const BUSY = 10;
const isBusy = (n) => n % 100 === 1;
const isDeaf = (n) => n % 100 === 2;
const nameOf = (n) => `Sandbox ${n} Keller`;
const findings = new Map();
const find = (what) => findings.set(what, (findings.get(what) ?? 0) + 1);

/** By sandbox: when each customer was made, until its first webhook comes; and the delays of those that came. */
const made = Array.from({ length: sandboxes }, () => new Map());
const early = Array.from({ length: sandboxes }, () => new Map());
const delays = Array.from({ length: sandboxes }, () => []);

const receiver = createServer((request, response) => {
  const n = Number(request.url.slice(1));
  let text = '';
  request.setEncoding('utf8').on('data', (part) => {
    text += part;
  });
  request.on('end', () => {
    const { type, data } = JSON.parse(text);
    if (data?.fullName !== undefined && data.fullName !== nameOf(n))
      find(`the receiver of one got an event of another: ${type}`);
    if (!isDeaf(n)) response.end();
    if (data?.fullName === undefined) return;
    const at = performance.now();
    const from = made[n].get(data.id);
    if (from === undefined) return early[n].set(data.id, at);
    made[n].delete(data.id);
    if (from > 0) delays[n].push(at - from);
  });
});
receiver.keepAliveTimeout = 60_000;
await new Promise((resolve) => receiver.listen(0, '127.0.0.1', 4096, resolve));
const hooks = `http://127.0.0.1:${receiver.address().port}`;

async function must(method, path, options) {
  const answer = await pool.ask(method, path, options);
  if (answer.status >= 300 || answer.status === 0) {
    console.error(`${answer.what}: ${answer.status} ${answer.text.slice(0, 300)}`);
    process.exit(1);
  }
  return JSON.parse(answer.text);
}

const opened = performance.now();
const platforms = await Promise.all(
  Array.from({ length: sandboxes }, async (_, n) => {
    const body = { scenario: SCENARIO, webhookUrl: `${hooks}/${n}` };
    const { id, credentials } = await must('POST', '/_emulator/sandboxes', { body });
    const authorization = `Basic ${Buffer.from(`${credentials.id}:${credentials.secret}`).toString('base64')}`;
    return { n, id, authorization, created: 0 };
  }),
);
const openMs = performance.now() - opened;

const took = [];
async function create({ n, authorization }, due) {
  const body = { customerType: 'INDIVIDUAL', fullName: nameOf(n), birthDate: '1990-01-02', region: 'US' };
  const answer = await pool.ask('POST', `${BASE}/customers`, { authorization, body, due });
  took.push(answer.ms);
  if (answer.status !== 201) return find(`a create was answered ${answer.status}: ${answer.text.slice(0, 200)}`);
  platforms[n].created += 1;
  const { id } = JSON.parse(answer.text);
  const now = performance.now();
  const came = early[n].get(id);
  if (came === undefined) made[n].set(id, now);
  else {
    early[n].delete(id);
    delays[n].push(0);
  }
}

const began = performance.now();
let sent = 0;
const under = new Set();
for (let round = 0; round < rounds; round += 1) {
  const turn = platforms.flatMap((platform) => Array(isBusy(platform.n) ? BUSY : 1).fill(platform));
  for (let i = turn.length - 1; i > 0; i -= 1) {
    const j = Math.floor(random() * (i + 1));
    [turn[i], turn[j]] = [turn[j], turn[i]];
  }
  for (const platform of turn) {
    const due = began + (sent++ * 1000) / rate;
    while (performance.now() < due) await new Promise((resolve) => setTimeout(resolve, 2));
    const work = create(platform, due).finally(() => under.delete(work));
    under.add(work);
  }
}
await Promise.all(under);
const usedMs = performance.now() - began;

// What has not come a minute later will not come: all answer but the deaf, whose first try is over in 30 seconds.
const missing = () => made.reduce((sum, left, n) => sum + (isDeaf(n) ? 0 : left.size), 0);
for (const end = performance.now() + 60_000; missing() > 0 && performance.now() < end; )
  await new Promise((resolve) => setTimeout(resolve, 100));
if (missing() > 0) find(`${missing()} webhooks did not come within a minute`);

// Each sees its own rows, all of them, and nothing else.
for (const { n, authorization, created } of platforms) {
  const { data, totalCount } = await must('GET', `${BASE}/customers?limit=100`, { authorization });
  if (totalCount !== created) find(`a sandbox has ${totalCount} customers of ${created}`);
  if (data.some(({ fullName }) => fullName !== nameOf(n))) find('a sandbox sees a customer of another');
}

const sorted = (values) => [...values].sort((a, b) => a - b);
const at = (values, part) =>
  Math.round(values[Math.min(values.length - 1, Math.floor(values.length * part))] * 10) / 10;
const medians = sorted(delays.filter((list, n) => list.length > 0 && !isDeaf(n)).map((list) => at(sorted(list), 0.5)));
const all = sorted(delays.flat());
const calls = sorted(took);
console.log(
  JSON.stringify({
    ids: platforms.map(({ id }) => id),
    opened: { sandboxes, ms: Math.round(openMs) },
    calls: {
      count: calls.length,
      perSecond: Math.round((calls.length / usedMs) * 1000),
      p50: at(calls, 0.5),
      p99: at(calls, 0.99),
      slowest: at(calls, 1),
    },
    webhooks: { count: all.length, p50: at(all, 0.5), p99: at(all, 0.99), slowest: at(all, 1) },
    perSandbox: { least: at(medians, 0), median: at(medians, 0.5), most: at(medians, 1) },
    findings: [...findings],
  }),
);
process.exit(0);
