import type { FieldError } from '../../contract/errors.ts';

/**
 * Every known column, and the member of a customer that it fills; others are ignored. They are in the order of a create
 * request's members, so that a row read in it needs no reordering.
 */
export const COLUMNS = {
  customerType: 'customerType',
  platformCustomerId: 'platformCustomerId',
  email: 'email',
  phoneNumber: 'phoneNumber',
  umaAddress: 'umaAddress',
  fullName: 'fullName',
  birthDate: 'birthDate',
  addressLine1: 'address.line1',
  addressLine2: 'address.line2',
  city: 'address.city',
  state: 'address.state',
  postalCode: 'address.postalCode',
  country: 'address.country',
  businessLegalName: 'businessInfo.legalName',
  businessRegistrationNumber: 'businessInfo.registrationNumber',
  businessTaxId: 'businessInfo.taxId',
} as const;
export type Column = keyof typeof COLUMNS;

/** The columns that every file must have (reference 14.1). */
export const REQUIRED: readonly Column[] = ['umaAddress', 'platformCustomerId', 'customerType'];

const ADDRESS: readonly Column[] = ['addressLine1', 'postalCode', 'country'];
/** The further columns that a row of each type must fill in. */
const NEEDED: ReadonlyMap<unknown, readonly Column[]> = new Map<unknown, readonly Column[]>([
  ['INDIVIDUAL', ['fullName', 'birthDate', ...ADDRESS]],
  ['BUSINESS', ['businessLegalName', ...ADDRESS]],
]);
const OF_TYPE: Readonly<Partial<Record<Column, string>>> = {
  fullName: 'INDIVIDUAL',
  birthDate: 'INDIVIDUAL',
  businessLegalName: 'BUSINESS',
  businessRegistrationNumber: 'BUSINESS',
  businessTaxId: 'BUSINESS',
};

const BY_PATH = new Map<string, string>(Object.entries(COLUMNS).map(([name, path]) => [path, name]));
/** Returns the column of a customer's field; the field's own name if it has no column. */
export const columnOf = (path: string): string => BY_PATH.get(path) ?? path;

/** The place of one column's cells in a row and in the request. */
interface Place {
  readonly at: number;
  readonly column: Column;
  readonly head: string;
  readonly tail: string | undefined;
  /** The only type that has this column. */
  readonly type: string | undefined;
}

/** The known columns of a file. */
export interface Header {
  /** In the file's order. */
  readonly names: readonly Column[];
  /** In the order of a create request. */
  readonly places: readonly Place[];
  readonly typeAt: number;
}

const placeOf = (column: Column, at = -1): Place => {
  const [head, tail] = COLUMNS[column].split('.') as [string, string?];
  return { at, column, head, tail, type: OF_TYPE[column] };
};

export function headerOf(cells: readonly string[]): Header {
  const all = cells.map((cell) => cell.trim());
  const names = all.filter((name): name is Column => Object.hasOwn(COLUMNS, name));
  const places = IN_ORDER.flatMap((name) => {
    const at = all.indexOf(name);
    return at < 0 ? [] : [placeOf(name, at)];
  });
  return { names, places, typeAt: all.indexOf('customerType') };
}
const IN_ORDER = Object.keys(COLUMNS) as Column[];

const SPACE = 32;
const LAST_OF_ASCII = 126;
/** Returns whether a character may be white space. */
const isOdd = (code: number): boolean => code <= SPACE || code > LAST_OF_ASCII;

/** Returns a cell without surrounding white space. Testing its ends costs less than trimming a cell that has none. */
function trimmed(cell: string | undefined): string | undefined {
  if (cell === undefined || cell === '') return cell;
  return isOdd(cell.charCodeAt(0)) || isOdd(cell.charCodeAt(cell.length - 1)) ? cell.trim() : cell;
}

/**
 * Returns a row's cells in the shape of a create request, with members in order. Empty cells are left out, and a UMA
 * address gets its `$`.
 */
export function customerFrom(header: Header, cells: readonly string[]): Record<string, unknown> {
  const sent: Record<string, unknown> = {};
  const customerType = trimmed(cells[header.typeAt]);
  for (const { at, column, head, tail, type } of header.places) {
    const cell = trimmed(cells[at]);
    if (cell === undefined || cell === '' || (type !== undefined && type !== customerType)) continue;
    if (tail === undefined) sent[head] = column === 'umaAddress' && !cell.startsWith('$') ? `$${cell}` : cell;
    else ((sent[head] ??= {}) as Record<string, string>)[tail] = cell;
  }
  return sent;
}

const ALWAYS = REQUIRED.map((column) => placeOf(column));
const DEMANDED = new Map([...NEEDED].map(([type, columns]) => [type, [...ALWAYS, ...columns.map((c) => placeOf(c))]]));

const NONE: readonly FieldError[] = [];

/** Returns an error for each column that a row leaves empty although its type needs it. */
export function missingFrom(sent: Readonly<Record<string, unknown>>): readonly FieldError[] {
  let missing: FieldError[] | undefined;
  for (const { column, head, tail } of DEMANDED.get(sent['customerType']) ?? ALWAYS) {
    const value = sent[head];
    if ((tail === undefined ? value : (value as Record<string, unknown> | undefined)?.[tail]) === undefined)
      (missing ??= []).push({ field: column, message: 'required' });
  }
  return missing ?? NONE;
}
