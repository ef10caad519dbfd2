import type * as z from 'zod';

/** A schema that is built when it is first needed. */
export type Shape<T extends z.ZodType = z.ZodType> = () => T;

/**
 * Build at first use, then keep. Schemas are declared this way because building 150 operations' worth of them
 * costs a tenth of a second that most runs never need.
 */
export function lazy<T>(build: () => T): () => T {
  let built: { value: T } | undefined;
  return () => {
    if (!built) {
      built = { value: build() };
      measureLengthsOfTextsAndLists(built.value);
    }
    return built.value;
  };
}

/** A schema under the name that it has in the OpenAPI document, built when it is first needed. */
export const named = <T extends z.ZodType>(id: string, build: () => T): Shape<T> => lazy(() => build().meta({ id }));

/** Checks of zod that look at a length. */
const LENGTHS: ReadonlySet<string> = new Set(['min_length', 'max_length', 'length_equals']);

/** Returns whether a value has a length that is a number. */
const hasLength = ({ value }: z.core.ParsePayload): boolean => typeof value === 'string' || Array.isArray(value);

const seen = new WeakSet<object>();

/**
 * zod asks anything that has a member `length` for it, objects that clients send included, and breaks when that member
 * is not a number. Here the type comes before the length, in every schema, for all of them are built by `lazy`.
 */
function measureLengthsOfTextsAndLists(node: unknown): void {
  if (typeof node !== 'object' || node === null || seen.has(node)) return;
  seen.add(node);
  const { _zod: inner } = node as { _zod?: { def: z.core.$ZodCheckDef } };
  const parts: object = inner ? inner.def : node;
  if (inner && LENGTHS.has(inner.def.check)) inner.def.when = hasLength;
  for (const part of Object.values(parts)) if (isPartOfSchema(part)) measureLengthsOfTextsAndLists(part);
}

/** Schemas, checks, lists of them and plain records of them; nothing else of a definition is walked. */
const isPartOfSchema = (part: unknown): boolean =>
  typeof part === 'object' &&
  part !== null &&
  ('_zod' in part || Array.isArray(part) || Object.getPrototypeOf(part) === Object.prototype);
