import * as z from 'zod';
import { FaultRule } from '../../contract/faults.ts';
import { lazy } from '../../contract/lazy.ts';
import type { Row } from '../../engine/table.ts';
import type { Snapshot } from '../../engine/world.ts';
import { Scenario } from '../../scenario/schema.ts';
import type { Act } from '../acts.ts';

/** The value of `capsule` in the first line; it changes when an older reader would misread the rest. */
export const FORMAT = 1;

/** The first line: it alone says whether the rest can be read. */
export const First = lazy(() => z.looseObject({ capsule: z.int(), version: z.string(), sha256: z.string() }));

const Ids = () =>
  z.strictObject({
    seed: z.string(),
    drawn: z.int().min(0),
    lastMs: z.int().min(0),
    tick: z.int().min(0),
    next: z.string().optional(),
  });
const Settings = () =>
  z.strictObject({
    policies: z.record(z.string(), z.string()),
    limits: z.record(z.string(), z.number()),
    aside: z.record(z.string(), z.string()).optional(),
  });
const FaultsState = () =>
  z.strictObject({
    list: z.array(z.strictObject({ id: z.string(), rule: FaultRule(), seen: z.int().min(0), fired: z.int().min(0) })),
    made: z.int().min(0),
    drawn: z.int().min(0),
    ahead: z
      .strictObject({
        open: z.array(z.string()),
        counted: z.array(z.strictObject({ id: z.string(), by: z.array(z.string()), fire: z.array(z.string()) })),
      })
      .optional(),
  });

/** The second line: the sandbox, and every short list. */
export const Head = lazy(() =>
  z.strictObject({
    profile: z.enum(['spec', 'grid']),
    id: z.string().min(1),
    seed: z.string(),
    keySeed: z.string(),
    now: z.string().optional(),
    webhookUrl: z.string().optional(),
    permissions: z.array(z.enum(['VIEW', 'TRANSACT', 'MANAGE'])),
    scenario: Scenario(),
    clock: z.unknown(),
    ids: z.unknown(),
    settings: z.unknown(),
    tables: z.array(z.strictObject({ name: z.string(), next: z.int().min(0) })),
    faults: FaultsState(),
    /** Settings and faults of past moments, which the entries name by their position. */
    pastSettings: z.array(Settings()),
    pastFaults: z.array(FaultsState()),
  }),
);
export type Head = z.output<ReturnType<typeof Head>>;

const Why = () => z.looseObject({});
/** A request of the log; `before` is the moment before it, while that can be restored. */
export const EntryLine = lazy(() =>
  z.strictObject({
    id: z.string(),
    at: z.string(),
    method: z.string(),
    path: z.string(),
    query: z.string(),
    headers: z.array(z.string()),
    body: z.string(),
    operation: z.string().optional(),
    status: z.int(),
    reply: z.string(),
    ms: z.number(),
    code: z.string().optional(),
    why: Why().optional(),
    fault: z.string().optional(),
    undone: z.literal(true).optional(),
    undoneBy: z.string().optional(),
    traceparent: z.string().optional(),
    caused: z
      .strictObject({
        events: z.array(z.string()),
        jobs: z.array(z.strictObject({ id: z.string(), kind: z.string() })),
        magic: z.array(z.string()),
        undone: z.array(z.string()).optional(),
      })
      .optional(),
    before: z
      .strictObject({
        turn: z.int().min(0),
        at: z.int().min(0),
        ids: Ids(),
        clock: z.strictObject({ now: z.number(), mode: z.enum(['live', 'held']), speed: z.number() }),
        settings: z.int().min(0),
        faults: z.int().min(0).optional(),
      })
      .optional(),
  }),
);
export type EntryLine = z.output<ReturnType<typeof EntryLine>>;

export const ActLine = lazy(() =>
  z.looseObject({ at: z.string(), after: z.string().optional(), done: z.looseObject({ what: z.string() }) }),
);

/** A change of a row: its table, its position, and the row before the change. */
export interface Change {
  readonly table: string;
  readonly seq: number;
  readonly before: Row | undefined;
}

/** A capsule, read and checked. */
export interface Capsule extends Omit<Head, 'clock' | 'ids' | 'settings' | 'tables'> {
  readonly state: Snapshot;
  readonly entries: readonly EntryLine[];
  readonly changes: readonly Change[];
  readonly acts: readonly Act[];
}
