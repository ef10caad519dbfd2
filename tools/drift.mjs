// npm run drift -- <newer description in OpenAPI, JSON or YAML>: what it adds (+), changes (~) and drops (-) against the contract that
// is built here. Each line is to be built, or declined with a reason, in test/contract/drift.json. Exit code 2 while a line has no decision.
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { differences } from './contract/differences.mjs';
import { digestsOf } from './contract/digests.mjs';
import { factsOf } from './contract/facts.mjs';

const read = (file) => JSON.parse(readFileSync(file, 'utf8'));
const [file] = process.argv.slice(2);
if (file === undefined) {
  console.error('usage: npm run drift -- <description in OpenAPI, as JSON or YAML>');
  process.exit(1);
}
/** JSON is YAML, too. */
let document;
try {
  document = parse(readFileSync(file, 'utf8'));
  if (typeof document?.paths !== 'object') throw new Error('it has no paths');
} catch (error) {
  console.error(`${file} is not a description in OpenAPI: ${error.message}`);
  process.exit(1);
}
const before = { facts: read('test/contract/public.json'), texts: read('test/contract/texts.json') };
const lines = differences(before, { facts: factsOf(document), texts: digestsOf(document) });
const decided = new Map(read('test/contract/drift.json').map((entry) => [entry.line, entry]));
const open = lines.filter((line) => !decided.has(line));
for (const line of lines) {
  const entry = decided.get(line);
  console.log(entry ? `${line}\n    ${entry.decision}: ${entry.reason}` : line);
}
const of = (sign) => lines.filter((line) => line.startsWith(sign)).length;
console.log(`${of('+')} added, ${of('~')} changed, ${of('-')} dropped; ${open.length} without a decision`);
process.exitCode = open.length > 0 ? 2 : 0;
