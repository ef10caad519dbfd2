// What --compare measures of two builds: less is better in all, and processor time is taken where there is any, since another
// program on the machine changes it least. `open` prepares a build; `measure` is called in turns with the other build's.
import { load } from './load.mjs';
import { imported } from './parts/csv.mjs';
import { idleOf } from './parts/idle.mjs';
import { importOf } from './parts/import.mjs';
import { memoryOf } from './parts/memory.mjs';
import { ready } from './parts/requests.mjs';
import { sandboxesOf } from './parts/sandboxes.mjs';
import { REST, startOf } from './parts/start.mjs';
import { stateOf } from './parts/state.mjs';
import { walletOf } from './parts/wallet.mjs';
import { sender } from './parts/webhooks.mjs';
import { fileName } from './processes.mjs';
import { median } from './statistics.mjs';

/** Something that needs no preparation. */
const once = (measure) => async (build) => ({ measure: () => measure(build), close: () => {} });

const request = (name) => ({
  part: 'requests',
  unit: 'µs CPU a request',
  open: async (build) => {
    const { server, requests } = await ready(build);
    const [path, options] = requests[name];
    await load(server, path, { ...options, seconds: 2 });
    return {
      measure: async () => (await load(server, path, { ...options, seconds: 2 })).cpuUs,
      close: () => server.stop(),
    };
  },
});

const sandbox = (name) => ({
  part: 'sandboxes',
  unit: 'ms CPU',
  open: once(async (build) => median((await sandboxesOf(build))[name].map(([, ours]) => ours.cpuMs))),
});

const flow = (name) => ({
  part: 'wallet',
  unit: 'ms CPU',
  open: once(async (build) => median((await walletOf(build, 3))[name].map(({ cpuMs }) => cpuMs))),
});

/** Fewer customers than in the table: a ratio needs no more. */
const CUSTOMERS = 50_000;
const state = (member) => ({
  part: 'state',
  unit: `s CPU of ${CUSTOMERS.toLocaleString('en')} customers`,
  open: once(async (build) => (await stateOf(build, CUSTOMERS, fileName('compared.json')))[member]),
});

export const MEASURES = {
  'spawn to first 200': {
    part: 'start',
    unit: 'ms CPU',
    open: async (build) => {
      // Leaves its compiled code to those that follow.
      await startOf(undefined, build, REST);
      return { measure: async () => (await startOf(undefined, build)).cpuMs, close: () => {} };
    },
  },
  'import and startEmulator': { part: 'import', unit: 'ms', open: once(importOf) },
  'GET /customers/{id}': request('get'),
  'GET /customers?limit=20': request('list'),
  'POST /customers': request('post'),
  'quote and execute': request('pay'),
  'memory of a customer': {
    part: 'memory',
    unit: 'B',
    open: once(async (build) => (await memoryOf(build, 'customers', 50_000)).value),
  },
  'memory of a transaction': {
    part: 'memory',
    unit: 'B',
    open: once(async (build) => (await memoryOf(build, 'transactions', 50_000)).value),
  },
  createSandbox: sandbox('create-sandbox'),
  reset: sandbox('reset'),
  'fork of 100,000 customers': sandbox('fork'),
  'idle memory': { part: 'idle', unit: 'MiB', open: once(idleOf) },
  'state saved': state('saveCpu'),
  'state loaded': state('loadCpu'),
  'CSV, a row': {
    part: 'csv',
    unit: 'µs CPU',
    open: once(async (build) => (await imported(build, 5_000_000)).cpuUs),
  },
  'OTP login': flow('otp'),
  'passkey login': flow('passkey'),
  'signed retry': flow('retry'),
  'a webhook': {
    part: 'webhooks',
    unit: 'µs CPU',
    open: async (build) => {
      const { send, stop } = await sender(build, 2000);
      await send();
      return { measure: async () => (await send()).cpuUs, close: stop };
    },
  },
};
