import { type ErrorCode, fail } from '../contract/errors.ts';
import type { Moment, Picture, Tone } from './story.ts';
import { type Declared, type Row, type TableToken, table } from './table.ts';
import type { World } from './world.ts';

/** The form of a column: a status is a badge, a moment a time, numbers stand at the right. */
export type ColumnKind = 'id' | 'status' | 'time' | 'number' | 'money';

/** A method's type: the tables of all areas stand in one list, and each only ever sees rows of its own. */
type Of<R, T> = { of(row: R, world: World): T }['of'];

export interface Column<R extends Row = Row> {
  readonly name: string;
  readonly of: Of<R, unknown>;
  readonly as?: ColumnKind | undefined;
}

/** The presentation of a table's rows to people. */
interface Shown<R extends Row> {
  /** The names of all and of one, and a description. */
  readonly titles: readonly [many: string, one: string, about: string];
  /** The prefix of their ids, where they are `<prefix>:<uuid>`. */
  readonly prefix?: string | readonly string[];
  /** A name that a person knows a row by. */
  readonly label?: Of<R, string | undefined>;
  /** A row as the API shows it; a table without is shown as it is kept. */
  readonly view?: Of<R, unknown>;
  /** Facts about a row that people need and the API does not show. */
  readonly note?: Of<R, string | undefined>;
  /** The first thing that a page shows of a row. */
  readonly picture?: Of<R, Picture>;
  /** Returns the past and the future of a row, in the order in which one leads to the other. */
  readonly story?: Of<R, readonly Moment[]>;
  /** Ids of rows whose events, requests and jobs belong to the story of this one. */
  readonly follows?: Of<R, readonly (string | undefined)[]>;
  /** References whose rows tell of this one, too: a session is a part of what its credential went through. */
  readonly chapterOf?: readonly string[];
  /** The id of the operation that makes one. */
  readonly made?: string;
  /** Members that a list is searched by, besides its columns. */
  readonly sought?: readonly (keyof R & string)[];
  /** Values that a list is filtered by and that no column shows, by their headings. */
  readonly filters?: Readonly<Record<string, Of<R, unknown>>>;
  readonly tones?: Readonly<Record<string, Tone>>;
  /** It is among those that people look for first. */
  readonly main?: true;
  /** Its rows are compared with each other: beside a resource they are shown as a table. */
  readonly wide?: true;
}

/** A table whose rows people look at. */
export interface Resource<R extends Row = Row, I extends string = string>
  extends Omit<TableToken<R, I>, 'many'>,
    Omit<Shown<R>, 'titles' | 'sought' | 'filters'> {
  readonly many: string;
  readonly one: string;
  readonly about: string;
  readonly columns: readonly Column<R>[];
  readonly sought: readonly string[];
  readonly filters: readonly Column<R>[];
}

/** A column is a member of the row, or what a function makes of it; and how that is shown, unless as it is. */
type Value<R> = (keyof R & string) | Of<R, unknown>;
type Columns<R> = Readonly<Record<string, Value<R> | readonly [Value<R>, ColumnKind]>>;

/** Declares a table whose rows people look at, its columns by their headings. */
export function resource<R extends Row, I extends string = never>(
  name: string,
  declared: Omit<Declared<R, I>, 'many'> & Shown<R> & { columns: Columns<R> },
): Resource<R, I> {
  const { titles, columns: declaredColumns, sought = [], filters = {}, ...rest } = declared;
  const [many, one, about] = titles;
  const columns = Object.entries(declaredColumns).map(([heading, column]) => {
    const [value, as]: readonly [Value<R>, ColumnKind?] = typeof column === 'object' ? column : [column];
    const of = typeof value === 'string' ? (row: R) => row[value] : value;
    return { name: heading, of, as, member: typeof value === 'string' ? [value] : [] };
  });
  const members = columns.flatMap(({ member }) => member);
  return {
    ...rest,
    ...table(name, rest),
    ...{ many, one, about, columns },
    sought: [...members, ...sought],
    filters: Object.entries(filters).map(([heading, of]) => ({ name: heading, of })),
  };
}

/** Returns whether people look at the rows of a table. */
export const isResource = (token: TableToken<Row>): token is Resource => 'columns' in token;

/** A function that returns one row of a table, hidden ones included; refuses 404 with `code` when there is none (spec 7). */
export const rowOr404 =
  <R extends Row>(table: TableToken<R>, code: ErrorCode, what: string) =>
  (world: World, id: string): R =>
    world.rows(table).get(id) ?? fail(code, `no ${what} ${id}`, { why: { rule: 'spec 7, status 404', seen: id } });
