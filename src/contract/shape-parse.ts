import * as z from 'zod';
import { type Definition, definitionOf, hasShape, optionsOf } from './shape-check.ts';
import { takes } from './shortcut.ts';

/** The mark of a value that this does not confirm: it may be wrong, and zod decides. */
export const ODD: unique symbol = Symbol('odd');

type Parse = (value: unknown) => unknown;

const known = new WeakMap<z.ZodType, Parse>();

/**
 * Returns the result of `schema.parse(value)`, or `ODD` if zod has to decide. Whole objects are read member by member,
 * without a result object for each. zod handles the members with a transformation, or with an unknown check.
 */
export function parseShape<T extends z.ZodType>(schema: T, value: unknown): z.output<T> | typeof ODD {
  let parse = known.get(schema);
  if (!parse) {
    parse = takes('walks') ? compile(schema) : askZod(schema);
    known.set(schema, parse);
  }
  return parse(value) as z.output<T> | typeof ODD;
}

/** Returns the result of `schema.safeParse(value)`, which alone describes mistakes; `error` words them. */
export function safeParse<T extends z.ZodType>(
  schema: T,
  value: unknown,
  error?: z.core.$ZodErrorMap,
): z.ZodSafeParseResult<z.output<T>> {
  const taken = parseShape(schema, value);
  return taken === ODD ? schema.safeParse(value, error && { error }) : { success: true, data: taken };
}

const askZod =
  (schema: z.ZodType): Parse =>
  (value) => {
    const parsed = schema.safeParse(value);
    return parsed.success ? parsed.data : ODD;
  };

/** Checks that leave a text or a number unchanged, and formats that do; others may change it. */
const PLAIN: ReadonlySet<string | undefined> = new Set([
  'min_length',
  'max_length',
  'custom',
  'number_format',
  'greater_than',
  'less_than',
]);
const PLAIN_FORMATS: ReadonlySet<string | undefined> = new Set([
  undefined,
  'regex',
  'date',
  'datetime',
  'email',
  'safeint',
]);

const isPlain = ({ format, coerce, checks = [] }: Definition): boolean =>
  !coerce &&
  PLAIN_FORMATS.has(format) &&
  checks.every(
    ({ _zod: { def } }) => PLAIN.has(def.check) || (def.check === 'string_format' && def.format === 'regex'),
  );

function compile(schema: z.ZodType): Parse {
  const def = definitionOf(schema);
  const inner = () => compile(def.innerType as z.ZodType);
  switch (def.type) {
    case 'object':
      return object(schema, def);
    case 'array':
      return array(schema, def);
    case 'optional': {
      const parse = inner();
      if (inOf(schema) !== 'optional') return askZod(schema);
      return schema instanceof z.ZodExactOptional ? parse : (value) => (value === undefined ? undefined : parse(value));
    }
    case 'default': {
      const parse = inner();
      return (value) => (value === undefined ? def.defaultValue : parse(value));
    }
    case 'nullable': {
      const parse = inner();
      return (value) => (value === null ? null : parse(value));
    }
    case 'string':
    case 'number':
    case 'boolean':
    case 'enum':
    case 'literal':
      return isPlain(def) ? (value) => (hasShape(schema, value) ? value : ODD) : askZod(schema);
    case 'unknown':
      return def.checks?.length ? askZod(schema) : (value) => value;
    case 'union':
      return def.discriminator && !def.checks?.length ? discriminated(schema, def) : askZod(schema);
    default:
      return askZod(schema);
  }
}

const inOf = (schema: z.ZodType): string | undefined => schema._zod.optin;

interface Member {
  readonly name: string;
  readonly parse: Parse;
  /** The treatment of a missing member. */
  readonly absent: 'left out' | 'filled in' | 'odd';
}

function absentOf(member: z.ZodType): Member['absent'] | undefined {
  const { optout } = member._zod;
  const optin = inOf(member);
  if (optin === undefined) return 'odd';
  if (optin === 'optional' && optout === 'optional') return 'left out';
  return optin === 'defaulted' && optout === undefined ? 'filled in' : undefined;
}

function object(schema: z.ZodType, def: Definition): Parse {
  const members: Member[] = [];
  for (const [name, member] of Object.entries(def.shape ?? {})) {
    const absent = absentOf(member);
    if (name === '__proto__' || absent === undefined) return askZod(schema);
    members.push({ name, parse: compile(member), absent });
  }
  if (def.checks?.length || (def.catchall && definitionOf(def.catchall).type !== 'never')) return askZod(schema);
  const names = new Set(members.map(({ name }) => name));
  return (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return ODD;
    const sent = value as Record<string, unknown>;
    if (def.catchall) for (const name in sent) if (!names.has(name)) return ODD;
    const taken: Record<string, unknown> = {};
    for (const { name, parse, absent } of members) {
      const of = sent[name];
      if (of === undefined && absent !== 'filled in' && !(name in sent)) {
        if (absent === 'left out') continue;
        return ODD;
      }
      const parsed = parse(of);
      if (parsed === ODD) return ODD;
      taken[name] = parsed;
    }
    return taken;
  };
}

function array(schema: z.ZodType, def: Definition): Parse {
  const parse = compile(def.element as z.ZodType);
  let [min, max] = [0, Number.POSITIVE_INFINITY];
  for (const { _zod } of def.checks ?? []) {
    const { check, minimum, maximum } = _zod.def;
    if (check === 'min_length' && minimum !== undefined) min = Math.max(min, minimum);
    else if (check === 'max_length' && maximum !== undefined) max = Math.min(max, maximum);
    else return askZod(schema);
  }
  return (value) => {
    if (!Array.isArray(value) || value.length < min || value.length > max) return ODD;
    const taken: unknown[] = [];
    for (let i = 0; i < value.length; i += 1) {
      const parsed = parse(value[i]);
      if (parsed === ODD) return ODD;
      taken.push(parsed);
    }
    return taken;
  };
}

function discriminated(schema: z.ZodType, def: Definition): Parse {
  const optionOf = optionsOf(def, compile);
  return optionOf ? (value) => optionOf(value)?.(value) ?? ODD : askZod(schema);
}
