import { asyncProperty, boolean, check, tuple } from 'fast-check';
import { callsOf, isPause, type Json, leadingTo, needs, type Step, type Walk } from '../calls/index.ts';
import { isObject } from '../contract/json.ts';
import { causeOf } from './compare.ts';
import type { Found, Outcome } from './run.ts';

/** The shortest walk that was found to show a difference, and the other differences on the way to it. */
export interface Shortest {
  readonly walk: Walk;
  readonly shown: Found;
  /** Causes that appear at an earlier call, and without which this one was not seen. */
  readonly after: readonly string[];
}

/** The most walks that are tried for one cause. */
const TRIES = 120;

const shows = (outcome: Outcome, cause: string): Found | undefined =>
  outcome.found.find((difference) => causeOf(difference) === cause);

/** Returns a value without the named members at its top. */
const without = (body: Json | undefined, names: ReadonlySet<string>): Json | undefined =>
  typeof body !== 'object' || body === null || Array.isArray(body)
    ? body
    : Object.fromEntries(Object.entries(body).filter(([name]) => !names.has(name)));

/** Returns the optional parts of the call that shows a difference: members of its body, queries and headers. */
function optional(step: Step): string[] {
  if (isPause(step)) return [];
  const body = step.body;
  const members = isObject(body) ? Object.keys(body) : [];
  return [
    ...members.map((name) => `body ${name}`),
    ...Object.keys(step.query).map((name) => `query ${name}`),
    ...Object.keys(step.headers).map((name) => `headers ${name}`),
  ];
}

function lighter(step: Step, dropped: readonly string[]): Step {
  if (isPause(step) || dropped.length === 0) return step;
  const names = (of: string) =>
    new Set(dropped.filter((d) => d.startsWith(`${of} `)).map((d) => d.slice(of.length + 1)));
  const kept = (of: 'query' | 'headers') =>
    Object.fromEntries(Object.entries(step[of]).filter(([name]) => !names(of).has(name)));
  const body = without(step.body, names('body'));
  return { ...step, query: kept('query'), headers: kept('headers'), ...(body === undefined ? {} : { body }) };
}

/**
 * Searches for the shortest walk that still shows a cause. It first keeps only the calls that lead to it; then the
 * shrinking of fast-check leaves out each step and each optional part in turn.
 */
export async function shortest(
  walk: Walk,
  first: Found,
  outcome: Outcome,
  run: (walk: Walk) => Promise<Outcome>,
): Promise<Shortest> {
  const cause = causeOf(first);
  let best: { walk: Walk; outcome: Outcome } = { walk: walk.slice(0, first.step + 1), outcome };
  let tries = 0;
  const attempt = async (candidate: Walk): Promise<boolean> => {
    tries += 1;
    const seen = await run(candidate);
    const found = shows(seen, cause);
    if (!found) return false;
    const cut = candidate.slice(0, found.step + 1);
    if (sizeOf(cut) <= sizeOf(best.walk)) best = { walk: cut, outcome: seen };
    return true;
  };
  const lead = leadingTo(walk, first.step);
  if (!(await attempt(lead))) await attempt(withoutReads(walk, first.step));
  await leaveOut(
    attempt,
    () => best.walk,
    () => tries < TRIES,
  );
  const shown = shows(best.outcome, cause) ?? first;
  const earlier = best.outcome.found.filter(({ step }) => step < shown.step).map(causeOf);
  return { walk: best.walk, shown, after: [...new Set(earlier)] };
}

/** Returns the size of a walk: calls count most, then pauses, then the content of the calls. */
const sizeOf = (walk: Walk): number => callsOf(walk).length * 1e6 + walk.length * 1e4 + JSON.stringify(walk).length;

/** Returns the same walk without the reads that no later step needs. */
function withoutReads(walk: Walk, last: number): Step[] {
  const wanted = new Set<string>();
  const kept: Step[] = [];
  for (const [i, step] of [...walk.slice(0, last + 1).entries()].reverse()) {
    const isRead = !isPause(step) && /^(?:get|list|lookup|agentList|agentGet)/.test(step.operation);
    if (i !== last && isRead && !wanted.has(step.name)) continue;
    kept.unshift(step);
    for (const name of needs(step)) wanted.add(name);
  }
  return kept;
}

/** Returns a walk without the steps that refer to missing ones. */
function wholeOf(walk: Walk): Step[] {
  const kept = new Set<string>();
  return walk.filter((step) => {
    if ([...needs(step)].some((name) => !kept.has(name))) return false;
    kept.add(step.name);
    return true;
  });
}

/** Leaves out parts of the walk: a list of choices that fast-check shrinks from all to as few as possible. */
async function leaveOut(
  attempt: (walk: Walk) => Promise<boolean>,
  from: () => Walk,
  more: () => boolean,
): Promise<void> {
  const walk = from();
  const last = walk.at(-1);
  if (!last) return;
  // The latest first: a step without dependents is removed before those that it needed.
  const steps = walk.slice(0, -1).reverse();
  const parts = optional(last);
  const choices = steps.length + parts.length;
  if (choices === 0) return;
  const chosen = (keep: readonly boolean[]): Walk => {
    const lighterLast = lighter(
      last,
      parts.filter((_, i) => !keep[steps.length + i]),
    );
    return wholeOf([...steps.filter((_, i) => keep[i]).reverse(), lighterLast]);
  };
  const whole = Array.from({ length: choices }, () => true);
  const property = asyncProperty(tuple(...whole.map(() => boolean())), async (keep) => {
    if (keep.every(Boolean)) return false;
    const candidate = chosen(keep);
    if (!more() || candidate.at(-1)?.name !== last.name) return true;
    return !(await attempt(candidate));
  });
  await check(property, { examples: [[whole]], numRuns: 1 });
}
