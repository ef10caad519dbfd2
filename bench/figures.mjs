// The figures of the documents, made from bench/report.json and bench/records.json: npm run docs writes them where they stand.
// A row that was never measured has no line.

const thousands = (number) => number.toLocaleString('en');
/** A number with two digits that count, three where the first is 1: more would be of the machine. */
function about(value) {
  const digits = /^[0.]*1/.test(String(value)) ? 3 : 2;
  return thousands(Number(value.toPrecision(digits)));
}
const ms = (value) => (value >= 1000 ? `${about(value / 1000)} s` : `${about(value)} ms`);
const perSecond = (value) => `${about(value)} per second`;
const each = ({ value }) => `${about(1e6 / value)} µs: ${perSecond(value)}`;
const times = ({ ratio }) => `${Number(ratio.toPrecision(2))} times`;
const ofMs = ({ value }) => ms(value);
const seconds = ({ value }) => `${about(value)} s`;

/** [group, what, rows it needs, how it reads, what stands beside it] */
const MEASURED = [
  ['Time', 'a start, until the first answer', ['start-24'], times, () => 'a bare `node:http` server'],
  ['Time', 'a new sandbox', ['create-sandbox'], ofMs],
  ['Time', 'the reset of a sandbox', ['reset'], ofMs],
  ['Time', 'a read by id', ['get'], each, () => 'about a bare Hono route'],
  ['Time', 'a create', ['post'], each],
  ['Time', 'a quote and its execution', ['pay'], each],
  [
    'In a suite',
    '300 tests, a sandbox each, 10 calls a test: time in the emulator',
    ['tests'],
    ({ value }) => `${about(value * 100)} % of the run`,
    ({ reference }) => `${about(reference * 100)} % with a bare Hono server in its place`,
  ],
  [
    'In a suite',
    'the first test of a Vitest file: start of the fixture',
    ['fixture'],
    ofMs,
    ({ reference }) => `${ms(reference)} for a fixture with a bare \`node:http\` server`,
  ],
  [
    'In a suite',
    'a payment, from the call to its verified webhook: p99 at 50 per second',
    ['payment'],
    ofMs,
    ({ reference }) => `${ms(reference)} for a bare Hono server that signs and posts`,
  ],
  [
    'In a suite',
    'type-check of a project that makes every call by its types: more than without',
    ['types'],
    seconds,
    ({ reference }) => `${about(reference)} s without`,
  ],
  [
    'In the inspector',
    'at 60,000 rows: overview, payments, ledger, search; p95',
    ['felt-overview', 'felt-payments', 'felt-ledger', 'felt-search'],
    (...pages) => pages.map(ofMs).join(', '),
  ],
  ['In the inspector', 'a recording of 1,000 calls', ['record'], ofMs],
  ['In the inspector', 'a capsule of 100 calls', ['capsule'], ofMs],
  ['In the inspector', 'a diff of two states of 10,000 rows', ['diff'], ofMs],
  [
    'Much of it',
    '100 MB of CSV',
    ['csv'],
    ({ value }) => `${about(value)} rows per second`,
    ({ reference }) => `${about(reference)} for its parser alone`,
  ],
  [
    'Much of it',
    'a state of 450,000 customers, saved; loaded',
    ['save', 'load'],
    (...both) => both.map(seconds).join('; '),
    (...both) => `${both.map(({ reference }) => `${about(reference)} s`).join('; ')} for its JSON alone`,
  ],
  [
    'Much of it',
    '1,000 mixed calls per second, with webhooks: p99; longest call',
    ['soak-p99', 'soak-slowest'],
    (...both) => both.map(ofMs).join('; '),
    ({ minutes }) => `over ${minutes} minutes`,
  ],
  [
    'Much of it',
    'memory of that at the end',
    ['soak-memory'],
    ({ ratio }) => `${about(ratio)} times`,
    () => 'that after minute 10',
  ],
  ['Memory', 'an idle process', ['idle'], ({ value }) => `${about(value)} MiB`],
  [
    'Memory',
    'a customer with three accounts, one of them a wallet',
    ['customer'],
    ({ value }) => `${about(value / 1000)} KB`,
  ],
  ['Memory', 'a transaction with its posting', ['transaction'], ({ value }) => `${about(value / 1000)} KB`],
  [
    'Memory',
    'a sandbox in use, with three customers, their webhooks and its request log',
    ['sandbox'],
    ({ value }) => `${about(value / 1000)} KB`,
  ],
  [
    'Size',
    'the package; unpacked',
    ['packed', 'unpacked'],
    (...both) => both.map(({ value }) => `${value.toFixed(2)} MB`).join('; '),
  ],
  [
    'Size',
    'its installation by npm',
    ['install'],
    seconds,
    ({ reference }) => `${about(reference)} s for an empty package`,
  ],
  ['A proxy in front', 'HAProxy, for a read or a create', ['proxy'], ({ value }) => `${about(value)} µs`],
];

/** What is not a row: [group, what, record, its figures]. */
const RECORDED = [
  ['Size', 'the executable for Linux on x64; its download', ({ executable }) => executable['linux-x64']],
  ['Size', 'the executable for Linux on arm64; its download', ({ executable }) => executable['linux-arm64']],
  ['Size', 'the executable for Windows; its download', ({ executable }) => executable['windows-x64']],
  ['Size', 'the image for amd64, compressed; for arm64', ({ image }) => `${image.amd64}; ${image.arm64}`],
  ['Other tools', "Prism: a start with this API's OpenAPI document", ({ prism }) => prism.start, 'a bare `node`'],
  ['Other tools', 'Prism: reads', ({ prism }) => prism.reads, 'those of this emulator'],
  ['A proxy in front', 'HAProxy, for a quote and its execution', ({ proxy }) => proxy.quote],
  ['A proxy in front', 'HAProxy, reads by id on the test machine', ({ proxy }) => proxy.reads],
  [
    'Under load, on processors that are shared',
    'the longest wait for a collection of garbage',
    ({ garbage }) => `${garbage.shared}, above about ${garbage.above}`,
  ],
  [
    'Under load, on processors that are shared',
    'the same with free processors, or below that',
    ({ garbage }) => garbage.free,
  ],
];

const TITLES = [
  'Time',
  'In a suite',
  'In the inspector',
  'Much of it',
  'Memory',
  'Size',
  'Other tools',
  'A proxy in front',
  'Under load, on processors that are shared',
];

/** Every figure by group: `[{title, figures: [{what, is, beside}]}]`. */
export function figuresOf({ rows }, records) {
  const kept = Object.fromEntries(Object.entries(records).map(([name, { figures }]) => [name, figures]));
  const measured = MEASURED.filter(([, , needs]) => needs.every((id) => rows[id])).map(
    ([title, what, needs, is, beside = () => '']) => {
      const found = needs.map((id) => rows[id]);
      const compared = found.every((row) => row.reference !== undefined) || beside.length === 0;
      return { title, what, is: is(...found), beside: compared ? beside(...found) : '' };
    },
  );
  const recorded = RECORDED.map(([title, what, is, beside = '']) => ({ title, what, is: is(kept), beside }));
  const all = [...measured, ...recorded];
  return TITLES.map((title) => ({
    title,
    figures: all.filter((figure) => figure.title === title).map(({ what, is, beside }) => ({ what, is, beside })),
  })).filter(({ figures }) => figures.length > 0);
}

const table = (head, lines) => [head, head.replaceAll(/[^|]+/g, '---'), ...lines].join('\n');
const line = (...cells) => `| ${cells.join(' | ')} |`;

/** The blocks of the documents, by file and by the name in their markers. */
export function blocksOf(report, records) {
  const { rows, runs } = report;
  const groups = figuresOf(report, records).map(({ title, figures }) =>
    table(
      line(title, 'Figure', 'Beside'),
      figures.map(({ what, is, beside }) => line(what, is, beside)),
    ),
  );
  const head = `Measured by \`npm run bench\` ${measuredIn(runs)}. Run it in a checkout to measure yours. What it does not measure (other tools, executables, images, a loaded machine) is of ${recordedIn(records)}.`;
  const { quote } = records.proxy.figures;
  const cost = (name, id, proxy, cores) =>
    line(name, each(rows[id]), proxy, `${perSecond(rows[id].value * EMULATORS)}, with ${cores} for the proxy`);
  const read = `${about(rows.proxy.value)} µs`;
  const proxies = table(line('Request', 'Emulator', 'Proxy', 'Three emulators and proxy, each on its own cores'), [
    cost('a read by id', 'get', read, 'three to four cores'),
    cost('a create', 'post', read, 'one to two cores'),
    cost('a quote and its execution', 'pay', quote, 'a core'),
  ]);
  const { start, reads } = records.prism.figures;
  const speed = table(line('', 'This emulator', 'Prism'), [
    line(
      'Start',
      `${times(rows['start-24'])} a bare \`node:http\` server`,
      `${start} a bare \`node\`, with this API's OpenAPI document`,
    ),
    line('Read', 'about the cost of a bare Hono route', `serves ${reads} as many reads`),
    line('New sandbox', ms(rows['create-sandbox'].value), ''),
  ]);
  return {
    'docs/scale.md': { figures: `${head}\n\n${groups.join('\n\n')}`, proxy: proxies },
    'docs/comparison.md': { speed },
  };
}

const EMULATORS = 3;
/** When and where, each machine once: "in 2026-11 and on 2026-11-25, with Node 24.21.0 on 2 cores". */
function measuredIn(runs) {
  const places = new Map();
  for (const { date, machine, node } of runs) {
    const place = `with Node ${node.slice(1)} on ${machine}`;
    const day = date.length > '2026-11'.length ? `on ${date}` : `in ${date}`;
    places.set(place, new Set(places.get(place)).add(day));
  }
  return [...places].map(([place, days]) => `${[...days].join(' and ')}, ${place}`).join('; ');
}

const recordedIn = (records) => [...new Set(Object.values(records).map(({ measured }) => measured))].join(', ');
