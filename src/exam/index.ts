import { randomBytes } from 'node:crypto';
import { stopwatch } from '../engine/clock.ts';
import { checkUrl } from './backend.ts';
import { CHECKS, checksOf } from './checks.ts';
import { Desk } from './desk.ts';
import { Scene, type Stage } from './scene.ts';
import { type ExamOptions, Failed, type Report, Skipped, Unable, type Verdict } from './types.ts';
import { SAYS_FAILED, SAYS_PAID, wordsOf } from './words.ts';

/** Returns the names of all checks, each with its purpose. */
export const list = (): readonly { check: string; about: string }[] =>
  CHECKS.map(({ name, about }) => ({ check: name, about }));

/** Policies for the time of an exam: payments happen at once, whatever the scenario says. */
const AT_ONCE = Object.fromEntries(
  ['process', 'settle', 'refund', 'return'].map((step) => [`transaction.${step}`, 'at once']),
);

/**
 * Examines a backend, check after check, and judges it by ledger, log and deliveries. Whatever happens, the sandbox
 * gets its faults and policies back, and no delivery stays held. Throws `Unable` if it cannot run.
 */
export async function exam(options: ExamOptions): Promise<Report> {
  const { control, backend, only, signal = new AbortController().signal, allowsRemote = false } = options;
  const checks = checksOf(only);
  const desk = new Desk(control);
  await isReady(desk, checks.find(({ moves }) => moves)?.name, allowsRemote);
  const stage: Stage = {
    desk,
    backend,
    saysPaid: options.saysPaid ?? wordsOf('--says-paid', SAYS_PAID),
    saysFailed: options.saysFailed ?? wordsOf('--says-failed', SAYS_FAILED),
    patienceMs: options.patienceMs ?? 10_000,
    signal,
    now: stopwatch,
    earlier: [],
  };
  const run = randomBytes(3).toString('hex');
  const whole = new Scene('', '', stage);
  await whole.begin();
  const before = await sandboxes(desk);
  const verdicts: Verdict[] = [];
  try {
    await desk.mark();
    await desk.setPolicies(AT_ONCE);
    for (const [i, check] of checks.entries()) {
      options.began?.(check.name, i + 1, checks.length);
      const began = stopwatch();
      const scene = new Scene(check.name, `exam-${run}-${String(i + 1).padStart(2, '0')}`, stage);
      await scene.begin();
      const judged = await verdictOf(scene, () => check.run(scene, { allowsRemote }));
      const verdict = { check: check.name, ...judged, ms: Math.round(stopwatch() - began) };
      if (i === 0 && judged.result === 'failed' && scene.calls === 0) await isElsewhere(desk, before);
      verdicts.push(verdict);
      options.judged?.(verdict);
      stage.earlier.push(scene);
      await scene.withoutFaults();
      await desk.setPolicies(AT_ONCE);
      await desk.release(scene.isOld);
      if (check.name === 'plain' && judged.result === 'failed' && scene.debits.length === 0) break;
    }
    const last = stage.earlier.at(-1);
    await last?.quiet();
    const says = 'plain made no debit, so that nothing else can be judged';
    const rest = checks
      .slice(verdicts.length)
      .map(({ name }): Verdict => ({ check: name, result: 'skipped', says, lookAt: [], ms: 0 }));
    verdicts.push(...rest);
    if (rest.length > 0) options.left?.(rest);
  } finally {
    backend.end();
    await desk.restore(whole.isOld);
  }
  const final = verdicts.map((verdict, i) => {
    const tries = checks.slice(0, i).filter(({ loses }, at) => loses && verdicts[at]?.result === 'passed');
    const names = tries.map(({ name }) => name);
    return withLate(verdict, stage.earlier[i], names, options.judged);
  });
  return reportOf(final, desk.movedMs);
}

async function verdictOf(scene: Scene, run: () => Promise<string>): Promise<Omit<Verdict, 'check' | 'ms'>> {
  try {
    return { result: 'passed', says: await run(), lookAt: scene.lookAt() };
  } catch (error) {
    if (error instanceof Skipped) return { result: 'skipped', says: error.message, lookAt: [] };
    if (!(error instanceof Failed)) throw error;
    const { message: says, expected, lookAt, hint } = error;
    return { result: 'failed', says, expected, lookAt, ...(hint === undefined ? {} : { hint }) };
  } finally {
    scene.judged = scene.debits.length;
  }
}

/**
 * Returns a verdict, overturned if a debit followed the judgment: a second one, or any for a payment that had none.
 * `tries` are earlier checks whose payments may get a late attempt.
 */
function withLate(
  verdict: Verdict,
  scene: Scene | undefined,
  tries: readonly string[],
  judged: ExamOptions['judged'],
): Verdict {
  const { debits, judged: before } = scene ?? { debits: [], judged: 0 };
  const isLate = verdict.result === 'passed' && (debits.length > 1 || debits.length > before);
  if (!isLate) return verdict;
  const when = debits.length > before ? 'the check had ended' : 'the payment had been judged';
  const whose =
    tries.length > 0 && debits.some(({ isNameless }) => isNameless)
      ? `; no call names its reference, so it may be a late attempt of ${tries.join(' or ')}`
      : '';
  const overturned: Verdict = {
    ...verdict,
    result: 'failed',
    says: `${debits.length} in the end: the last debit was made after ${when}${whose}`,
    expected: 'no further debit once a payment has ended',
    lookAt: debits.map(({ call, payment }) => call ?? payment.id),
    hint: 'send one Idempotency-Key with every try of a payment, also with one that comes much later',
  };
  judged?.(overturned);
  return overturned;
}

function reportOf(checks: readonly Verdict[], clockMovedMs: number): Report {
  const count = (result: Verdict['result']) => checks.filter((one) => one.result === result).length;
  return { passed: count('passed'), failed: count('failed'), skipped: count('skipped'), clockMovedMs, checks };
}

/** Refuses to begin if the emulator is not set up for the exam; `moves` is a check that moves the clock. */
async function isReady(desk: Desk, moves: string | undefined, allowsRemote: boolean): Promise<void> {
  const { url, unsent } = await desk.ask<{ url: string | null; unsent?: string }>('GET', '/webhooks/endpoint');
  if (url === null)
    throw new Unable(
      'this sandbox sends no webhooks: start the emulator with --webhook-url and the URL of your backend',
    );
  if (unsent !== undefined) throw new Unable(`this sandbox sends no webhooks to ${url}: ${unsent}`);
  checkUrl('the webhook endpoint', url, allowsRemote);
  if ((await desk.policy('webhook.deliver')) === 'hold')
    throw new Unable('deliveries of this sandbox are paused: resume them first (POST /_emulator/webhooks/resume)');
  const { mode } = await desk.ask<{ mode: string }>('GET', '/clock');
  if (mode === 'held' && moves !== undefined)
    throw new Unable(
      `the clock of this sandbox is held, and ${moves} has to move it: let it run, or choose others by --only`,
    );
  const other = await desk.other();
  if (other !== undefined)
    throw new Unable(
      `another exam is under way in this sandbox; if it was killed, remove its mark: sandbox-emulator fault remove ${other}`,
    );
}

/** Returns the number of requests to each sandbox so far, by its id. */
async function sandboxes(desk: Desk): Promise<ReadonlyMap<string, number>> {
  const { sandboxes } = await desk.ask<{ sandboxes: { id: string; requests: number }[] }>('GET', '/running');
  return new Map(sandboxes.map(({ id, requests }) => [id, requests]));
}

/** Refuses to go on if no call arrived here, but one did in another sandbox. */
async function isElsewhere(desk: Desk, before: ReadonlyMap<string, number>): Promise<void> {
  for (const [id, requests] of await sandboxes(desk))
    if (requests > (before.get(id) ?? 0))
      throw new Unable(`the backend calls another sandbox, ${id}: name it with --sandbox ${id}`);
}

export { backendAt } from './backend.ts';
export { failureLines, junit } from './junit.ts';
export * from './types.ts';
export { SAYS_FAILED, SAYS_PAID, wordsOf } from './words.ts';
