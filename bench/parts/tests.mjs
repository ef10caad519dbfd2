// A user's suite: what part of its time is the emulator's.
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BASE, emulator, reference, THIS } from '../kit.mjs';
import { fileName, output } from '../processes.mjs';
import { beside, inTurns } from '../statistics.mjs';

const FILES = 10;
const TESTS = 30;
const ROUNDS = 3;

/** A file of tests: each has a token of its own, which is a sandbox, and makes ten calls. */
const text = (file) => `import { expect, test } from 'vitest';
const customer = ${JSON.stringify({ customerType: 'INDIVIDUAL', fullName: 'Ada Keller' })};
for (let n = 0; n < ${TESTS}; n += 1)
  test('test ' + n, async () => {
    const authorization = 'Basic ' + btoa('suite-' + process.env.ROUND + '-${file}-' + n + ':x');
    const call = async (path, body) => {
      const headers = { authorization, 'content-type': 'application/json' };
      const answer = await fetch(process.env.API + path, { headers, ...(body && { method: 'POST', body: JSON.stringify(body) }) });
      expect(answer.status).toBeLessThan(300);
      return answer.json();
    };
    for (let i = 0; i < 4; i += 1) {
      const { id } = await call('/customers', customer);
      expect(await call('/customers/' + id)).toMatchObject(customer);
    }
    for (let i = 0; i < 2; i += 1) expect((await call('/customers?limit=20')).data.length).toBeGreaterThan(0);
  });
`;

/** The suite with a server: whole seconds, and which part of them the server was on a processor. */
async function runOf(folder, server, api, round) {
  const busy = server.cpuMs();
  const began = performance.now();
  const env = { API: api, ROUND: String(round) };
  await output(process.execPath, [join(THIS, 'node_modules/vitest/vitest.mjs'), 'run'], { cwd: folder, env });
  const ms = performance.now() - began;
  return { seconds: ms / 1000, part: (server.cpuMs() - busy) / ms };
}

export async function tests(report) {
  const folder = fileName('suite');
  mkdirSync(folder);
  symlinkSync(join(THIS, 'node_modules'), join(folder, 'node_modules'));
  for (let file = 0; file < FILES; file += 1) writeFileSync(join(folder, `suite-${file}.test.js`), text(file));
  const [ours, bare] = [await emulator(), await reference('hono')];
  let round = 0;
  const pairs = await inTurns(
    ROUNDS,
    () => runOf(folder, bare, bare.url, (round += 1)),
    () => runOf(folder, ours, `${ours.url}${BASE}`, (round += 1)),
  );
  const of = (member) => beside(pairs.map((pair) => pair.map((each) => each[member])));
  const { value, reference: without } = of('seconds');
  report('tests', { ...of('part'), note: `${value.toFixed(1)} s, and ${without.toFixed(1)} s` });
  await Promise.all([ours.stop(), bare.stop()]);
}
