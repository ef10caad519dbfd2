import { EVENTS, machines, magicValues, OPERATIONS } from '../../areas.ts';
import { ERRORS } from '../../contract/errors.ts';
import { PROFILES } from '../../contract/profile.ts';
import { stateName } from '../../engine/machine.ts';
import type { CoverageReport, Never, ProfileName } from '../../public.ts';
import type { Counts, Tally } from './counts.ts';

/**
 * Returns the refusals of an operation that count: `400 INVALID_INPUT`. Those that all operations share, such as 401,
 * say nothing about a suite; a 500 is not a declared one.
 */
function refusalsOf({ refuses, body, query, upload }: (typeof OPERATIONS)[number]): string[] {
  const codes = new Set([...(body || query || upload ? (['INVALID_INPUT'] as const) : []), ...refuses]);
  return [...codes].filter((code) => ERRORS[code] < 500).map((code) => `${ERRORS[code]} ${code}`);
}

/** Returns every type of event of a profile. */
function eventsOf(profile: ProfileName): string[] {
  const absent = new Set(Object.values(PROFILES[profile].absent).flat());
  return EVENTS.flatMap(({ types }) => types).filter((type) => !absent.has(type));
}

/** Returns every state of every machine of a profile. */
function statesOf(profile: ProfileName): string[] {
  const { absent } = PROFILES[profile];
  return machines().flatMap((machine) => {
    const left = new Set(machine.shownAs === undefined ? [] : absent[machine.shownAs]);
    const states = new Set(machine.transitions.map(({ to }) => to));
    return [...states].filter((state) => !left.has(state)).map((state) => stateName(machine, state));
  });
}

/**
 * Returns how many of some names a tally has, and its counts of them; it leaves out names that the profile does not
 * show.
 */
function met(tally: Tally, names: readonly string[]) {
  const seen = names.filter((name) => Object.hasOwn(tally, name));
  return {
    met: seen.length,
    of: names.length,
    byName: Object.fromEntries(seen.map((name) => [name, tally[name] as number])),
  };
}

/** Returns whether an operation was ever seen to fail: by a refusal, a fault's status or a dropped reply. */
const hasFailed = (answers: Tally): boolean => Object.keys(answers).some((answer) => !/^[123]/.test(answer));

/**
 * Compares counts with everything that a profile declares. `never` begins with the operations that were called and
 * never seen to fail. Then follow refusals of operations that were called, events, magic values and states, and last
 * the operations that were never called.
 */
export function reportOf(counts: Counts, profile: ProfileName): CoverageReport {
  const called = OPERATIONS.filter(({ id }) => Object.hasOwn(counts.operations, id));
  const refusals = called.map((operation) => {
    const answers = counts.operations[operation.id] as Tally;
    const declared = refusalsOf(operation);
    const left = declared.filter((answer) => !Object.hasOwn(answers, answer));
    return { name: operation.id, failed: hasFailed(answers), of: declared.length, left };
  });
  const all = refusals.reduce((sum, { of }) => sum + of, 0);
  const unmet = refusals.reduce((sum, { left }) => sum + left.length, 0);
  const toMeet = refusals
    .filter(({ left }) => left.length > 0)
    .sort((a, b) => Number(a.failed) - Number(b.failed))
    .map(({ name, failed, left }): Never => ({ kind: failed ? 'refusal' : 'failure', name, answers: left }));
  const types = eventsOf(profile);
  const states = statesOf(profile);
  const values = magicValues();
  const neverOf = (kind: Never['kind'], names: readonly string[], tally: object): Never[] =>
    names.filter((name) => !Object.hasOwn(tally, name)).map((name) => ({ kind, name }));
  return {
    operations: { called: called.length, of: OPERATIONS.length, byName: counts.operations },
    refusals: { met: all - unmet, of: all },
    events: met(counts.events, types),
    magic: met(counts.magic, values),
    states: met(counts.states, states),
    never: [
      ...toMeet,
      ...neverOf('event', types, counts.events),
      ...neverOf('magic', values, counts.magic),
      ...neverOf('state', states, counts.states),
      ...neverOf(
        'operation',
        OPERATIONS.map(({ id }) => id),
        counts.operations,
      ),
    ],
  };
}

/** The parts of a report that can have a threshold. */
export const PARTS = ['operations', 'refusals', 'events', 'magic', 'states'] as const;
export type Part = (typeof PARTS)[number];

/** Returns how much of a part a suite met, and the total. */
export function shareOf(report: CoverageReport, part: Part): { met: number; of: number } {
  if (part === 'operations') return { met: report.operations.called, of: report.operations.of };
  return report[part];
}
