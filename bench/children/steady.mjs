// node steady.mjs '{"url","path","authorization","rate","seconds"}': reads of one path at a fixed rate, whatever the answers take;
// what waits for a connection counts from the moment at which it was due. Prints {count, p99, slowest} in milliseconds.
import { Pool } from '../soak/pool.mjs';
import { quantile } from '../statistics.mjs';

const { url, path, authorization, rate, seconds } = JSON.parse(process.argv[2]);
const pool = new Pool(url, 16);
const took = [];
const pending = new Set();

const began = performance.now();
for (let sent = 0; sent < rate * seconds; sent += 1) {
  const due = began + (sent * 1000) / rate;
  while (performance.now() < due) await new Promise((resolve) => setTimeout(resolve, 1));
  const work = pool.ask('GET', path, { authorization, due }).then(({ status, ms, text }) => {
    pending.delete(work);
    if (status !== 200) throw new Error(`${path}: ${status} ${text.slice(0, 300)}`);
    took.push(ms);
  });
  pending.add(work);
}
await Promise.all(pending);
console.log(JSON.stringify({ count: took.length, p99: quantile(took, 0.99), slowest: Math.max(...took) }));
process.exit(0);
