import * as z from 'zod';
import { PARTS } from '../areas.ts';
import { LATEST } from '../kernel/clock.ts';
import { lazy } from '../kernel/lazy.ts';
import { isPolicy, type Policy } from '../kernel/policy.ts';
import { JOBS } from '../kernel/scheduler.ts';
import { type Snapshot, World } from '../kernel/world.ts';

const policies = () =>
  z.record(
    z.string(),
    z.custom<Policy>((text) => typeof text === 'string' && isPolicy(text), 'not a policy'),
  );

const JobRow = lazy(() =>
  z.looseObject({
    id: z.string(),
    kind: z.string(),
    payload: z.record(z.string(), z.unknown()),
    dueAt: z.number().nullable(),
    broken: z.string().optional(),
  }),
);

/** What a state looks like from outside: who wrote it is not known. */
export const SnapshotShape = lazy(() =>
  z.looseObject({
    format: z.literal(1),
    clock: z.object({
      now: z.iso.datetime().refine((now) => Date.parse(now) <= LATEST, 'the clock ends with the year 9998'),
      mode: z.enum(['live', 'held']),
      speed: z.number().min(0.001).max(1e6),
    }),
    ids: z.object({ seed: z.string(), drawn: z.int().min(0), lastMs: z.int().min(0), tick: z.int().min(0) }),
    settings: z.object({
      policies: policies(),
      limits: z.record(z.string(), z.number()),
      aside: policies().optional(),
    }),
    tables: z.array(
      z.object({
        name: z.string(),
        next: z.int().min(0),
        rows: z.array(z.looseObject({ id: z.string() })),
        seqs: z.array(z.int().min(0)).optional(),
      }),
    ),
  }),
);

/** Positions that a table may have reached: beyond it, a file has made it up. */
const FURTHEST = 2 ** 32;

/** Snapshots that this process handed out: those that come back as they were are taken at their word. */
const own = new WeakMap<object, Snapshot>();

/** A snapshot to hand out, known again when it comes back. */
export function handOut(snapshot: Snapshot): Snapshot {
  const handed = { ...snapshot };
  own.set(handed, snapshot);
  return handed;
}

function ownIn(state: unknown): Snapshot | undefined {
  const snapshot = typeof state === 'object' && state !== null ? own.get(state) : undefined;
  const isSame =
    snapshot && Object.entries(snapshot).every(([key, value]) => Reflect.get(state as object, key) === value);
  return isSame ? snapshot : undefined;
}

/** A state that came from outside, as a snapshot that a world can become. Throws a sentence, and nothing has changed. */
export function stateIn(world: World, state: unknown): Snapshot {
  const known = ownIn(state);
  if (known) return known;
  const parsed = SnapshotShape().safeParse(state);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new Error(`${issue?.path.join('.') || 'the whole'}: ${issue?.message}`);
  }
  return fitting(world, parsed.data);
}

/** A state of the right shape, if it also fits. Throws a sentence, and nothing has changed. */
export function fitting(world: World, state: z.output<ReturnType<typeof SnapshotShape>>): Snapshot {
  const snapshot = state as Snapshot;
  const names = snapshot.tables.map((table) => table.name);
  if (new Set(names).size < names.length) throw new Error('a table stands in it twice');
  snapshot.tables.forEach(checkTable);
  rehearse(world, snapshot);
  return snapshot;
}

/** Positions ascend and end before the next one, ids are unique, and jobs are jobs. */
function checkTable({ name, next, rows, seqs = rows.map((_, i) => i) }: Snapshot['tables'][number]): void {
  if (seqs.length !== rows.length) throw new Error(`${name}: rows and their positions do not match`);
  if (next > FURTHEST) throw new Error(`${name}: no table has ever had ${next} rows`);
  seqs.forEach((seq, i) => {
    if (seq >= next || (i > 0 && seq <= (seqs[i - 1] as number))) throw new Error(`${name}: positions out of order`);
  });
  if (new Set(rows.map((row) => row.id)).size < rows.length) throw new Error(`${name}: an id stands in it twice`);
  if (name !== JOBS.name) return;
  const bad = rows.find((row) => !JobRow().safeParse(row).success);
  if (bad) throw new Error(`${name}: ${bad.id} is no job`);
}

/** Try a state in a world of its own first: one that does not fit must leave the present one alone. */
function rehearse(world: World, snapshot: Snapshot): void {
  const trial = new World({ id: 'trial', seed: 'trial', keySeed: 'trial', profile: world.profile, parts: PARTS });
  try {
    world.openTablesIn(trial);
    trial.restore({
      ...snapshot,
      clock: { ...snapshot.clock, mode: 'held' },
      tables: snapshot.tables.filter((t) => t.name !== JOBS.name),
    });
    if (!snapshot.tables.some((t) => t.name === 'platform' && t.rows.length === 1))
      throw new Error('it has no platform');
  } finally {
    trial.close();
  }
}
