import { FOREIGN, FOREIGN_FILES } from './foreign.ts';

/** Files whose calls are drawn: what they lead to is not evidence of its own, because another draw leads elsewhere. */
export const DRAWN = /^test\/(?:parity|hostile)\/|hostile|simulation/;

/** What the tests of one run have seen of one operation. Everything is a set: no order, no number of times, no moment. */
export interface Observed {
  /** Answers that no fault gave: `201`, `400/INVALID_INPUT`. */
  readonly answers: Set<string>;
  /** Statuses whose replies were held against the public contract, by profile. */
  readonly held: Record<'grid' | 'spec', Set<number>>;
  /** By the rule of a refusal: its answers, and the test files that met it. */
  readonly rules: Map<string, { readonly answers: Set<string>; readonly files: Set<string> }>;
  /** By type of event: the profiles, and the events of the same subject that came right before it; an empty text for none. */
  readonly events: Map<string, { readonly profiles: Set<string>; readonly after: Set<string> }>;
  /** States that rows have entered, by machine. */
  readonly states: Map<string, Set<string>>;
  /** Test files of walks that called it. */
  readonly walks: Set<string>;
  /** Simulations in which it succeeded. */
  readonly simulations: Set<string>;
  /** What other people's code did for it, by its place in the list of these. */
  readonly foreign: Set<string>;
}

/** The observations of a run. */
export interface Observations {
  readonly operations: ReadonlyMap<string, Observed>;
  /** By type of event, the profiles in which its signature was verified at a receiver. */
  readonly signed: ReadonlyMap<string, Set<string>>;
}

/** Returns observations of nothing. */
export const nothing = (): Observed => ({
  answers: new Set(),
  held: { grid: new Set(), spec: new Set() },
  rules: new Map(),
  events: new Map(),
  states: new Map(),
  walks: new Set(),
  simulations: new Set(),
  foreign: new Set(),
});

/** Returns the value of a key, a new one for a new key. */
export function within<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}

/** A state by its full name: `outgoing transaction COMPLETED`. */
const STATE = /^(.*) (\S+)$/;

function take(seen: Observed, operation: string, kind: string, rest: string): void {
  const [first = '', second = '', third = ''] = rest.split(' ');
  if (kind === 'held') seen.held[first as 'grid' | 'spec'].add(Number(second));
  else if (kind === 'state') {
    const [, machine = '', state = ''] = STATE.exec(rest) ?? [];
    within(seen.states, machine, () => new Set<string>()).add(state);
  } else if (kind === 'event') {
    const event = within(seen.events, second, () => ({ profiles: new Set<string>(), after: new Set<string>() }));
    event.profiles.add(first);
    event.after.add(third === '-' ? '' : third);
  } else {
    const file = kind === 'refusal' ? second : third;
    if (file.startsWith('test/parity/')) seen.walks.add(file);
    if (kind === 'success' && file.endsWith('/simulation.test.ts')) seen.simulations.add(file);
    if (DRAWN.test(file)) return;
    seen.answers.add(first);
    if (kind === 'success') {
      if (!FOREIGN_FILES.has(file) || first === '202') return;
      for (const { id, file: its, operations } of FOREIGN)
        if (its === file && operations.includes(operation)) seen.foreign.add(id);
      return;
    }
    const rule = rest.slice(first.length + second.length + 2);
    const known = within(seen.rules, rule, () => ({ answers: new Set(), files: new Set() }));
    known.answers.add(first);
    known.files.add(file);
  }
}

/** Returns what the lines of a run say, by operation. */
export function observationsOf(lines: readonly string[]): Observations {
  const operations = new Map<string, Observed>();
  const signed = new Map<string, Set<string>>();
  for (const line of lines) {
    const [operation = '', kind = ''] = line.split(' ', 2);
    const rest = line.slice(operation.length + kind.length + 2);
    if (kind === 'verified') {
      const [profile = '', type = ''] = rest.split(' ');
      within(signed, type, () => new Set<string>()).add(profile);
    } else take(within(operations, operation, nothing), operation, kind, rest);
  }
  return { operations, signed };
}
