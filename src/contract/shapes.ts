import * as z from 'zod';
import { ERRORS, type ErrorCode } from './errors.ts';
import { issueText } from './issue-text.ts';
import { lazy, named, type Shape } from './lazy.ts';

// The message of a schema about a value that it refuses, here and in scenarios, tools and controls.
z.config({ localeError: issueText });

/** Shapes that every area needs. They are thunks: see `lazy`. */

/** A moment as replies show it: ISO 8601 in UTC, with `Z` (spec 2). */
export const Moment = lazy(() => z.iso.datetime({ error: 'not an ISO 8601 date-time in UTC' }));

/** Returns a schema for a moment as UTC text; it refuses one outside the years 0000 to 9999, which has no such text. */
const inUtc = (sent: z.ZodType<string>, description?: string) =>
  sent
    .transform((text, { issues, value }) => {
      const utc = new Date(text).toISOString();
      if (!/^\d{4}-/.test(utc))
        issues.push({ code: 'custom', message: 'outside the years 0000 to 9999 in UTC', input: value });
      return utc;
    })
    .meta({ wire: { type: 'string', format: 'date-time', ...(description ? { description } : {}) } });

/** A moment in a request body, ISO 8601 with `Z` or an offset; kept in UTC. */
export const SentMoment = () => inUtc(z.iso.datetime({ offset: true, error: 'not an ISO 8601 date-time' }));

/** A calendar day that exists, `YYYY-MM-DD` (spec 2.1). */
export const Day = lazy(() => z.iso.date({ error: 'not a calendar date of the form YYYY-MM-DD' }));

/** The ISO 3166-1 alpha-2 codes in use. */
export const COUNTRIES: ReadonlySet<string> = new Set(
  (
    'AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ CA CC ' +
    'CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR GA GB ' +
    'GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP KE ' +
    'KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT ' +
    'MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU ' +
    'RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ ' +
    'UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW'
  ).split(' '),
);

/** Countries of the European Union, and those of the European Economic Area. */
export const EU_COUNTRIES: readonly string[] =
  'AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK'.split(' ');
export const EEA_COUNTRIES: readonly string[] = [...EU_COUNTRIES, 'IS', 'LI', 'NO'].sort();

/** An ISO 3166-1 alpha-2 country code. */
export const Country = lazy(() =>
  z
    .string()
    .refine((code) => COUNTRIES.has(code), {
      error: 'not an ISO 3166-1 alpha-2 country code',
      params: { format: 'iso3166-1-alpha-2' },
    })
    .meta({ examples: ['US'] }),
);

/** A currency code: upper case, ISO 4217 or a ticker. */
export const CurrencyCode = lazy(() =>
  z
    .string()
    .regex(/^[A-Z0-9]{2,10}$/, 'not a currency code')
    .meta({ examples: ['USD'] }),
);

export const E164 = /^\+[1-9][0-9]{1,14}$/;

/** An E.164 phone number. */
export const Phone = lazy(() =>
  z
    .string()
    .regex(E164, 'not an E.164 phone number')
    .meta({ examples: ['+14155550123'] }),
);

const NO_EMAIL = 'not an email address';

/** An email address; zod allows a part of its domain to end with a hyphen, RFC 5321 (4.1.2) does not. */
export const Email = lazy(() =>
  z
    .email({ error: NO_EMAIL })
    .max(320)
    .refine((text) => !/@.*-\./.test(text), NO_EMAIL),
);

/** Returns the schema of free text with an upper bound, so that a reply is never larger than a request could be. */
export const Text = (max = 1000) => z.string().max(max);

/** Returns the members of a record as a PATCH accepts them: an optional one may be `null`, which clears it. */
export const clearable = <S extends z.core.$ZodLooseShape>(shape: S) =>
  Object.fromEntries(
    Object.entries(shape).map(([name, member]) => [name, member instanceof z.ZodOptional ? member.nullable() : member]),
  ) as { [K in keyof S]: S[K] extends z.ZodOptional ? z.ZodNullable<S[K]> : S[K] };

/** Returns a record after a change: a missing member stays, `null` removes one. */
export function patched<T extends object>(
  old: T | undefined,
  change: { readonly [K in keyof T]?: T[K] | null | undefined },
): T {
  const next: Partial<T> = { ...old };
  for (const name of Object.keys(change) as (keyof T)[]) {
    const value = change[name];
    if (value === null) delete next[name];
    else if (value !== undefined) next[name] = value;
  }
  return next as T;
}

/** Returns a record without its undefined members. */
export const present = <T extends object>(record: T) =>
  Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>;
  };

/** A postal address (spec 2.1); a country code is always part of it (spec 2.1 rule 4). */
export const Address = named('Address', () =>
  z.object({
    line1: Text().min(1),
    line2: Text().optional(),
    city: Text().optional(),
    state: Text().optional(),
    postalCode: Text(32).min(1),
    country: Country(),
  }),
);

/**
 * Returns the schema of a whole number with a default in a query, where it is text; `wire` is its form in the document.
 */
export function WholeNumber(number: z.ZodDefault<z.ZodNumber>) {
  const { innerType, defaultValue } = number.def;
  const { minValue: minimum, maxValue: maximum } = innerType;
  return z
    .string()
    .regex(/^-?[0-9]{1,15}$/, 'not a whole number')
    .transform(Number)
    .pipe(innerType)
    .default(defaultValue)
    .meta({ wire: { type: 'integer', minimum, maximum, default: defaultValue } })
    .describe(number.description ?? '');
}

/** `true` or `false` in a query. */
export const QueryBoolean = () =>
  z
    .enum(['true', 'false'])
    .transform((text) => text === 'true')
    .meta({ wire: { type: 'boolean' } });

/**
 * Returns the schema of a moment in a query, as the UTC text with which rows are compared: a date-time, one without
 * seconds, or a date, which is its midnight in UTC.
 */
export const QueryMoment = () =>
  inUtc(
    z.union(
      [z.iso.datetime({ offset: true }), z.iso.datetime({ offset: true, precision: -1 }), z.iso.date()],
      'not an ISO 8601 date-time or date',
    ),
    'A date-time, with or without seconds, or a date: its midnight in UTC',
  );

/** `cursor` and `limit` of every list (spec 4.1: default 20, maximum 100). */
export const pageInput = () => ({
  cursor: z.string().min(1).max(200).optional().describe('The nextCursor of the page before'),
  limit: z.int().min(1).max(100).default(20).describe('Rows a page'),
});
/** `cursor` and `limit` in a query. */
export const pageQuery = () => ({ ...pageInput(), limit: WholeNumber(pageInput().limit) });

/** A page of rows of one shape (spec 2.7). */
export const pageOf = <T extends z.ZodType>(id: string, row: Shape<T>) =>
  named(id, () =>
    z.strictObject({
      data: z.array(row()),
      hasMore: z.boolean().describe('Whether another page follows'),
      nextCursor: z.string().optional().describe('Only when hasMore is true'),
      totalCount: z.int().optional().describe('Rows that match, whatever the paging'),
    }),
  );

/** One bad field of a request (spec 2.1 rule 4). */
const FieldErrorShape = named('FieldError', () =>
  z.strictObject({
    field: z.string(),
    message: z.string().optional(),
    constraint: z
      .strictObject({
        format: z.string(),
        pattern: z.string(),
        enum: z.array(z.string()),
        minLength: z.int(),
        maxLength: z.int(),
      })
      .partial()
      .meta({ id: 'FieldConstraint' })
      .optional(),
  }),
);

/** The possible details of a refusal, by its status; those of other statuses have no fixed members. */
const DETAILS: Readonly<Record<number, Shape>> = {
  400: lazy(() => z.looseObject({ errors: z.array(FieldErrorShape()).optional() })),
  423: lazy(() =>
    z.looseObject({
      suspended: z.boolean().optional(),
      lockedUntil: Moment().nullable().optional(),
      failedAttempts: z.int().optional(),
    }),
  ),
};

/** Returns the schema of the error body of one status (spec 7). */
export const errorShape = (status: number, codes: readonly ErrorCode[]) =>
  z
    .strictObject({
      status: z.literal(status),
      code: z.enum(codes as [ErrorCode, ...ErrorCode[]]),
      message: z.string(),
      details: (DETAILS[status]?.() ?? z.record(z.string(), z.unknown())).optional(),
      reason: z.string().optional().describe('Which check failed, as in details.reason'),
    })
    .meta({ id: `Error${status}` });

/** Returns every code of a status, for documents that do not narrow it. */
export const codesOf = (status: number): ErrorCode[] =>
  (Object.keys(ERRORS) as ErrorCode[]).filter((code) => ERRORS[code] === status);

const UUID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
const idShapes = new Map<string, z.ZodString>();

/** Returns the schema of a record's id (spec 2): its type, a colon, a UUID. */
export function IdOf(type: string): z.ZodString {
  let shape = idShapes.get(type);
  if (!shape) {
    shape = z.string().regex(new RegExp(`^${type}:${UUID}$`), `not of the form ${type}:<uuid>`);
    idShapes.set(type, shape);
  }
  return shape;
}

/** The latest moment of a `Date`, in milliseconds since 1970. */
const END_OF_TIME = 8.64e15;

/** A moment of the virtual clock as rows store it: milliseconds since 1970. */
export const Instant = () => z.number().min(0).max(END_OF_TIME);

/** Minor units of a currency, up to a safe integer; negative if money leaves. */
export const MinorUnits = () => z.int();

/** The greatest depth of a value without a fixed shape, in requests and replies. */
const DEEPEST = 64;

function isShallow(value: unknown, depth = 0): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return depth < DEEPEST && Object.values(value).every((member) => isShallow(member, depth + 1));
}

/** A JSON value of any shape, not nested too deep to be walked. */
export const AnyValue = lazy(() => z.custom<unknown>((value) => isShallow(value), 'nested too deep'));

/** An object of any members, not nested too deep to be walked. */
export const AnyRecord = lazy(() => z.record(z.string(), AnyValue()));
