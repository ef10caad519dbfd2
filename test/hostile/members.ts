import { type Profile, render } from '../../src/contract/profile.ts';
import { sampleOf } from './sample.ts';
import type { Schema } from './schemas.ts';

type Path = readonly (string | number)[];

/** A member of a body that may be text: where it stands, in a body that has its parent. */
export interface TextMember {
  readonly path: Path;
  readonly body: unknown;
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The value with one place of it another; what is missing on the way is made. */
function withAt(value: unknown, [key, ...rest]: Path, next: unknown): unknown {
  if (key === undefined) return next;
  if (typeof key === 'number') {
    const list = Array.isArray(value) ? [...value] : [];
    list[key] = withAt(list[key], rest, next);
    return list;
  }
  return { ...(isRecord(value) ? value : {}), [key]: withAt(isRecord(value) ? value[key] : undefined, rest, next) };
}

const variantsOf = ({ anyOf, oneOf }: Schema): readonly Schema[] => anyOf ?? oneOf ?? [];

/** Whether a value has what names a variant of a union. */
const isOf = (variant: Schema, value: unknown): boolean =>
  isRecord(value) &&
  Object.entries(variant.properties ?? {}).every(
    ([name, member]) => member.const === undefined || member.const === value[name],
  );

/** What tells a variant of a union apart: its members that can have one value only. */
const kindOf = ({ properties = {} }: Schema): string =>
  Object.values(properties)
    .flatMap((member) => (typeof member.const === 'string' ? [member.const] : []))
    .join(' ');

const mayBeText = (schema: Schema): boolean =>
  [schema.type].flat().includes('string') ||
  (schema.enum ?? []).some((one) => typeof one === 'string') ||
  typeof schema.const === 'string' ||
  variantsOf(schema).some(mayBeText);

/**
 * Every member of a body that its schema lets be text, in every variant of every union: in the first example that has the
 * member's parent, else in one with a sample of it.
 */
export function* textMembers(schema: Schema, examples: readonly unknown[], profile: Profile): Generator<TextMember> {
  const inNames = (body: unknown): unknown => JSON.parse(render(profile, body));
  const seen = new Set<string>();
  // Samples are valid by their schema alone, so that they come last.
  let samples = false;
  function* within(at: Schema, value: unknown, path: Path, whole: unknown): Generator<TextMember> {
    if (path.length > 8) return;
    const variants = [...variantsOf(at), ...(at.allOf ?? [])];
    for (const variant of variants) {
      if (at.allOf || isOf(variant, value) || !variant.properties) yield* within(variant, value, path, whole);
      else if (samples) {
        const sample = sampleOf(variant);
        yield* within(variant, sample, path, withAt(whole, path, sample));
      }
    }
    const kind = kindOf(at);
    for (const [name, member] of Object.entries(at.properties ?? {})) {
      const inner = isRecord(value) ? value[name] : undefined;
      yield* inside(member, inner, [...path, name], whole, kind);
    }
    if (at.items) yield* inside(at.items, Array.isArray(value) ? value[0] : undefined, [...path, 0], whole, kind);
    if (typeof at.additionalProperties === 'object')
      yield* inside(at.additionalProperties, undefined, [...path, 'note'], whole, kind);
  }
  function* inside(member: Schema, inner: unknown, path: Path, kept: unknown, kind: string): Generator<TextMember> {
    // The same place in another variant of a union is another one; what lies deeper in both is not.
    const key = `${path.join('.')} ${kind}`;
    if (mayBeText(member) && !seen.has(key)) {
      seen.add(key);
      yield { path, body: inNames(kept) };
    }
    if (!member.properties && !member.items && variantsOf(member).every((one) => !one.properties && !one.items)) return;
    if (inner === undefined && !samples) return;
    const value = inner ?? (member.properties ? sampleOf(member) : undefined);
    yield* within(member, value, path, inner === undefined && value !== undefined ? withAt(kept, path, value) : kept);
  }
  for (const example of examples) yield* within(schema, example, [], example);
  samples = true;
  yield* within(schema, examples[0], [], examples[0]);
}

const PLACE = 'the place of the text';

/** A body as JSON in which one member is a text that is written in its own way. */
export const withText = ({ path, body }: TextMember, json: string): string =>
  JSON.stringify(withAt(body, path, PLACE)).replace(`"${PLACE}"`, () => json);
