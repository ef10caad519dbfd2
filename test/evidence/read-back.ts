import { FOREIGN } from './foreign.ts';
import { nothing, type Observations, type Observed } from './notes.ts';
import type { Evidence } from './record.ts';

/** A cell with something in it; a text is a reason, and there is nothing. */
const listOf = (cell: unknown): string[] => (Array.isArray(cell) ? cell : []);
const membersOf = <V>(cell: unknown): [string, V][] => (typeof cell === 'string' ? [] : Object.entries(cell as object));

/** Returns what a block of the record says that a run has seen. */
// biome-ignore lint/suspicious/noExplicitAny: a record that was changed by hand may have any form, and then differs
function observedIn(block: any): Observed {
  const seen = nothing();
  for (const answer of block.answers.seen) seen.answers.add(answer);
  for (const profile of ['grid', 'spec'] as const)
    for (const status of block.contract.held[profile]) seen.held[profile].add(status);
  for (const [rule, { answers, test }] of membersOf<{ answers: string[]; test: string }>(block.rules))
    seen.rules.set(rule, { answers: new Set(answers), files: new Set([test]) });
  for (const [type, { profiles, after }] of membersOf<{ profiles: string[]; after: string[] }>(block.events))
    seen.events.set(type, {
      profiles: new Set(profiles),
      after: new Set(after.map((before) => (before === 'nothing' ? '' : before))),
    });
  for (const [machine, states] of membersOf<string[]>(block.states)) seen.states.set(machine, new Set(states));
  for (const file of listOf(block.simulations)) seen.simulations.add(file);
  for (const file of listOf(block.walks.calledBy)) seen.walks.add(file);
  const others = listOf(block.outside.byOthers);
  for (const { id, by, did, file } of FOREIGN) if (others.includes(`${by} ${did}: ${file}`)) seen.foreign.add(id);
  return seen;
}

/** Returns the observations that a record was made of, so that all the rest of it can be made again from the declarations. */
export function observationsIn({ operations, events }: Evidence): Observations {
  const signed = Object.entries(events).map(
    ([type, cell]) => [type, new Set(listOf((cell as { verified?: unknown }).verified))] as const,
  );
  return {
    operations: new Map(Object.entries(operations).map(([id, block]) => [id, observedIn(block)])),
    signed: new Map(signed.filter(([, profiles]) => profiles.size > 0)),
  };
}
