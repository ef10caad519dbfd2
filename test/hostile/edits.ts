import type { chance } from '../kit/chance.ts';

// biome-ignore lint/suspicious/noExplicitAny: states are spoiled here on purpose
export type State = any;
type Chance = ReturnType<typeof chance>;
type Path = readonly (string | number)[];

/** One change of one member, in words and done. */
export interface Edit {
  readonly table: string;
  readonly id: string;
  readonly says: string;
  readonly state: State;
}

/** Every place of a value, the value itself left out: members, and members of members. */
function placesOf(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) => {
    const at = [...path, Array.isArray(value) ? Number(key) : key];
    return [at, ...placesOf(member, at)];
  });
}

const valueAt = (value: State, path: Path): unknown => path.reduce((inner, key) => inner?.[key], value);

/** What a member becomes; `undefined` deletes it. */
const CHANGES: Readonly<
  Record<string, (random: Chance, old: unknown, base: State, table: string, path: Path) => unknown>
> = {
  deleted: () => undefined,
  null: () => null,
  'of another type': (_, old) => (typeof old === 'string' ? 7 : typeof old === 'number' ? 'seven' : 'text'),
  'an object': () => ({ toString: 1 }),
  'an empty list': () => [],
  negative: (_, old) => (typeof old === 'number' && old !== 0 ? -old : -1),
  huge: () => 9e99,
  'a fraction': () => 0.5,
  'as large as can be counted': () => Number.MAX_SAFE_INTEGER,
  empty: () => '',
  'no such word': () => 'NO_SUCH_WORD',
  'a long text': () => 'x'.repeat(5000),
  'a moment long ago': () => '1970-01-01T00:00:00.000Z',
  'the last moment': () => '9999-12-31T23:59:59.999Z',
  'turned round': (_, old) => (typeof old === 'boolean' ? !old : true),
  'the id of another row': (random, _, base) => {
    const rows = random.of(base.tables.filter((t: State) => t.rows.length > 0) as State[]).rows;
    return random.of(rows as State[]).id;
  },
  'what another row has there': (random, _, base, table, path) =>
    valueAt(random.of(base.tables.find((t: State) => t.name === table).rows as State[]), path),
};

/** Any one member of any row changed in any way; a table with few rows as often as one with many. */
export function editOf(base: State, random: Chance): Edit {
  const tables = base.tables.filter((t: State) => t.rows.length > 0) as State[];
  const { name } = random.of(tables);
  const state = structuredClone(base);
  const row = random.of(state.tables.find((t: State) => t.name === name).rows as State[]);
  const id = String(row.id);
  const path = random.of(placesOf(row));
  const how = random.of(Object.keys(CHANGES));
  const old = valueAt(row, path);
  const value = CHANGES[how]?.(random, old, base, name, path);
  const holder = valueAt(row, path.slice(0, -1)) as State;
  const last = path.at(-1) as string | number;
  if (value === undefined) Array.isArray(holder) ? holder.splice(Number(last), 1) : delete holder[last];
  else holder[last] = value;
  return {
    table: name,
    id,
    says: `${name} ${id}: ${path.join('.')} ${how} (${JSON.stringify(old)?.slice(0, 60)} -> ${JSON.stringify(value)?.slice(0, 60)})`,
    state,
  };
}
