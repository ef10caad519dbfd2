import { type ErrorCode, fail } from '../contract/errors.ts';
import type { Moment, Picture, Tone } from './story.ts';
import { type Declared, type Row, type TableToken, table } from './table.ts';
import type { World } from './world.ts';

/** The format of a column: a status is a badge, a moment a time, and numbers are aligned right. */
export type ColumnKind = 'id' | 'status' | 'time' | 'number' | 'money';

/**
 * The type of a method, which is checked loosely: one list holds the tables of all areas, and each method only receives
 * its own rows.
 */
type Of<R, T> = { of(row: R, world: World): T }['of'];

export interface Column<R extends Row = Row> {
  readonly name: string;
  readonly of: Of<R, unknown>;
  readonly as?: ColumnKind | undefined;
}

/** The presentation of a table's rows to people. */
interface Shown<R extends Row> {
  /** The plural name, the singular name, and a description. */
  readonly titles: readonly [many: string, one: string, about: string];
  /** The prefix of its ids, if they are `<prefix>:<uuid>`. */
  readonly prefix?: string | readonly string[];
  /** Returns the name by which a person knows a row. */
  readonly label?: Of<R, string | undefined>;
  /** Returns a row as the API shows it; without this function, rows are shown as stored. */
  readonly view?: Of<R, unknown>;
  /** Returns facts about a row that people need and the API does not show. */
  readonly note?: Of<R, string | undefined>;
  /** Returns the picture at the top of a row's page. */
  readonly picture?: Of<R, Picture>;
  /** Returns the past and the future of a row, in causal order. */
  readonly story?: Of<R, readonly Moment[]>;
  /** Returns the ids of rows whose events, requests and jobs belong to this row's story. */
  readonly follows?: Of<R, readonly (string | undefined)[]>;
  /** References to rows whose stories include this row, as a credential's includes its sessions. */
  readonly chapterOf?: readonly string[];
  /** The id of the operation that makes such a row. */
  readonly made?: string;
  /** Members, besides the columns, that a search looks at. */
  readonly sought?: readonly (keyof R & string)[];
  /** Values, by heading, that a list can be filtered by although no column shows them. */
  readonly filters?: Readonly<Record<string, Of<R, unknown>>>;
  readonly tones?: Readonly<Record<string, Tone>>;
  /** True if people look for this resource first. */
  readonly main?: true;
  /** True if its rows are meant to be compared: beside a resource they are shown as a table. */
  readonly wide?: true;
}

/** A table whose rows people see. */
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

/** A column is a member of the row, or a function of the row; optionally with a format. */
type Value<R> = (keyof R & string) | Of<R, unknown>;
type Columns<R> = Readonly<Record<string, Value<R> | readonly [Value<R>, ColumnKind]>>;

/** Declares a table whose rows people see, with its columns by heading. */
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

/** Returns whether people see the rows of a table. */
export const isResource = (token: TableToken<Row>): token is Resource => 'columns' in token;

/** Returns a function that finds a row, hidden or not, or refuses with 404 and `code` if there is none (spec 7). */
export const rowOr404 =
  <R extends Row>(table: TableToken<R>, code: ErrorCode, what: string) =>
  (world: World, id: string): R =>
    world.rows(table).get(id) ?? fail(code, `no ${what} ${id}`, { why: { rule: 'spec 7, status 404', seen: id } });
