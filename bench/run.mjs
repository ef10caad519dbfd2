// npm run bench [-- <part or group> ...] [--json] [--all] [--compare <ref>]: the table, each row beside a reference measured in
// the same run; groups are `felt` and `heavy`. NODES=<folder made by .ci/nodes> starts with those Nodes too. --report keeps what
// was measured in bench/report.json, --minutes N is how long the soak takes (2). Never part of the tests.
import { parseArgs } from 'node:util';
import { keep } from './keep.mjs';
import { nodes } from './kit.mjs';
import { acts } from './parts/acts.mjs';
import { csv } from './parts/csv.mjs';
import { exam } from './parts/exam.mjs';
import { executable } from './parts/executable.mjs';
import { feltPages } from './parts/felt-pages.mjs';
import { fixture } from './parts/fixture.mjs';
import { idle } from './parts/idle.mjs';
import { importing } from './parts/import.mjs';
import { load10k } from './parts/load-10k.mjs';
import { memory } from './parts/memory.mjs';
import { npx } from './parts/npx.mjs';
import { packaged } from './parts/package.mjs';
import { inspector, pages } from './parts/pages.mjs';
import { payment } from './parts/payment.mjs';
import { proxy } from './parts/proxy.mjs';
import { requests } from './parts/requests.mjs';
import { sandboxes } from './parts/sandboxes.mjs';
import { soak } from './parts/soak.mjs';
import { start } from './parts/start.mjs';
import { state } from './parts/state.mjs';
import { suite } from './parts/suite.mjs';
import { tests } from './parts/tests.mjs';
import { types } from './parts/types.mjs';
import { wallet } from './parts/wallet.mjs';
import { retries, webhooks } from './parts/webhooks.mjs';
import { fail } from './processes.mjs';
import { reporter } from './report.mjs';
import { GROUPS, partsOf, ROWS } from './rows.mjs';

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
  tests,
  fixture,
  'felt-pages': feltPages,
  acts,
  exam,
  payment,
  package: packaged,
  types,
  soak,
};

process.on('uncaughtException', (error) => fail(error.stack));
process.on('unhandledRejection', (error) => fail(error.stack ?? error));

const { values, positionals } = parseArgs({
  options: {
    all: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    report: { type: 'boolean', default: false },
    minutes: { type: 'string', default: '2' },
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

const named = partsOf(positionals, Object.keys(PARTS));
const strange = positionals.find((name) => !partsOf([name], Object.keys(PARTS)));
if (strange !== undefined)
  fail(`no part ${strange}; there are ${Object.keys(PARTS).join(', ')}, and groups ${Object.keys(GROUPS).join(', ')}`);
const minutes = Number(values.minutes);
if (!(minutes > 0)) fail(`--minutes: not a number above 0: ${values.minutes}`);
const wants = (row) => named.includes(row.part) || (named.length === 0 && (values.all || !row.extra));
const report = reporter({ wants, json: values.json });
if (!values.json) console.log(`Node ${process.version}; starts on ${[...nodes().keys()].sort().join(', ')}\n`);
for (const [name, part] of Object.entries(PARTS))
  if (ROWS.some((row) => row.part === name && wants(row))) await part(report, { minutes });
const rows = report.end();
if (values.report) console.error(`${keep(rows)} of ${rows.length} rows kept in bench/report.json: npm run docs`);
process.exit(0);
