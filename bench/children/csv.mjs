// node csv.mjs <bytes>: the same CSV read by csv-parse alone; prints {rows, rate}.
import { Readable } from 'node:stream';
import { parse } from 'csv-parse';
import { form } from '../parts/csv.mjs';

function* text() {
  let first = true;
  for (const chunk of form(Number(process.argv[2]))) {
    if (first) yield chunk.slice(chunk.indexOf('\r\n\r\n') + 4);
    else if (!chunk.startsWith('\r\n--')) yield chunk;
    first = false;
  }
}

const began = performance.now();
let rows = 0;
for await (const _ of Readable.from(text()).pipe(parse({ columns: true }))) rows += 1;
console.log(JSON.stringify({ rows, rate: rows / ((performance.now() - began) / 1000) }));
