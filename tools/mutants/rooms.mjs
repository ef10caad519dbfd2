import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Files that declare, describe or draw: what decides is in the others. */
const DECIDES = /\.ts$/;
const DECLARES = /(?:^|\/)(?:index|schema|row|story|magic|machine|limits|show)\.ts$/;

/** The suite in which everything happens to everything, asked last. */
const SIMULATION = 'test/house/simulation.test.ts';

/** Rooms whose code decides about money, time and permission, and the tests that reach it, nearest first. */
const ROOMS = [
  {
    folder: 'src/ledger',
    tests: ['test/ledger', 'test/control/ledger.test.ts', 'test/control/state-of-money.test.ts', 'test/areas/quotes'],
  },
  { folder: 'src/areas/quotes', tests: ['test/areas/quotes', 'test/areas/agents', 'test/areas/ends'] },
  { folder: 'src/areas/agents', tests: ['test/areas/agents', 'test/areas/ends', 'test/testkit/agent.test.ts'] },
  { folder: 'src/areas/cards', tests: ['test/areas/cards', 'test/areas/delegated-keys', 'test/areas/ends'] },
  {
    folder: 'src/areas/webhooks',
    tests: [
      'test/areas/webhooks',
      'test/control/webhook-bodies.test.ts',
      'test/control/faults.test.ts',
      'test/control/under-way.test.ts',
    ],
  },
  {
    folder: 'src/engine',
    files: /\/(?:scheduler|due-queue|alarm|clock|decide-later|turns)\.ts$/,
    tests: [
      'test/engine',
      'test/control/clock.test.ts',
      'test/control/held-jobs.test.ts',
      'test/control/lives.test.ts',
      'test/areas/webhooks',
    ],
  },
  {
    folder: 'src/areas/signing',
    tests: [
      'test/areas/wallet',
      'test/areas/quotes/execute.test.ts',
      'test/areas/delegated-keys',
      'test/testkit/wallet-client.test.ts',
    ],
  },
  { folder: 'src/areas/sca', tests: ['test/areas/sca', 'test/areas/quotes/authorize.test.ts', 'test/areas/ends'] },
];

/** Test files at a path, which may be a folder. */
function testsAt(path) {
  if (path.endsWith('.test.ts')) return [path];
  const found = readdirSync(path).filter((name) => name.endsWith('.test.ts'));
  // What takes long comes after what is as likely to find it.
  const isSlow = (name) => /simulation|model|hanging|memory/.test(name);
  return found.sort((a, b) => Number(isSlow(a)) - Number(isSlow(b))).map((name) => join(path, name));
}

/** Every file that decides, with the test files that it is held against. */
export const FILES = ROOMS.flatMap(({ folder, files = DECIDES, tests }) =>
  readdirSync(folder)
    .map((name) => join(folder, name))
    .filter((file) => files.test(file) && !DECLARES.test(file))
    .map((file) => ({ file, tests: [...tests.flatMap(testsAt), SIMULATION] })),
);
