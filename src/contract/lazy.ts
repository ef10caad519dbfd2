import type * as z from 'zod';

/** A schema that is built when it is first needed. */
export type Shape<T extends z.ZodType = z.ZodType> = () => T;

/**
 * Returns a function that builds at the first call, then returns the same value. Schemas are declared this way because
 * building those of 150 operations takes a tenth of a second, and most runs never need them.
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

/** Returns a schema under its name in the OpenAPI document, built when it is first needed. */
export const named = <T extends z.ZodType>(id: string, build: () => T): Shape<T> => lazy(() => build().meta({ id }));

/** Checks of zod that read a length. */
const LENGTHS: ReadonlySet<string> = new Set(['min_length', 'max_length', 'length_equals']);

/** Returns whether a value has a length that is a number. */
const hasLength = ({ value }: z.core.ParsePayload): boolean => typeof value === 'string' || Array.isArray(value);

const seen = new WeakSet<object>();

/**
 * Makes every schema from `lazy` check the type before the length. zod reads the member `length` of any value, even of
 * objects that clients send, and throws if it is not a number.
 */
function measureLengthsOfTextsAndLists(node: unknown): void {
  if (typeof node !== 'object' || node === null || seen.has(node)) return;
  seen.add(node);
  const { _zod: inner } = node as { _zod?: { def: z.core.$ZodCheckDef } };
  const parts: object = inner ? inner.def : node;
  if (inner && LENGTHS.has(inner.def.check)) inner.def.when = hasLength;
  for (const part of Object.values(parts)) if (isPartOfSchema(part)) measureLengthsOfTextsAndLists(part);
}

/** Returns whether to walk a part of a definition: schemas, checks, lists of them and plain records of them. */
const isPartOfSchema = (part: unknown): boolean =>
  typeof part === 'object' &&
  part !== null &&
  ('_zod' in part || Array.isArray(part) || Object.getPrototypeOf(part) === Object.prototype);
