// npm run soak [-- --minutes 1]: a real process under load, with receivers that fail, and what it holds afterwards.
// npm run soak -- --rate 5000 --minutes 60: mixed requests at a fixed rate; memory has to be flat, and no call slow.
// npm run soak -- --sandboxes 5000 [--rounds 5] [--rate 1000]: as many in use at once, each with a receiver of its own.
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: Object.fromEntries(['minutes', 'rate', 'sandboxes', 'rounds'].map((name) => [name, { type: 'string' }])),
});
const given = Object.fromEntries(
  Object.entries(values).map(([name, text]) => {
    if (!(Number(text) > 0)) throw new Error(`--${name}: not a number above 0: ${text}`);
    return [name, Number(text)];
  }),
);

if (given.rate === undefined && given.sandboxes === undefined) {
  const { runBundled } = await import('./bundle.mjs');
  await runBundled('test/hostile/soak-main.ts', 'soak');
} else {
  const findings = given.sandboxes
    ? await (await import('../bench/soak/thousands.mjs')).thousands(given)
    : (await (await import('../bench/soak/hours.mjs')).hours({ minutes: 60, ...given })).findings;
  for (const finding of findings) console.log(`✗ ${finding}`);
  console.log(`findings: ${findings.length}`);
  process.exit(findings.length > 0 ? 1 : 0);
}
