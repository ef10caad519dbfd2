// Writes down what the public contract says of shapes, as data for tests, and a digest of each of its texts, by which
// npm run drift notices that one was changed: node tools/contract.mjs <description in OpenAPI>
import { readFileSync, writeFileSync } from 'node:fs';
import { digestsOf } from './contract/digests.mjs';
import { factsOf } from './contract/facts.mjs';

const document = JSON.parse(readFileSync(process.argv[2], 'utf8'));

const sorted = (record) => Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1));
/** A record of records, one line each. */
const written = (record) => {
  const lines = (part) =>
    sorted(part)
      .map(([name, value]) => `    ${JSON.stringify(name)}: ${JSON.stringify(value)}`)
      .join(',\n');
  const parts = Object.entries(record).map(([name, part]) => `  ${JSON.stringify(name)}: {\n${lines(part)}\n  }`);
  return `{\n${parts.join(',\n')}\n}\n`;
};

writeFileSync('test/contract/public.json', written(factsOf(document)));
writeFileSync('test/contract/texts.json', written(digestsOf(document)));
