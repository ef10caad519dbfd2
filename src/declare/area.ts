import type { DomainEvent } from '../contract/domain-event.ts';
import type { Limit } from '../contract/limit.ts';
import { type MagicValues, magicName } from '../contract/suffix.ts';
import type { Machine } from '../engine/machine.ts';
import { JOBS } from '../engine/scheduler.ts';
import type { Row, TableToken } from '../engine/table.ts';
import type { Hook, Reaction, World, WorldParts } from '../engine/world.ts';
import type { LedgerRule } from '../ledger/audit.ts';
import { BALANCES, POSTINGS } from '../ledger/ledger.ts';
import type { Decision } from './decision.ts';
import type { EventGroup } from './event-group.ts';
import { FIRST_ANSWERS } from './first-answers.ts';
import type { JobKind } from './job.ts';
import type { Operation, PrincipalOf } from './operation.ts';
import type { Seed } from './seed.ts';

/** The text of a rule that refusals cite, in our own words, not the specification's. */
export interface RuleText {
  /** The citation as refusals write it: `spec 2.1 (3)`. */
  readonly place: string;
  readonly about: string;
  readonly says: string;
}

/** One part of the API, with everything that the rest of the code needs to know about it. */
export interface Area {
  readonly name: string;
  readonly tables: readonly TableToken<Row>[];
  readonly operations: readonly Operation[];
  /** Finds the principals of the access tokens that the area issues. */
  readonly principalOf: PrincipalOf | undefined;
  /** Job kinds, by name. */
  readonly jobs: Readonly<Record<string, JobKind>>;
  readonly limits: readonly Limit[];
  readonly events: readonly EventGroup[];
  /** Sections that only this area's refusals cite; those that several areas cite are in `src/sandbox/rules.ts`. */
  readonly rules: readonly RuleText[];
  readonly machines: readonly Machine<string, string>[];
  /** The magic values that its rules recognise and report to the request log. */
  readonly magic: () => readonly MagicValues[];
  /** Rules that check the movements its rows claim against the ledger. */
  readonly ledgerRules: readonly LedgerRule[];
  /** Decisions that a tester makes by hand. */
  readonly decisions: readonly Decision[];
  /** The scenario-file lists that the area declares. */
  readonly seeds: readonly Seed[];
  /** Reactions to hooks of lower areas. */
  readonly reactions: readonly Reaction[];
  /** Runs for every event, inside the transaction that emits it. */
  readonly outbox: ((world: World, event: DomainEvent) => void) | undefined;
}

const NOTHING: Omit<Area, 'name'> = {
  tables: [],
  operations: [],
  jobs: {},
  limits: [],
  events: [],
  ledgerRules: [],
  decisions: [],
  seeds: [],
  rules: [],
  machines: [],
  magic: () => [],
  reactions: [],
  outbox: undefined,
  principalOf: undefined,
};

/** Declares an area; members that are left out are empty. */
export const area = (name: string, declared: Partial<Omit<Area, 'name'>>): Area => ({ ...NOTHING, ...declared, name });

/** Declares what an area does when a lower area calls a hook. */
export const on = <A extends readonly unknown[]>(
  hook: Hook<A>,
  react: (world: World, ...args: A) => void,
): Reaction => ({ hook, run: (world, args) => react(world, ...(args as A)) });

/** Combines the areas, in their order, into the lists that the rest of the code reads. */
export function assemble(areas: readonly Area[]) {
  const kernel: readonly TableToken<Row>[] = [JOBS, POSTINGS, BALANCES, FIRST_ANSWERS];
  const tables = [...kernel, ...areas.flatMap((area) => area.tables)];
  const kinds = new Map(areas.flatMap((area) => Object.entries(area.jobs)));
  const outboxes = areas.flatMap(({ outbox }) => (outbox ? [outbox] : []));
  const parts: WorldParts = {
    tables,
    handlers: new Map([...kinds].map(([kind, { run }]) => [kind, run])),
    ownWork: new Set([...kinds].flatMap(([kind, { ownWork }]) => (ownWork ? [kind] : []))),
    reactions: areas.flatMap((area) => area.reactions),
    policies: new Map([...kinds].flatMap(([kind, { policy }]) => (policy ? [[kind, policy]] : []))),
    deliveryRules: new Map(
      areas.flatMap(({ events }) => events.flatMap(({ delivery = {} }) => Object.entries(delivery))),
    ),
    outbox: (world, event) => {
      for (const outbox of outboxes) outbox(world, event);
    },
  };
  return {
    /** Every table by name, the kernel's first. */
    TABLES: new Map(tables.map((table) => [table.name, table])),
    /** One finder of principals per area that issues access tokens. */
    PRINCIPALS: areas.flatMap((area) => area.principalOf ?? []),
    OPERATIONS: areas.flatMap((area) => area.operations),
    JOB_KINDS: kinds,
    RULE_TEXTS: areas.flatMap((area) => area.rules),
    LEDGER_RULES: areas.flatMap((area) => area.ledgerRules),
    LIMITS: areas.flatMap((area) => area.limits),
    EVENTS: areas.flatMap((area) => area.events),
    DECISIONS: areas.flatMap((area) => area.decisions),
    SEEDS: areas.flatMap((area) => area.seeds),
    /** Every state machine, and every magic value by its name; collected only when someone counts them. */
    machines: (): readonly Machine<string, string>[] => areas.flatMap((area) => area.machines),
    magicValues: (): readonly string[] => [
      ...new Set(
        areas.flatMap(({ magic }) =>
          magic().flatMap(({ field, values }) => values.map((value) => magicName(field, value))),
        ),
      ),
    ],
    PARTS: parts,
  };
}
