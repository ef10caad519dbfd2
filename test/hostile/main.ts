import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import type { Report } from './report.ts';
import { hostile } from './run.ts';

/** `npm run hostile -- [--inputs N] [--seed S [--only n]]`: exit code 1 on a finding, and when an operation did not succeed once. Without a seed it draws one and says it. */
const { values } = parseArgs({
  options: { inputs: { type: 'string' }, seed: { type: 'string' }, only: { type: 'string' } },
});
const number = (text: string | undefined, standard: number): number => {
  const value = text === undefined ? standard : Number(text);
  if (!Number.isSafeInteger(value) || value < 0) throw new Error(`not a whole number: ${text}`);
  return value;
};
const inputs = number(values.inputs, 20_000);
const seed = number(values.seed, randomInt(2 ** 31));
const only = values.only === undefined ? undefined : number(values.only, 0);
if (only !== undefined && values.seed === undefined)
  throw new Error('--only names an input of a seed: say --seed, too');
console.log(`--seed ${seed}`);

const escaped: string[] = [];
for (const event of ['unhandledRejection', 'uncaughtException'] as const)
  process.on(event, (error: unknown) => escaped.push(`${event}: ${error instanceof Error ? error.stack : error}`));

// What is waited for may hold no handle of its own.
setInterval(() => {}, 1000);
const started = performance.now();
let told = started;
let latest: Report | undefined;
let found = 0;
const progress = (report: Report) => {
  latest = report;
  for (const seen of escaped.splice(0))
    report.add({ target: 'the process', expected: 'no error escapes', seen, request: '', input: report.inputs });
  // At once: a long run may be ended before its end.
  if (report.findings.size > found) console.error(report.told());
  found = report.findings.size;
  if (performance.now() - told < 10_000) return;
  told = performance.now();
  console.error(
    `${report.inputs} inputs, ${report.findings.size} findings, ${Math.round(process.memoryUsage().rss / 2 ** 20)} MiB`,
  );
};
const report = await hostile({ inputs, seed, only, timings: true, long: true, progress }).catch((error: unknown) => {
  console.error(latest?.told(), error);
  process.exit(2);
});
await new Promise((resolve) => setTimeout(resolve, 50));
progress(report);
if (report.findings.size > 0) console.log(`${report.told()}\n`);
console.log(report.figures((performance.now() - started) / 1000));
const lacks = only === undefined && report.never().length > 0;
process.exit(report.findings.size > 0 || lacks ? 1 : 0);
