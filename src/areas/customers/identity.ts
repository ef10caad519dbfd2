import type { FieldError } from '../../contract/errors.ts';
import type { ID_TYPES } from './schema.ts';

type IdType = (typeof ID_TYPES)[number];

/** The members that the rules about a person's identification check. */
export interface Identity {
  readonly idType?: IdType | undefined;
  readonly identifier?: string | undefined;
  readonly countryOfIssuance?: string | undefined;
  readonly nationality?: string | undefined;
  /** The country of residence. */
  readonly country?: string | undefined;
}

/** The format of each type's number; types with a format are issued by the United States. */
const FORMS: Readonly<Record<IdType, { form: RegExp; format: string } | undefined>> = {
  SSN: { form: /^\d{3}-?\d{2}-?\d{4}$/, format: 'us-ssn' },
  ITIN: { form: /^9\d{2}-?\d{2}-?\d{4}$/, format: 'us-itin' },
  EIN: { form: /^\d{2}-?\d{7}$/, format: 'us-ein' },
  NON_US_TAX_ID: undefined,
};
const OF_US_PERSONS: readonly IdType[] = ['SSN', 'ITIN'];

/**
 * Returns whether a person counts as a US person: by nationality, else by address, else by who issued the number
 * (default: US).
 */
const isUsPerson = ({ nationality, country, countryOfIssuance = 'US' }: Identity): boolean =>
  (nationality ?? country ?? countryOfIssuance) === 'US';

/**
 * Returns what is wrong with a person's identification. US persons need an SSN or ITIN, others any type (spec 2.3). A
 * number must have the format of its type; only the United States issue SSN, ITIN and EIN.
 */
export function identityErrors(person: Identity): FieldError[] {
  const { idType, identifier, countryOfIssuance } = person;
  if (idType === undefined) return [];
  if (isUsPerson(person) && !OF_US_PERSONS.includes(idType)) {
    const message = 'US persons are identified by SSN or ITIN';
    return [{ field: 'idType', message, constraint: { enum: OF_US_PERSONS } }];
  }
  const errors: FieldError[] = [];
  const issued = FORMS[idType];
  if (!issued && countryOfIssuance === 'US')
    errors.push({ field: 'countryOfIssuance', message: `a ${idType} is not issued by US` });
  if (issued && countryOfIssuance !== undefined && countryOfIssuance !== 'US')
    errors.push({
      field: 'countryOfIssuance',
      message: `an ${idType} is issued by US only`,
      constraint: { enum: ['US'] },
    });
  if (issued && identifier !== undefined && !issued.form.test(identifier)) {
    const { form, format } = issued;
    errors.push({
      field: 'identifier',
      message: `not a valid ${idType}`,
      constraint: { format, pattern: form.source },
    });
  }
  return errors;
}

/** The earliest birth date that is accepted. */
const OLDEST = '1900-01-01';

/** Returns what is wrong with a birth date, which must lie between 1900 and `today`, a UTC day as `YYYY-MM-DD`. */
export function birthDateError(date: string | undefined, today: string): string | undefined {
  if (date === undefined || (date >= OLDEST && date <= today)) return undefined;
  return date > today ? `lies in the future: today is ${today}` : `lies before ${OLDEST}`;
}
