// node bench/counts.mjs [--update]: what does not depend on the machine must not grow beyond bench/counts.json, which has the
// counts for each Node that they were taken on. Ends with 1 and says what grew. --update writes what is counted now.
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { judged } from './ceilings.mjs';
import { countsOf } from './parts/counts.mjs';
import { fail } from './processes.mjs';

process.on('uncaughtException', (error) => fail(error.stack));
process.on('unhandledRejection', (error) => fail(error.stack ?? error));

const FILE = new URL('counts.json', import.meta.url);
const node = process.versions.node.split('.')[0];
const { values } = parseArgs({ options: { update: { type: 'boolean' } } });
const kept = JSON.parse(readFileSync(FILE, 'utf8'));
const counts = await countsOf();

if (values.update) {
  kept.counts[node] = Object.fromEntries(Object.entries(counts).map(([name, count]) => [name, Math.round(count)]));
  writeFileSync(FILE, `${JSON.stringify(kept, null, 2)}\n`);
}
if (!kept.counts[node]) console.log(`bench/counts.json has nothing for Node ${node}: npm run counts -- --update`);
const { lines, grown } = judged(counts, kept.counts[node] ?? {}, kept.mayGrow);
console.log(lines.join('\n'));
if (grown.length > 0)
  fail(`${grown.join('\n')}\nWhere that is meant: npm run counts -- --update, and say in the commit what it buys.`);
process.exit(0);
