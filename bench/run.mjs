// npm run bench [-- <part> ...] [--json] [--all] [--compare <ref>]: the table, each row beside a reference measured in the same
// run. NODES=<folder made by .ci/nodes> starts with those Nodes too. Never part of the tests.
import { parseArgs } from 'node:util';
import { nodes } from './kit.mjs';
import { csv } from './parts/csv.mjs';
import { executable } from './parts/executable.mjs';
import { idle } from './parts/idle.mjs';
import { importing } from './parts/import.mjs';
import { load10k } from './parts/load-10k.mjs';
import { memory } from './parts/memory.mjs';
import { npx } from './parts/npx.mjs';
import { inspector, pages } from './parts/pages.mjs';
import { proxy } from './parts/proxy.mjs';
import { requests } from './parts/requests.mjs';
import { sandboxes } from './parts/sandboxes.mjs';
import { start } from './parts/start.mjs';
import { state } from './parts/state.mjs';
import { suite } from './parts/suite.mjs';
import { wallet } from './parts/wallet.mjs';
import { retries, webhooks } from './parts/webhooks.mjs';
import { fail } from './processes.mjs';
import { reporter } from './report.mjs';
import { ROWS } from './rows.mjs';

const PARTS = {
  start,
  npx,
  executable,
  import: importing,
  requests,
  memory,
  sandboxes,
  idle,
  state,
  csv,
  wallet,
  webhooks,
  inspector,
  suite,
  pages,
  proxy,
  retries,
  'load-10k': load10k,
};

process.on('uncaughtException', (error) => fail(error.stack));
process.on('unhandledRejection', (error) => fail(error.stack ?? error));

const { values, positionals } = parseArgs({
  options: {
    all: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    compare: { type: 'string' },
    pairs: { type: 'string', default: '9' },
  },
  allowPositionals: true,
});

if (values.compare !== undefined) {
  const { compare } = await import('./compare.mjs');
  await compare(values.compare, positionals, { pairs: Number(values.pairs), json: values.json });
  process.exit(0);
}

const unknown = positionals.filter((name) => !(name in PARTS));
if (unknown.length > 0) fail(`no part ${unknown.join(', ')}; there are ${Object.keys(PARTS).join(', ')}`);
const wants = (row) => positionals.includes(row.part) || (positionals.length === 0 && (values.all || !row.extra));
const report = reporter({ wants, json: values.json });
if (!values.json) console.log(`Node ${process.version}; starts on ${[...nodes().keys()].sort().join(', ')}\n`);
for (const [name, part] of Object.entries(PARTS))
  if (ROWS.some((row) => row.part === name && wants(row))) await part(report);
report.end();
process.exit(0);
