// node state-lines.mjs <state file> <copy>: what the rows of a state cost by themselves, a row a line: parsed into a Map a
// table, and written again. Prints {loadMs, saveMs}.

import { once } from 'node:events';
import { createReadStream, createWriteStream } from 'node:fs';
import { createInterface } from 'node:readline';

const [, , path, copy] = process.argv;
const tables = [new Map()];
let from = performance.now();
for await (const line of createInterface({ input: createReadStream(path, { highWaterMark: 1 << 20 }) })) {
  if (line.startsWith('{"name":')) tables.push(new Map());
  const rows = tables.at(-1);
  // A row may end with what closes its table.
  if (line.startsWith('{"id":'))
    rows.set(rows.size, JSON.parse(line.slice(0, line.lastIndexOf('}') + 1).replace(/\]\}$/, '')));
}
const loadMs = performance.now() - from;
from = performance.now();
const out = createWriteStream(copy, { highWaterMark: 1 << 20 });
let chunk = '';
for (const rows of tables)
  for (const row of rows.values()) {
    chunk += `${JSON.stringify(row)},\n`;
    if (chunk.length < 1 << 20) continue;
    if (!out.write(chunk)) await once(out, 'drain');
    chunk = '';
  }
out.end(chunk);
await once(out, 'finish');
console.log(JSON.stringify({ loadMs, saveMs: performance.now() - from }));
