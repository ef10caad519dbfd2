import type { Area } from './area.ts';
import type { FactGroup } from './facts.ts';
import { FIRST_ANSWERS } from './first-answers.ts';
import type { JobKind } from './job.ts';
import { BALANCES, POSTINGS } from './ledger.ts';
import type { Limit } from './limit.ts';
import type { Operation } from './operation.ts';
import { JOBS } from './scheduler.ts';
import type { Row, TableToken } from './table.ts';
import type { WorldParts } from './world.ts';

/** What a list of areas makes together. */
interface House {
  /** Every table that a world has, the kernel's own first. */
  TABLES: ReadonlyMap<string, TableToken<Row>>;
  /** Every operation that is built. */
  OPERATIONS: readonly Operation[];
  /** Every kind of delayed work. */
  JOB_KINDS: ReadonlyMap<string, JobKind>;
  /** Every limit that a scenario may set. */
  LIMITS: readonly Limit[];
  /** Every event that is told, by group. */
  FACTS: readonly FactGroup[];
  /** What a world needs of the areas. */
  PARTS: WorldParts;
}

/** Puts areas together, in their order. */
export function assemble(areas: readonly Area[]): House {
  const kernel: readonly TableToken<Row>[] = [JOBS, POSTINGS, BALANCES, FIRST_ANSWERS];
  const tables = [...kernel, ...areas.flatMap((area) => area.tables)];
  const kinds = new Map(areas.flatMap((area) => Object.entries(area.jobs)));
  const outboxes = areas.flatMap(({ outbox }) => (outbox ? [outbox] : []));
  return {
    TABLES: new Map(tables.map((table) => [table.name, table])),
    OPERATIONS: areas.flatMap((area) => area.operations),
    JOB_KINDS: kinds,
    LIMITS: areas.flatMap((area) => area.limits),
    FACTS: areas.flatMap((area) => area.events),
    PARTS: {
      tables: tables.toSorted((a, b) => (a.name < b.name ? -1 : 1)),
      handlers: new Map([...kinds].map(([kind, { run }]) => [kind, run])),
      reactions: areas.flatMap((area) => area.reactions),
      onFact: (world, fact) => {
        for (const outbox of outboxes) outbox(world, fact);
      },
    },
  };
}
