import { AUTHORIZATION, BASE, emulator } from '../kit.mjs';
import { file } from '../processes.mjs';
import { beside } from '../statistics.mjs';

const TIMES = 100;

/** Milliseconds of a page, many times after as many to warm up. */
async function asked(url, headers = { authorization: AUTHORIZATION }) {
  const took = [];
  for (let i = -20; i < TIMES; i += 1) {
    const began = performance.now();
    const answer = await fetch(url, { headers });
    await answer.text();
    if (answer.status !== 200) throw new Error(`${url}: ${answer.status}`);
    if (i >= 0) took.push(performance.now() - began);
  }
  return took;
}

const generated = (name, generate) => {
  const scenario = file(`${name}.yaml`, `generate: ${JSON.stringify(generate)}\n`);
  return emulator(['--scenario', 'default', '--scenario', scenario], { nodeFlags: ['--max-old-space-size=8192'] });
};

/** The same pages of few rows and of many, in turns. */
async function pair(few, many, pathOf, headers) {
  const took = [[], []];
  for (const [i, count] of [
    [0, few],
    [1, many],
    [0, few],
    [1, many],
  ])
    took[i].push(...(await asked(`${count.server.url}${pathOf(count.rows)}`, headers)));
  return beside(took[0].map((ms, i) => [ms, took[1][i]]));
}

const sizes = async (kind, generateOf) => {
  const at = async (rows) => ({ rows, server: await generated(`${kind}-${rows}`, generateOf(rows)) });
  const [few, many] = await Promise.all([at(1000), at(1_000_000)]);
  return { few, many, stop: () => Promise.all([few.server.stop(), many.server.stop()]) };
};

export async function pages(report) {
  const customers = await sizes('customers', (rows) => ({ customers: rows }));
  // The middle: deep cursors are what slow stores are slow at.
  const middle = (rows) => Buffer.from(`customers:${Math.floor(rows / 2)}`).toString('base64url');
  const kinds = {
    first: () => '',
    deep: (rows) => `cursor=${middle(rows)}`,
    filtered: () => 'region=MX&customerType=INDIVIDUAL',
  };
  for (const [kind, query] of Object.entries(kinds)) {
    const path = (rows) => `${BASE}/customers?limit=20&${query(rows)}`;
    report(`page-${kind}`, await pair(customers.few, customers.many, path));
  }
  await customers.stop();
  const past = await sizes('transactions', (rows) => ({ customers: 100, transactions: rows }));
  report('page-transactions', await pair(past.few, past.many, () => `${BASE}/transactions?limit=20`));
  await past.stop();
}

export async function inspector(report) {
  const { few, many, stop } = await sizes('customers', (rows) => ({ customers: rows }));
  report('inspector', await pair(few, many, () => '/inspector/state/customers', { accept: 'text/html' }));
  await stop();
}
