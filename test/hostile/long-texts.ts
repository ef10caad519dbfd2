import { type Watch, WatchedHost } from './host.ts';
import type { Plan } from './plan.ts';

const JSON_TYPE = { 'content-type': 'application/json' };
const EDGE = 'edge-of-a-part';
const MIB = 1024 * 1024;

const numbered = (count: number, line: (i: number) => string, between = '\n'): string =>
  Array.from({ length: count }, (_, i) => line(i)).join(between);

/** YAML that is long, deep, wrong without end, or that unfolds to much more than it is. */
const YAML: readonly string[] = [
  '- '.repeat(5000),
  '? '.repeat(5000),
  '['.repeat(30_000),
  '{a: '.repeat(30_000),
  `a: [${','.repeat(60_000)}`,
  `x: ${'['.repeat(5000)}${']'.repeat(5000)}`,
  numbered(500, (i) => `${' '.repeat(i)}a:`),
  numbered(9, (i) => `x${i}: &x${i} [${numbered(9, () => (i ? `*x${i - 1}` : 'x'), ', ')}]`),
  `a: &a [*a]\n${'b: *a\n'.repeat(2000)}`,
  `a: ${'"'.repeat(50_000)}`,
  `a: |\n${' x\n'.repeat(30_000)}`,
  '---\n'.repeat(20_000),
  '!!omap '.repeat(10_000),
  `customers:\n${'  - { customerType: 7 }\n'.repeat(3000)}`,
];
/** The same of JSON. */
const JSONS: readonly string[] = [
  '['.repeat(500_000),
  `${'['.repeat(50_000)}${']'.repeat(50_000)}`,
  `${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`,
  `{"a":${'['.repeat(99)}${']'.repeat(99)}}`,
  `{${numbered(60_000, (i) => `"k${i}":${i}`, ',')}}`,
  `[${'0,'.repeat(300_000)}0]`,
  `{"fullName":"${'\\u0041'.repeat(100_000)}"}`,
  `{"a":${'9'.repeat(300_000)}}`,
  `"${'\\'.repeat(99_999)}"`,
];
const HEADER = 'umaAddress,platformCustomerId,customerType,fullName';
const CSV: readonly string[] = [
  `${HEADER}\n${'x'.repeat(MIB)}`,
  `${HEADER}\n${'"'.repeat(MIB)}`,
  `${HEADER}\n"${'""'.repeat(400_000)}"\n`,
  `${HEADER}\n${','.repeat(500_000)}`,
  `${numbered(20_000, (i) => `c${i}`, ',')}\n1,2\n`,
  '\r\n'.repeat(300_000),
];
const part = (headers: string, content = 'x'): string => `--${EDGE}\r\n${headers}\r\n\r\n${content}\r\n`;
const MULTIPART: readonly string[] = [
  ...CSV.map((text) => part('content-disposition: form-data; name="file"; filename="people.csv"', text)),
  part('content-disposition: form-data; name="a"').repeat(10_000),
  part('content-disposition: form-data; name="file"; filename="x"').repeat(10_000),
  part(`content-disposition: form-data; name="${'a'.repeat(MIB)}"`),
  part(`${'h: 1\r\n'.repeat(20_000)}content-disposition: form-data; name="file"`),
  part('content-disposition: form-data; name="file"', `\r\n--${EDGE.slice(0, -1)}`.repeat(50_000)),
].map((text) => `${text}--${EDGE}--\r\n`);

type Sent = Pick<Plan, 'method' | 'path' | 'body' | 'headers'>;

/** Every door behind which a text is parsed, with all the texts that are meant for its parser. */
function* sent(basePath: string): Generator<Sent> {
  const json = (method: string, path: string, body: string): Sent => ({ method, path, body, headers: JSON_TYPE });
  for (const text of YAML) {
    yield json('POST', '/_emulator/scenarios/check', JSON.stringify({ text }));
    yield json('POST', '/_emulator/sandboxes', JSON.stringify({ scenario: text }));
    const call = { name: 'scenario', arguments: { act: 'check', text } };
    yield json('POST', '/_emulator/mcp', JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: call }));
  }
  for (const text of JSONS) {
    for (const path of ['/customers', '/quotes', '/customers/external-accounts', '/agents'])
      yield json('POST', `${basePath}${path}`, text);
    for (const path of ['sandboxes', 'faults', 'record', 'clock', 'reset', 'trigger', 'mcp'])
      yield json('POST', `/_emulator/${path}`, text);
    yield json('PUT', '/_emulator/state', text);
    yield json('POST', '/_emulator/sandboxes', `{"scenario":${text}}`);
  }
  for (const body of MULTIPART)
    for (const path of ['/customers/bulk/csv', '/documents']) {
      const headers = { 'content-type': `multipart/form-data; boundary=${EDGE}` };
      yield { method: 'POST', path: `${basePath}${path}`, body, headers };
    }
  const forms = { 'content-type': 'application/x-www-form-urlencoded' };
  for (const body of ['a=1&'.repeat(20_000), '%'.repeat(100_000), `outcome=${'x'.repeat(200_000)}`])
    for (const path of ['/inspector/clock', '/inspector/state', '/kyc/x'])
      yield { method: 'POST', path, body, headers: forms };
}

/** Sends long and deep texts to everything that parses one: the process lives on, and each is refused or taken in order. */
export async function longTexts(seed: number, watch: Watch): Promise<void> {
  watch.input = -1;
  const watched = await WatchedHost.open({ seed, scenario: 'default' }, watch);
  const sandbox = watched.host.default;
  const [login] = sandbox.credentials;
  const authorization = `Basic ${Buffer.from(`${login?.tokenId}:${login?.secret}`).toString('base64')}`;
  for (const { method, path, body, headers } of sent(watched.host.basePath)) {
    // Errors of JSON-RPC are not those of the API.
    const isControl = path.startsWith('/_emulator') && !path.endsWith('/mcp');
    const kind = isControl ? 'control' : path.startsWith(watched.host.basePath) ? 'api' : 'page';
    const plan: Plan = {
      target: `${method} ${path} with a long text`,
      kind,
      method,
      path,
      query: '',
      headers: kind === 'api' ? { authorization, ...headers } : { ...headers },
      mutations: [],
    };
    if (path.endsWith('/mcp')) plan.headers['accept'] = 'application/json, text/event-stream';
    plan.body = body;
    await watched.ask(plan, sandbox);
    for (const one of [...watched.host.sandboxes].slice(1)) watched.host.drop(one);
  }
  watched.end();
}
