// What the first test of a file waits for: the import of the fixture, its emulator, and the first sandbox.
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { THIS } from '../kit.mjs';
import { fileName, output } from '../processes.mjs';
import { beside, short } from '../statistics.mjs';

const FILES = 11;
const PACKAGE = ['package.json', 'bin', 'dist'];

/** Milliseconds since `from`, and of those on a processor since `busy`. */
const TOOK = `(() => {
  const { user, system } = process.cpuUsage(busy);
  return performance.now() - from + ' ' + (user + system) / 1000;
})()`;
const FROM = 'const [from, busy] = [performance.now(), process.cpuUsage()];';

const OURS = `
${FROM}
const { test } = await import('sandbox-emulator/vitest');
test('first', ({ sandbox }) => appendFileSync(process.env.TOOK + '.ours', ${TOOK} + ' ' + sandbox.id + '\\n'));
`;
const BARE = `
${FROM}
const { createServer } = await import('node:http');
const { test: plain } = await import('vitest');
const test = plain.extend({
  server: [
    async ({}, use) => {
      const server = createServer((_request, response) => response.end('{}'));
      await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
      await use(server);
      server.close();
    },
    { scope: 'worker' },
  ],
});
test('first', ({ server }) => appendFileSync(process.env.TOOK + '.bare', ${TOOK} + ' ' + server.listening + '\\n'));
`;

export async function fixture(report) {
  const folder = fileName('fixture');
  const modules = join(folder, 'node_modules');
  mkdirSync(join(modules, 'sandbox-emulator'), { recursive: true });
  symlinkSync(join(THIS, 'node_modules/vitest'), join(modules, 'vitest'));
  // A copy, as installed: what is linked, Vitest would transform.
  for (const name of PACKAGE) cpSync(join(THIS, name), join(modules, 'sandbox-emulator', name), { recursive: true });
  for (let n = 0; n < FILES; n += 1)
    for (const [kind, text] of [
      ['ours', OURS],
      ['bare', BARE],
    ])
      writeFileSync(join(folder, `${n}-${kind}.test.js`), `import { appendFileSync } from 'node:fs';${text}`);
  const took = fileName('took');
  const vitest = join(THIS, 'node_modules/vitest/vitest.mjs');
  await output(process.execPath, [vitest, 'run', '--no-file-parallelism'], { cwd: folder, env: { TOOK: took } });
  const read = (kind) =>
    readFileSync(`${took}.${kind}`, 'utf8')
      .trim()
      .split('\n')
      .map((line) => line.split(' ').map(Number));
  const [bare, ours] = [read('bare'), read('ours')];
  const of = (member) => beside(ours.map((each, i) => [bare[i][member], each[member]]));
  const { value: cpu } = of(1);
  report('fixture', { ...of(0), note: `${short(cpu)} ms of a processor` });
}
