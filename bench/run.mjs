// npm run bench [-- <part> ...]: every figure beside a reference measured in the same run. Never part of the tests.
import { spawn } from 'node:child_process';
import http from 'node:http';
import { BIN, CUSTOMER, call, emulator, figure, file, load, median, reference, round } from './kit.mjs';

const BASE = '/2025-10-13';
const HERE = new URL('.', import.meta.url).pathname;

/** Milliseconds from spawn to the first 200. */
function untilFirst200(args, port, path) {
  const started = performance.now();
  const child = spawn(process.execPath, args, { stdio: 'ignore' });
  return new Promise((resolve) => {
    const ask = () => {
      const request = http.get({ port, host: '127.0.0.1', path, agent: false }, (response) => {
        response.resume();
        if (response.statusCode !== 200) return setTimeout(ask, 1);
        const took = performance.now() - started;
        child.once('exit', () => resolve(took));
        child.kill('SIGKILL');
      });
      request.on('error', () => setTimeout(ask, 1));
    };
    ask();
  });
}

const parts = {
  async 'start-up'() {
    const bareFile = file(
      'bare.mjs',
      "import{createServer}from'node:http';createServer((q,r)=>{r.setHeader('content-type','application/json');r.end('{\"ok\":true}')}).listen(+process.argv[2],'127.0.0.1')",
    );
    const [bare, ours] = [[], []];
    for (let i = 0; i < 11; i += 1) {
      bare.push(await untilFirst200([bareFile, '45871'], 45871, '/'));
      ours.push(await untilFirst200([BIN, '--port', '45872', '--log', 'off'], 45872, '/_emulator/health'));
    }
    const ratio = median(ours) / median(bare);
    figure(
      'spawn to first 200, ms (bare node:http)',
      `${round(median(ours), 0)} (${round(median(bare), 0)}) = ${round(ratio)} x`,
      'at most 2.0 x',
      ratio <= 2,
    );
  },

  async throughput() {
    const [bare, ours] = [await reference('hono'), await emulator()];
    const created = [];
    for (let i = 0; i < 20; i += 1)
      created.push(JSON.parse((await call(`${ours.url}${BASE}/customers`, { method: 'POST', body: CUSTOMER })).text));
    await call(`${bare.url}/seed`, { method: 'POST', body: created });
    const { id } = created[0];
    const rows = { get: [[], []], list: [[], []], post: [[], []] };
    load(`${bare.url}/customers/${id}`, { seconds: 2 });
    load(`${ours.url}${BASE}/customers/${id}`, { seconds: 2 });
    for (let i = 0; i < 5; i += 1) {
      rows.get[0].push(load(`${bare.url}/customers/${id}`));
      rows.get[1].push(load(`${ours.url}${BASE}/customers/${id}`));
      rows.list[0].push(load(`${bare.url}/customers?limit=20`));
      rows.list[1].push(load(`${ours.url}${BASE}/customers?limit=20`));
    }
    for (let i = 0; i < 5; i += 1) {
      rows.post[0].push(load(`${bare.url}/customers`, { body: CUSTOMER }));
      rows.post[1].push(load(`${ours.url}${BASE}/customers`, { body: CUSTOMER }));
    }
    const line = (name, [b, o], target) => {
      const ratio = median(o) / median(b);
      figure(
        `${name}, requests/s (bare Hono)`,
        `${round(median(o), 0)} (${round(median(b), 0)}) = ${round(ratio)} x`,
        target ? `at least ${target} x` : '',
        target ? ratio >= target : undefined,
      );
    };
    line('GET /customers/{id}', rows.get, 0.6);
    line('POST /customers', rows.post, 0.3);
    line('GET /customers?limit=20', rows.list);
    await Promise.all([bare.stop(), ours.stop()]);
  },

  async pages() {
    const times = {};
    for (const customers of [1000, 100_000, 1_000_000]) {
      const scenario = file(`load-${customers}.yaml`, `generate: { customers: ${customers} }\n`);
      const ours = await emulator(['--scenario', 'default', '--scenario', scenario], {
        nodeFlags: ['--max-old-space-size=8192'],
      });
      // Walk to the middle: deep cursors are what slow stores are slow at.
      const middle = Buffer.from(`customers:${Math.floor(customers / 2)}`).toString('base64url');
      const page = async (query) => {
        const ms = [];
        for (let i = 0; i < 120; i += 1) {
          const answer = await call(`${ours.url}${BASE}/customers?limit=20&${query}`);
          if (answer.status !== 200) throw new Error(answer.text);
          if (i >= 20) ms.push(answer.ms);
        }
        return median(ms);
      };
      times[customers] = {
        first: await page(''),
        deep: await page(`cursor=${middle}`),
        filtered: await page('region=MX&customerType=INDIVIDUAL'),
      };
      await ours.stop();
    }
    for (const kind of ['first', 'deep', 'filtered']) {
      const [small, medium, large] = Object.values(times).map((t) => t[kind]);
      const ratio = large / small;
      figure(
        `page of 20, ${kind}, ms at 1,000 / 100,000 / 1,000,000`,
        `${round(small)} / ${round(medium)} / ${round(large)} = ${round(ratio)} x`,
        kind === 'deep' ? 'at most 2 x' : '',
        kind === 'deep' ? ratio <= 2 : undefined,
      );
    }
  },

  async memory() {
    const { execFileSync } = await import('node:child_process');
    const text = execFileSync(process.execPath, ['--expose-gc', '--max-old-space-size=8192', `${HERE}memory.mjs`], {
      encoding: 'utf8',
    });
    const { perCustomer, perTransaction, createSandboxMs, resetMs, secondMs } = JSON.parse(text);
    figure(
      'memory a customer with its three accounts at 1,000,000, bytes',
      round(perCustomer, 0),
      'at most 3,072',
      perCustomer <= 3072,
    );
    figure(
      'memory a transaction with its posting, bytes',
      round(perTransaction, 0),
      'at most 3,072',
      perTransaction <= 3072,
    );
    figure('createSandbox, ms', round(createSandboxMs), 'at most 2', createSandboxMs <= 2);
    figure('reset of the default scenario, ms', round(resetMs), 'at most 2', resetMs <= 2);
    figure('a second emulator in the process, port 0, ms', round(secondMs), 'at most 5', secondMs <= 5);
    const ours = await emulator();
    await call(`${ours.url}${BASE}/config`);
    const idle = ours.rss();
    figure('idle resident memory, MiB', round(idle, 0), 'at most 80', idle <= 80);
    await ours.stop();
    const logging = await emulator();
    const before = logging.rss();
    let made = 0;
    for (let round_ = 0; made < 100_000 && round_ < 60; round_ += 1)
      made += load(`${logging.url}${BASE}/customers`, { seconds: 2, body: CUSTOMER }) * 2;
    figure(
      `resident memory after ${round(made, 0)} creates, MiB (before)`,
      `${round(logging.rss(), 0)} (${round(before, 0)})`,
      'the log is capped at 1,000 requests',
    );
    await logging.stop();
  },

  async webhooks() {
    const [receiver, idle] = [await reference('receiver'), await reference('receiver')];
    const ours = await emulator(['--webhook-url', `${receiver.url}/hooks`]);
    const bare = load(idle.url, { seconds: 2, body: CUSTOMER });
    const started = performance.now();
    const creates = load(`${ours.url}${BASE}/customers`, { seconds: 3, body: CUSTOMER });
    const count = JSON.parse((await call(`${ours.url}${BASE}/customers?limit=1`)).text).totalCount;
    while (Number((await call(receiver.url)).text) < count) await new Promise((resolve) => setTimeout(resolve, 5));
    const took = performance.now() - started;
    figure(
      'webhook deliveries/s, signed and sent while creating (receiver alone)',
      `${round((count / took) * 1000, 0)} (${round(bare, 0)})`,
    );
    figure('creates/s meanwhile', round(creates, 0));
    await ours.stop();
    await Promise.all([receiver.stop(), idle.stop()]);

    const held = await emulator(['--webhook-url', 'http://127.0.0.1:9', '--hold-clock']);
    const runs = [];
    for (let i = 0; i < 5; i += 1) {
      await call(`${held.url}/_emulator/reset`, { method: 'POST' });
      await call(`${held.url}${BASE}/customers`, { method: 'POST', body: CUSTOMER });
      const answer = await call(`${held.url}/_emulator/clock`, { method: 'POST', body: { advance: 'P8D' } });
      runs.push(answer.ms);
      if (JSON.parse(answer.text).ran.length < 160) throw new Error('fewer than 160 retries');
    }
    // What the same number of refused connections costs a bare client.
    const refused = [];
    for (let i = 0; i < 161; i += 1) {
      const begun = performance.now();
      await call('http://127.0.0.1:9').catch(() => {});
      refused.push(performance.now() - begun);
    }
    const own = median(runs) - refused.reduce((a, b) => a + b, 0);
    figure(
      '160 retries over 7 virtual days, ms beyond the connections (in all)',
      `${round(Math.max(own, 0), 0)} (${round(median(runs), 0)})`,
      'under 100',
      own < 100,
    );
    await held.stop();
  },

  async money() {
    const scenario = file('money.yaml', 'platform: { currencies: [{ code: USD }, { code: MXN }] }\n');
    const [bare, ours] = [await reference('hono'), await emulator(['--scenario', scenario])];
    const post = async (path, body) => {
      const answer = await call(`${ours.url}${BASE}${path}`, { method: 'POST', body });
      if (answer.status >= 300) throw new Error(answer.text);
      return JSON.parse(answer.text);
    };
    const { data } = JSON.parse((await call(`${ours.url}${BASE}/platform/internal-accounts?currency=USD`)).text);
    await post(`/sandbox/internal-accounts/${data[0].id}/fund`, { amount: 100_000_000_000 });
    const { id: accountId } = await post('/platform/external-accounts', {
      currency: 'MXN',
      accountInfo: {
        accountType: 'MXN_ACCOUNT',
        clabeNumber: '646180157000004900',
        beneficiary: { beneficiaryType: 'INDIVIDUAL', fullName: 'Nora Lind' },
      },
    });
    const quote = {
      source: { sourceType: 'ACCOUNT', accountId: data[0].id },
      destination: { destinationType: 'ACCOUNT', accountId },
      lockedCurrencySide: 'SENDING',
      lockedCurrencyAmount: 12_345,
    };
    const payOnce = async () => post(`/quotes/${(await post('/quotes', quote)).id}/execute`);
    const storeOnce = async () => {
      await call(`${bare.url}/customers`, { method: 'POST', body: quote });
      await call(`${bare.url}/customers`, { method: 'POST', body: quote });
    };
    const rate = async (work, count) => {
      const started = performance.now();
      await Promise.all(
        Array.from({ length: 10 }, async () => {
          for (let i = 0; i < count / 10; i += 1) await work();
        }),
      );
      return count / ((performance.now() - started) / 1000);
    };
    const rates = [[], []];
    for (let i = 0; i < 5; i += 1) {
      rates[0].push(await rate(storeOnce, 2000));
      rates[1].push(await rate(payOnce, 1000));
    }
    const [b, o] = rates.map(median);
    figure(
      'quote and execute, payments/s (two bare Hono POSTs)',
      `${round(o, 0)} (${round(b, 0)}) = ${round(o / b)} x`,
    );
    await Promise.all([bare.stop(), ours.stop()]);

    const times = [];
    for (const transactions of [1000, 1_000_000]) {
      const past = file(`past-${transactions}.yaml`, `generate: { customers: 100, transactions: ${transactions} }\n`);
      const started = await emulator(['--scenario', 'default', '--scenario', past], {
        nodeFlags: ['--max-old-space-size=8192'],
      });
      const ms = [];
      for (let i = 0; i < 120; i += 1) {
        const answer = await call(`${started.url}${BASE}/transactions?limit=20`);
        if (answer.status !== 200) throw new Error(answer.text);
        if (i >= 20) ms.push(answer.ms);
      }
      times.push(median(ms));
      await started.stop();
    }
    const [small, large] = times;
    figure(
      'transactions, page of 20, ms at 1,000 / 1,000,000',
      `${round(small)} / ${round(large)} = ${round(large / small)} x`,
      'at most 2 x',
      large / small <= 2,
    );
  },

  async wallet() {
    const { walletBench } = await import('./wallet.mjs');
    await walletBench();
  },

  async load() {
    const bare = [];
    const loaded = [];
    for (let i = 0; i < 3; i += 1) {
      bare.push(await untilFirst200([BIN, '--port', '45872', '--log', 'off'], 45872, '/_emulator/health'));
      const args = [BIN, '--port', '45872', '--log', 'off', '--scenario', 'load-10k'];
      loaded.push(await untilFirst200(args, 45872, '/_emulator/health'));
    }
    const ms = median(loaded) - median(bare);
    figure('10,000 customers and 50,000 payments of the past, ms beyond a start', round(ms, 0));
    const ours = await emulator(['--scenario', 'load-10k']);
    for (const path of ['/', '/inspector/state/transactions', '/inspector/state/customers']) {
      const times = [];
      for (let i = 0; i < 20; i += 1) {
        const from = performance.now();
        const answer = await fetch(`${ours.url}${path}`, { headers: { accept: 'text/html' } });
        await answer.text();
        if (answer.status !== 200) throw new Error(`${path}: ${answer.status}`);
        times.push(performance.now() - from);
      }
      figure(`inspector ${path} of it, ms`, round(median(times), 1));
    }
    await ours.stop();
  },

  async bulk() {
    const { bulk } = await import('./bulk.mjs');
    const { created, refused } = await bulk();
    const line = (name, { rows, rowsPerSecond, peakMiBAboveIdle, slowestRequestMs }, keeps) => {
      figure(`${name}: rows/s of ${rows}`, rowsPerSecond, 'at least 20,000', rowsPerSecond >= 20_000);
      figure(
        `${name}: peak MiB above idle`,
        peakMiBAboveIdle,
        keeps ? 'the customers themselves' : 'under 300',
        keeps ? undefined : peakMiBAboveIdle < 300,
      );
      figure(`${name}: slowest other request meanwhile, ms`, slowestRequestMs);
    };
    line('100 MB CSV, every row created', created, true);
    line('100 MB CSV, every row refused', refused, false);
  },
};

const wanted = process.argv.slice(2);
for (const [name, part] of Object.entries(parts)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  console.log(`\n${name}`);
  await part();
}
