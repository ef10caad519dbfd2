import type { Customer } from '../../areas/customers/index.ts';

/** One line of the form; its name is the path in a change of the customer. */
export interface Field {
  readonly name: string;
  readonly label: string;
  readonly type?: 'date' | 'select';
  readonly options?: readonly string[];
  readonly hint?: string;
  readonly autocomplete?: string;
  readonly wide?: boolean;
  /** May be left out for good: it is never marked as missing. */
  readonly optional?: boolean;
}

const COUNTRY = { hint: 'Two letters, such as US', label: 'Country' } as const;
const ADDRESS: readonly Field[] = [
  { name: 'address.line1', label: 'Street and number', autocomplete: 'address-line1', wide: true },
  { name: 'address.line2', label: 'Address, second line', autocomplete: 'address-line2', wide: true, optional: true },
  { name: 'address.city', label: 'City', autocomplete: 'address-level2' },
  { name: 'address.state', label: 'State', autocomplete: 'address-level1', optional: true },
  { name: 'address.postalCode', label: 'Postal code', autocomplete: 'postal-code' },
  { name: 'address.country', ...COUNTRY, autocomplete: 'country' },
];

export const SECTIONS: Readonly<
  Record<Customer['customerType'], readonly { title: string; fields: readonly Field[] }[]>
> = {
  INDIVIDUAL: [
    {
      title: 'About you',
      fields: [
        { name: 'fullName', label: 'Full name', autocomplete: 'name', wide: true },
        { name: 'birthDate', label: 'Date of birth', type: 'date', autocomplete: 'bday' },
        { name: 'nationality', ...COUNTRY, label: 'Nationality' },
        { name: 'idType', label: 'Kind of tax number', type: 'select', options: ['SSN', 'ITIN'] },
        { name: 'identifier', label: 'Tax number', autocomplete: 'off' },
      ],
    },
    { title: 'Where you live', fields: ADDRESS },
  ],
  BUSINESS: [
    {
      title: 'About the business',
      fields: [
        { name: 'businessInfo.legalName', label: 'Legal name', autocomplete: 'organization', wide: true },
        { name: 'businessInfo.registrationNumber', label: 'Registration number' },
        { name: 'businessInfo.taxId', label: 'Tax number' },
        { name: 'businessInfo.incorporatedOn', label: 'Incorporated on', type: 'date' },
        { name: 'businessInfo.country', ...COUNTRY, label: 'Country of incorporation' },
      ],
    },
    { title: 'Principal place of business', fields: ADDRESS },
  ],
};

const fieldsOf = (customer: Customer): Field[] => SECTIONS[customer.customerType].flatMap((section) => section.fields);

/** What the customer has told already, by field name. The tax number is never shown again. */
export function storedValues(customer: Customer): Record<string, string> {
  const values: Record<string, string> = {};
  for (const { name } of fieldsOf(customer)) {
    let at: unknown = customer.details;
    for (const step of name.split('.')) at = (at as Record<string, unknown> | undefined)?.[step];
    if (typeof at === 'string') values[name] = at;
  }
  return values;
}

/** The form as a change: what was left empty stays as it is; an address is always sent whole. */
export function changeOf(customer: Customer, form: URLSearchParams): Record<string, unknown> {
  const change: Record<string, unknown> = {};
  for (const { name } of fieldsOf(customer)) {
    const value = form.get(name)?.trim();
    if (!value) continue;
    const [head, tail] = name.split('.') as [string, string?];
    if (tail === undefined) change[head] = value;
    else change[head] = { ...((change[head] as object | undefined) ?? initial(customer, head)), [tail]: value };
  }
  return change;
}

const initial = (customer: Customer, head: string): object =>
  head === 'address' ? { ...customer.details.address } : {};
