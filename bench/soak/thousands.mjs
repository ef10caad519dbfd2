// npm run soak -- --sandboxes 5000: all in use at once, each with a receiver of its own. Fails where one sees or hears of another,
// or where webhooks of one come much later than those of the others.
import { join } from 'node:path';
import { emulator } from '../kit.mjs';
import { output } from '../processes.mjs';

const HERE = new URL('.', import.meta.url).pathname;
/** A sandbox starves whose median delay is so many times that of the others, beyond what a glance notices. */
const TIMES = 10;
const UNNOTICED_MS = 250;

export async function thousands({ sandboxes, rounds = 5, rate = 1000, say = console.log }) {
  const server = await emulator();
  const idle = server.rss();
  const settings = { url: server.url, sandboxes, rounds, rate };
  const found = JSON.parse(
    await output(process.execPath, [join(HERE, 'thousands-load.mjs'), JSON.stringify(settings)]),
  );
  const { opened, calls, webhooks, perSandbox } = found;
  say(
    `${sandboxes} sandboxes made in ${opened.ms} ms; RSS ${Math.round(idle)} MiB before, ${Math.round(server.rss())} MiB at the end`,
  );
  say(`${calls.count} creates, ${calls.perSecond}/s: p50 ${calls.p50} p99 ${calls.p99} slowest ${calls.slowest} ms`);
  say(
    `${webhooks.count} webhooks after their call: p50 ${webhooks.p50} p99 ${webhooks.p99} slowest ${webhooks.slowest} ms`,
  );
  say(`median delay by sandbox: least ${perSandbox.least}, median ${perSandbox.median}, most ${perSandbox.most} ms`);
  const findings = found.findings.map(([what, times]) => `${times} x ${what}`);
  if (perSandbox.most > UNNOTICED_MS && perSandbox.most > TIMES * perSandbox.median)
    findings.push(
      `the webhooks of one sandbox take ${perSandbox.most} ms, those of the others ${perSandbox.median} ms`,
    );
  await server.stop();
  return findings;
}
