import { DECISIONS } from '../../areas.ts';
import type { Act, Done } from '../../sandbox/acts.ts';
import type { CommandContext } from '../../sandbox/commands/command.ts';
import type { Entry } from '../../sandbox/request-log.ts';
import type { ExpectedEvent } from './events-after.ts';
import { idsIn } from './ids.ts';
import { type Names, type Template, type TemplatedNode, variablesIn, variablesWithin } from './template.ts';
import { oneLine } from './words.ts';

/** A job that a person ran; a recording finds it again by its kind and subject. */
export interface RanAct {
  readonly what: 'ran';
  readonly kind: string;
  readonly about: Template | undefined;
  /** Its position among identical ones. */
  readonly at: number;
}

/** An act by hand, as a recording repeats it. */
export type RepeatedAct =
  | { readonly what: 'decided'; readonly path: Template; readonly body: TemplatedNode }
  | RanAct
  /** A rewind to just before the step at that position. */
  | { readonly what: 'rewound'; readonly step: number }
  /** An act that no recording repeats; only its title is shown. */
  | { readonly what: 'said' };

/** An act with its moment and its title for people. */
export interface ActStep {
  readonly at: string;
  readonly title: string;
  readonly act: RepeatedAct;
  /** The reason why it is left out. */
  readonly leftOut?: string;
}

/**
 * The acts by hand between the entries of a recording, by the position of the entry that follows; and notes on those
 * left out.
 */
export interface ActsBetween {
  readonly before: ReadonlyMap<number, readonly Act[]>;
  readonly notes: readonly string[];
}

const idOf = (done: Done): string | undefined =>
  done.what === 'decided' ? done.path[1] : done.what === 'ran' ? done.about : undefined;

/** Returns the ids that an act names. */
export const idsOf = ({ done }: Act): string[] => idsIn(idOf(done) ?? '');

/**
 * Returns the acts between the first and the last of some entries. In a span all of them count; among chosen entries,
 * only those about something that the entries name.
 */
export function actsBetween(
  { sandbox }: CommandContext,
  entries: readonly Entry[],
  all: readonly Entry[],
  isSpan: boolean,
  isNamed: (id: string) => boolean,
): ActsBetween {
  const places = new Map(all.map(({ id }, i) => [id, i]));
  const placeOf = (id: string | undefined): number => (id === undefined ? -1 : (places.get(id) ?? -1));
  const of = entries.map(({ id }) => placeOf(id));
  const before = new Map<number, Act[]>();
  const notes: string[] = [];
  for (const act of sandbox.requestLog.acts) {
    const place = placeOf(act.after);
    const next = of.findIndex((one) => one > place);
    // An act before the first entry is part of the initial state, and nothing follows from one after the last.
    if (next <= 0) continue;
    const { done } = act;
    if (done.what === 'other') {
      notes.push(oneLine(`After ${act.after}, ${done.words}; no recording repeats that, so what follows may differ`));
      before.set(next, [...(before.get(next) ?? []), act]);
      continue;
    }
    const id = done.what === 'rewound' ? undefined : idOf(done);
    if (!isSpan && id !== undefined && !isNamed(id)) continue;
    if (done.what === 'rewound' && !entries.some((entry) => entry.id === done.id)) {
      const words = `the state before ${done.id} was restored; ${done.id} is not in this recording`;
      notes.push(`After ${act.after}, ${words}`);
      before.set(next, [...(before.get(next) ?? []), { ...act, done: { what: 'other', words } }]);
      continue;
    }
    before.set(next, [...(before.get(next) ?? []), act]);
  }
  return { before, notes };
}

/** Returns the sentence about a decision. */
const aboutOf = (table: string, name: string): string =>
  DECISIONS.find((one) => one.table.name === table && one.name === name)?.about.split(/[,;]/)[0] ?? name;

/** Returns an act with its ids as variables. */
export function repeated({ at, done }: Act, entries: readonly Entry[], names: Names): ActStep {
  if (done.what === 'other')
    return {
      at,
      title: oneLine(`by hand: ${done.words}`),
      act: { what: 'said' },
      leftOut: 'no recording repeats that',
    };
  if (done.what === 'rewound') {
    const step = entries.findIndex(({ id }) => id === done.id);
    return { at, title: `rewind to before ${entries[step]?.operation ?? done.id}`, act: { what: 'rewound', step } };
  }
  if (done.what === 'ran') {
    const { kind, about } = done;
    const named = about === undefined ? undefined : names.template(about);
    return { at, title: `by hand: run the job ${kind}`, act: { what: 'ran', kind, about: named, at: done.at } };
  }
  const [table, id, name] = done.path;
  return {
    at,
    title: `by hand: ${aboutOf(table, name)}`,
    act: {
      what: 'decided',
      path: [`/_emulator/${table}/`, ...names.template(id), `/${name}`],
      body: names.node(done.body),
    },
  };
}

/**
 * Returns the events to wait for before acts by hand, because the acts need their ids, and the events to wait for after
 * them.
 */
export function aroundActs(
  events: readonly ExpectedEvent[],
  acts: readonly ActStep[],
): [before: ExpectedEvent[], after: ExpectedEvent[]] {
  const used = new Set(acts.flatMap(({ act }) => variablesOf(act)));
  const isBefore = ({ captures }: ExpectedEvent): boolean => captures.some(({ variable }) => used.has(variable));
  return [events.filter(isBefore), events.filter((one) => !isBefore(one))];
}

/** Returns the variables that an act needs. */
export function variablesOf(act: RepeatedAct): string[] {
  if (act.what === 'decided') return [...variablesIn(act.path), ...variablesWithin(act.body)];
  return act.what === 'ran' ? variablesIn(act.about ?? []) : [];
}
