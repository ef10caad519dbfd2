import { Memory } from './memory.ts';
import type { Receivers } from './receivers.ts';
import { shown } from './report.ts';
import { type Call, client, type Soaked } from './soak-client.ts';
import { type Soaking, stateOf } from './soak-process.ts';

/** MiB of an empty process with its request log full (64 MiB) and its code warm. */
export const BASE_MIB = 192;
/** Resident memory may be so many times the size of the state as JSON, beyond the base. */
export const MOST_TIMES = 3;
/** Real milliseconds that a call may take which does not wait for a receiver. */
const SLOW_MS = 500;
const CLIENTS = 4;
/** Requests that one sandbox's log remembers. */
const MOST_LOGGED = 1000;
/** Calls that wait for receivers, by design, or carry a whole state. */
const WAITS = /^(?:sendTestWebhook|POST \/clock)$/;

export interface SoakReport {
  readonly findings: string[];
  readonly figures: string[];
}

interface Tally {
  calls: number;
  done: number;
  slowest: Call | undefined;
  findings: Set<string>;
}

/** Sandboxes with every kind of receiver, full speed, and all that a long day brings; then what is left is measured. */
export async function soak(
  soaking: Soaking,
  receivers: Receivers,
  minutes: number,
  say: (line: string) => void,
): Promise<SoakReport> {
  const tally: Tally = { calls: 0, done: 0, slowest: undefined, findings: new Set() };
  const places: Soaked[] = [];
  for (const url of [...Object.values(receivers.urls), receivers.urls.failing])
    places.push(await openSandbox(soaking, url));
  let ended = false;
  const clients = Array.from({ length: CLIENTS }, (_, i) =>
    client(
      soaking.url,
      () => places,
      i + 1,
      (call) => look(tally, call),
      () => ended,
    ),
  );
  const until = performance.now() + minutes * 60_000;
  for (let round = 0; performance.now() < until; round += 1) {
    await new Promise((resolve) => setTimeout(resolve, Math.min(5000, until - performance.now())));
    await disturb(soaking, places, round);
    if (round % 3 === 0) say(`${tally.calls} calls, ${Math.round(soaking.residentMib())} MiB`);
  }
  ended = true;
  await Promise.all(clients);
  const figures = [
    `${tally.calls} calls in ${minutes} minutes, ${tally.done} of them done; webhooks that came: ${JSON.stringify(receivers.came)}`,
  ];
  await measure(soaking, places, tally, figures);
  return { findings: [...tally.findings], figures };
}

async function openSandbox(soaking: Soaking, webhookUrl: string): Promise<Soaked> {
  const { body } = await soaking.control('POST', '/sandboxes', { webhookUrl });
  const { id, credentials } = body as { id: string; credentials: { id: string; secret: string } };
  const authorization = `Basic ${Buffer.from(`${credentials.id}:${credentials.secret}`).toString('base64')}`;
  return { id, authorization, basePath: soaking.basePath, sandbox: id, memory: new Memory() };
}

function look(tally: Tally, call: Call): void {
  tally.calls += 1;
  if (call.status >= 200 && call.status < 300) tally.done += 1;
  if (call.status === 0) tally.findings.add(`no answer: ${call.text}: ${shown(call.plan)}`);
  if (call.status === 500) tally.findings.add(`500: ${shown(call.plan)}\n   ${call.text.slice(0, 300)}`);
  if (WAITS.test(call.plan.target)) return;
  if (!tally.slowest || call.ms > tally.slowest.ms) tally.slowest = call;
}

/** Advances, snapshots, forks and resets, in turn; the last sandbox alone starts over, so that the others grow. */
async function disturb(soaking: Soaking, places: readonly Soaked[], round: number): Promise<void> {
  const at = (n: number) => `sandbox=${places[n % places.length]?.id}`;
  const { body } = await soaking.control('POST', `/clock?${at(round)}`, { advance: 'PT10M' });
  if (!(body as { ran?: unknown }).ran) throw new Error('an advance did not say what ran');
  await soaking.control('POST', `/snapshots?${at(round)}`, { name: 'soak' });
  if (round % 4 === 1) {
    const fork = (await soaking.control('POST', `/sandboxes/${places[0]?.id}/fork`)).body as { id: string };
    await soaking.control('DELETE', `/sandboxes/${fork.id}`);
  }
  if (round % 4 === 2) await soaking.control('POST', `/snapshots/soak/restore?${at(round)}`);
  if (round % 6 === 5) await soaking.control('POST', `/reset?${at(places.length - 1)}`);
}

async function measure(soaking: Soaking, places: readonly Soaked[], tally: Tally, figures: string[]): Promise<void> {
  const { findings, slowest } = tally;
  let stateMib = 0;
  for (const { id } of places) {
    const { bytes, sums } = await stateOf(soaking, id);
    stateMib += bytes / 2 ** 20;
    for (const [currency, sum] of sums) if (sum !== 0n) findings.add(`postings of ${id} in ${currency} sum to ${sum}`);
    const { invariants = [] } = (await soaking.control('GET', `/ledger/check?sandbox=${id}`)).body as {
      invariants?: { ok: boolean; says: string; broken: { message: string }[] }[];
    };
    for (const { ok, says, broken } of invariants)
      if (!ok) findings.add(`the ledger of ${id}: ${says}, but ${broken[0]?.message}`);
    await soaking.control('DELETE', `/snapshots/soak?sandbox=${id}`);
    const { totalCount = 0 } = (await soaking.control('GET', `/requests?limit=1&sandbox=${id}`)).body as {
      totalCount?: number;
    };
    if (totalCount > MOST_LOGGED)
      findings.add(`${totalCount} requests in the log of ${id}, not at most ${MOST_LOGGED}`);
  }
  const resident = await soaking.settled();
  const most = BASE_MIB + MOST_TIMES * stateMib;
  figures.push(
    `resident: ${Math.round(resident)} MiB for ${stateMib.toFixed(1)} MiB of state; at most ${Math.round(most)} (${BASE_MIB} + ${MOST_TIMES} x state)`,
  );
  if (resident > most) findings.add(`${Math.round(resident)} MiB resident, not at most ${Math.round(most)}`);
  if (slowest) figures.push(`slowest call: ${slowest.ms.toFixed(0)} ms, ${shown(slowest.plan).slice(0, 300)}`);
  if (slowest && slowest.ms > SLOW_MS)
    findings.add(`a call took ${slowest.ms.toFixed(0)} ms, not at most ${SLOW_MS}: ${shown(slowest.plan)}`);
  const health = await soaking.control('GET', '/health');
  if (health.status !== 200) findings.add(`health answered ${health.status}`);
}
