import type { Customer } from '../areas/customers/index.ts';
import { COUNTRIES } from '../contract/shapes.ts';

/** A value and its label. */
export interface Option {
  readonly value: string;
  readonly label: string;
}

/** One field of the form; its name is the path in a change of the customer. */
export interface Field {
  readonly name: string;
  readonly label: string;
  /** The message for a value that is refused. */
  readonly wrong: string;
  readonly type?: 'date' | 'select';
  readonly options?: () => readonly Option[];
  readonly autocomplete?: string;
  readonly wide?: boolean;
  /** True if the field may stay empty: it is never marked as missing. */
  readonly optional?: boolean;
}

let countries: readonly Option[] | undefined;

/** Returns every country by its English name, from Node's own data. */
function countryOptions(): readonly Option[] {
  if (!countries) {
    const names = new Intl.DisplayNames('en', { type: 'region' });
    countries = [...COUNTRIES]
      .map((value) => ({ value, label: names.of(value) ?? value }))
      .sort((a, b) => a.label.localeCompare(b.label, 'en'));
  }
  return countries;
}

const COUNTRY = { type: 'select', options: countryOptions, wrong: 'Please choose a country from the list.' } as const;
const ADDRESS: readonly Field[] = [
  {
    name: 'address.line1',
    label: 'Street and number',
    wrong: 'Please enter the street and the number.',
    autocomplete: 'address-line1',
    wide: true,
  },
  {
    name: 'address.line2',
    label: 'Flat, floor or building',
    wrong: 'Please shorten this line.',
    autocomplete: 'address-line2',
    wide: true,
    optional: true,
  },
  { name: 'address.city', label: 'City', wrong: 'Please enter the city.', autocomplete: 'address-level2' },
  {
    name: 'address.state',
    label: 'State or region',
    wrong: 'Please enter the state or region.',
    autocomplete: 'address-level1',
    optional: true,
  },
  {
    name: 'address.postalCode',
    label: 'Postal code',
    wrong: 'Please enter the postal code.',
    autocomplete: 'postal-code',
  },
  { name: 'address.country', label: 'Country', ...COUNTRY, autocomplete: 'country' },
];

const ID_OPTIONS: readonly Option[] = [
  { value: 'SSN', label: 'Social Security number (United States)' },
  { value: 'ITIN', label: 'Individual taxpayer number, ITIN (United States)' },
  { value: 'EIN', label: 'Employer number, EIN (United States)' },
  { value: 'NON_US_TAX_ID', label: 'Tax number of another country' },
];

export const SECTIONS: Readonly<
  Record<Customer['customerType'], readonly { title: string; fields: readonly Field[] }[]>
> = {
  INDIVIDUAL: [
    {
      title: 'About you',
      fields: [
        {
          name: 'fullName',
          label: 'Full name',
          wrong: 'Please enter your name as it is written in your passport or identity card, without other signs.',
          autocomplete: 'name',
          wide: true,
        },
        {
          name: 'birthDate',
          label: 'Date of birth',
          wrong: 'Please enter the day you were born. It cannot be in the future, or before 1900.',
          type: 'date',
          autocomplete: 'bday',
        },
        { name: 'nationality', label: 'Nationality', ...COUNTRY },
        {
          name: 'idType',
          label: 'Kind of tax number',
          wrong: 'As a citizen or resident of the United States, please give a Social Security number or an ITIN.',
          type: 'select',
          options: () => ID_OPTIONS,
        },
        {
          name: 'identifier',
          label: 'Tax number',
          wrong: 'This does not look like a number of the kind you chose. Please check it.',
          autocomplete: 'off',
        },
      ],
    },
    { title: 'Where you live', fields: ADDRESS },
  ],
  BUSINESS: [
    {
      title: 'About the business',
      fields: [
        {
          name: 'businessInfo.legalName',
          label: 'Legal name',
          wrong: 'Please enter the name under which the business is registered.',
          autocomplete: 'organization',
          wide: true,
        },
        {
          name: 'businessInfo.registrationNumber',
          label: 'Registration number',
          wrong: 'Please enter the number under which the business is registered.',
        },
        {
          name: 'businessInfo.taxId',
          label: 'Tax number',
          wrong: 'This does not look like a tax number of the country you chose. Please check it.',
        },
        {
          name: 'businessInfo.incorporatedOn',
          label: 'Founded on',
          wrong: 'Please enter the day the business was founded. It cannot be in the future.',
          type: 'date',
        },
        { name: 'businessInfo.country', label: 'Country of registration', ...COUNTRY },
      ],
    },
    { title: 'Where the business is', fields: ADDRESS },
  ],
};

const fieldsOf = (customer: Customer): Field[] => SECTIONS[customer.customerType].flatMap((section) => section.fields);

/** Returns what the customer has already given, by field name. The tax number is never shown again. */
export function storedValues(customer: Customer): Record<string, string> {
  const values: Record<string, string> = {};
  for (const { name } of fieldsOf(customer)) {
    let at: unknown = customer.details;
    for (const step of name.split('.')) at = (at as Record<string, unknown> | undefined)?.[step];
    if (typeof at === 'string') values[name] = at;
  }
  return values;
}

/** Returns the form as a change of the customer: empty fields stay as they are; an address is always sent whole. */
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
