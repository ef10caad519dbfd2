// node load.mjs '{"url","receiver","rate","minutes","sandboxes","lifeSeconds"}': mixed requests at a fixed rate, whatever the
// answers take; each sandbox is reset once a life, and one is forked every five seconds, used, and dropped. Prints a line a
// minute: {minute, requests, p50, p99, p999, slowest, unexpected, queue}, and at the end the ids of the sandboxes and the p99 of all.
import { BASE, Platform, randomOf, SCENARIO } from './platform.mjs';
import { Pool } from './pool.mjs';

const { url, receiver, rate, minutes, sandboxes, lifeSeconds } = JSON.parse(process.argv[2]);
const pool = new Pool(url, 64);
const random = randomOf(1);
const TICK_MS = 1;
const FORK_MS = 5000;

async function control(method, path, body) {
  const answer = await pool.ask(method, `/_emulator${path}`, { body });
  if (answer.status < 200 || answer.status >= 300)
    throw new Error(`${answer.what}: ${answer.status} ${answer.text.slice(0, 300)}`);
  return answer.text === '' ? undefined : JSON.parse(answer.text);
}

const platforms = [];
for (let n = 0; n < sandboxes; n += 1) {
  const opened = await control('POST', '/sandboxes', { scenario: SCENARIO, webhookUrl: `${receiver}/hooks/${n}` });
  const platform = new Platform(pool, opened);
  await platform.prepare();
  platforms.push(platform);
}

/** How often a call took so many tenths of a millisecond, of the whole run. */
const tenths = new Map();
let count = 0;
let took = [];
let slowest = { ms: 0 };
let unexpected = new Map();
let deepest = 0;
function note({ kind, ms, status, text, what, late }) {
  took.push(ms);
  count += 1;
  const tenth = Math.round(ms * 10);
  tenths.set(tenth, (tenths.get(tenth) ?? 0) + 1);
  if (ms > slowest.ms) slowest = { ms: Math.round(ms), kind, at: new Date().toISOString() };
  if (status >= 200 && status < 300) return;
  // What was under way when its sandbox was reset is refused: 409, or what it names is gone.
  if (late && status >= 400 && status < 500) return;
  const key = `${kind}: ${status} ${what} ${text.slice(0, 200)}`;
  unexpected.set(key, (unexpected.get(key) ?? 0) + 1);
}

const minutely = (minute) => {
  const at = (part) => Math.round(took[Math.min(took.length - 1, Math.floor(took.length * part))] * 10) / 10;
  took.sort((a, b) => a - b);
  const line = { minute, requests: took.length, p50: at(0.5), p99: at(0.99), p999: at(0.999), slowest, queue: deepest };
  console.log(JSON.stringify({ ...line, unexpected: [...unexpected].slice(0, 5) }));
  took = [];
  slowest = { ms: 0 };
  unexpected = new Map();
  deepest = 0;
};

function p99() {
  let left = count * 0.99;
  return [...tenths].sort(([a], [b]) => a - b).find(([, times]) => (left -= times) <= 0)?.[0] / 10;
}

const began = performance.now();
const until = began + minutes * 60_000;
const begin = (work, name) =>
  work().catch((error) => {
    console.error(`${name}: ${error.message}`);
    process.exit(1);
  });

/** A fork is used as its origin is, and dropped. */
async function fork() {
  const origin = platforms[Math.floor(random() * platforms.length)];
  const began = performance.now();
  const opened = await control('POST', `/sandboxes/${origin.id}/fork`);
  note({ kind: 'fork', ms: performance.now() - began, status: 200 });
  const twin = new Platform(pool, opened);
  const created = await twin.ask('GET', '/customers?limit=20');
  note({ ...created, kind: 'list of a fork' });
  await control('DELETE', `/sandboxes/${opened.id}`);
}

let sent = 0;
let [resets, forks, minute] = [0, 0, 0];
while (performance.now() < until) {
  const elapsed = performance.now() - began;
  for (const due = Math.floor((elapsed * rate) / 1000); sent < due; sent += 1) {
    const platform = platforms[Math.floor(random() * platforms.length)];
    if (platform.isReady) platform.any(random, began + (sent * 1000) / rate).then(note);
  }
  deepest = Math.max(deepest, pool.waiting);
  if (elapsed > (resets * lifeSeconds * 1000) / sandboxes) {
    const platform = platforms[resets++ % sandboxes];
    if (platform.isReady) begin(async () => note({ ...(await platform.reset()), kind: 'reset' }), 'reset');
  }
  if (elapsed > forks * FORK_MS && (forks += 1)) begin(fork, 'fork');
  if (elapsed > (minute + 1) * 60_000) minutely((minute += 1));
  await new Promise((resolve) => setTimeout(resolve, TICK_MS));
}
while (pool.waiting > 0) await new Promise((resolve) => setTimeout(resolve, 50));
// The last minute is over when the run is: the loop does not come back to say so.
if (took.length > 0) minutely(minute + 1);
console.log(JSON.stringify({ ended: true, base: BASE, ids: platforms.map(({ id }) => id), resets, forks, p99: p99() }));
process.exit(0);
