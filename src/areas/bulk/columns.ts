import type { FieldError } from '../../kernel/errors.ts';

/** Every column that means something, and where a customer keeps it; others are ignored. */
export const COLUMNS = {
  umaAddress: 'umaAddress',
  platformCustomerId: 'platformCustomerId',
  customerType: 'customerType',
  fullName: 'fullName',
  birthDate: 'birthDate',
  email: 'email',
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

/** Columns that every file has (reference 14.1). */
export const REQUIRED: readonly Column[] = ['umaAddress', 'platformCustomerId', 'customerType'];

const ADDRESS: readonly Column[] = ['addressLine1', 'postalCode', 'country'];
/** What a row of each type must fill in beside those. */
const NEEDED: ReadonlyMap<unknown, readonly Column[]> = new Map<unknown, readonly Column[]>([
  ['INDIVIDUAL', ['fullName', 'birthDate', ...ADDRESS]],
  ['BUSINESS', ADDRESS],
]);
const OF_TYPE: Readonly<Partial<Record<Column, string>>> = {
  fullName: 'INDIVIDUAL',
  birthDate: 'INDIVIDUAL',
  businessLegalName: 'BUSINESS',
  businessRegistrationNumber: 'BUSINESS',
  businessTaxId: 'BUSINESS',
};

const BY_PATH = new Map<string, string>(Object.entries(COLUMNS).map(([name, path]) => [path, name]));
/** The column that a customer's field came from; the field's own name when it came from none. */
export const columnOf = (path: string): string => BY_PATH.get(path) ?? path;

/** Which cell of a row is which column; `undefined` is one that nobody knows. */
export type Header = readonly (Column | undefined)[];

export const headerOf = (cells: readonly string[]): Header =>
  cells.map((cell) => {
    const name = cell.trim();
    return Object.hasOwn(COLUMNS, name) ? (name as Column) : undefined;
  });

/** The cells of a row in the shape of a create request; what is empty is not there, and a UMA address gets its `$`. */
export function customerFrom(header: Header, cells: readonly string[]): Record<string, unknown> {
  const sent: Record<string, unknown> = {};
  const type = cells[header.indexOf('customerType')]?.trim();
  for (let i = 0; i < header.length; i += 1) {
    const name = header[i];
    const cell = cells[i]?.trim();
    if (name === undefined || cell === undefined || cell === '') continue;
    if (OF_TYPE[name] !== undefined && OF_TYPE[name] !== type) continue;
    const [head, tail] = COLUMNS[name].split('.') as [string, string?];
    if (tail === undefined) sent[head] = name === 'umaAddress' && !cell.startsWith('$') ? `$${cell}` : cell;
    else ((sent[head] ??= {}) as Record<string, string>)[tail] = cell;
  }
  return sent;
}

/** The columns that a row of its type leaves empty and should not. */
export function missingFrom(sent: Readonly<Record<string, unknown>>): FieldError[] {
  const needed = [...REQUIRED, ...(NEEDED.get(sent['customerType']) ?? [])];
  return needed
    .filter((name) => {
      const [head, tail] = COLUMNS[name].split('.') as [string, string?];
      const value = sent[head];
      return (tail === undefined ? value : (value as Record<string, unknown> | undefined)?.[tail]) === undefined;
    })
    .map((field) => ({ field, message: 'required' }));
}
