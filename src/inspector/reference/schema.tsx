import type { Child } from 'hono/jsx';
import { type Json, namedShape } from '../../calls/document.ts';
import { isObject } from '../../contract/json.ts';
import { escapeControlChars } from '../frame/text.ts';

const asJson = (value: unknown): Json | undefined => (isObject(value) ? value : undefined);
const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const jsons = (...values: unknown[]): Json[] => values.flatMap(list).filter(isObject);

/** The depth beyond which a shape is only named. */
const DEEPEST = 6;

interface Place {
  readonly document: Json;
  /** The named shapes around this one. */
  readonly within: readonly string[];
}

const nameOf = (schema: Json): string | undefined =>
  typeof schema['$ref'] === 'string' ? schema['$ref'].split('/').at(-1) : undefined;

const resolved = (schema: Json, { document }: Place): Json =>
  typeof schema['$ref'] === 'string' ? namedShape(document, schema['$ref']) : schema;

/** A shape as people read it: members, types and descriptions. */
export const Shape = ({ schema, document }: { schema: unknown; document: Json }) => (
  <div class="shape">{unfold(asJson(schema) ?? {}, { document, within: [] })}</div>
);

function unfold(schema: Json, place: Place): Child {
  const name = nameOf(schema);
  if (name !== undefined && (place.within.includes(name) || place.within.length >= DEEPEST))
    return <p class="none">{name}, as above</p>;
  const inner = name === undefined ? place : { ...place, within: [...place.within, name] };
  const real = resolved(schema, place);
  const variants = jsons(real['oneOf'], real['anyOf']);
  const members = asJson(real['properties']);
  if (members) return <Members schema={real} members={members} place={inner} />;
  if (variants.length > 0 && variants.some((one) => isDeep(one, inner)))
    return (
      <div class="variants">
        <p class="none">One of {variants.length}:</p>
        {variants.map((one, i) => (
          <details open={i === 0 && place.within.length < 2}>
            <summary>{labelOf(one, inner, i)}</summary>
            {unfold(one, inner)}
          </details>
        ))}
      </div>
    );
  const items = asJson(real['items']);
  if (items && isDeep(items, inner)) return unfold(items, inner);
  const parts = jsons(real['allOf']);
  if (parts.length > 0) return parts.map((one) => unfold(one, inner));
  return null;
}

const Members = ({ schema, members, place }: { schema: Json; members: Json; place: Place }) => {
  const required = new Set(list(schema['required']));
  return (
    <ul class="members">
      {Object.entries(members).map(([name, value]) => {
        const member = asJson(value) ?? {};
        const real = resolved(member, place);
        const description = member['description'] ?? real['description'];
        const deep = isDeep(member, place);
        return (
          <li>
            <p class="member">
              <code class="member-name">{escapeControlChars(name)}</code>{' '}
              <span class="member-type">{typeOf(member, place)}</span>
              {required.has(name) ? <span class="member-needed">required</span> : null}
            </p>
            {typeof description === 'string' ? <p class="member-said">{escapeControlChars(description)}</p> : null}
            {deep ? (
              <details>
                <summary>Members</summary>
                {unfold(member, place)}
              </details>
            ) : null}
          </li>
        );
      })}
    </ul>
  );
};

/** Returns whether a shape has more than its type. */
function isDeep(schema: Json, place: Place): boolean {
  const name = nameOf(schema);
  if (name !== undefined && (place.within.includes(name) || place.within.length >= DEEPEST)) return false;
  const real = resolved(schema, place);
  const inner = name === undefined ? place : { ...place, within: [...place.within, name] };
  if (asJson(real['properties'])) return true;
  const items = asJson(real['items']);
  if (items) return isDeep(items, inner);
  return jsons(real['oneOf'], real['anyOf'], real['allOf']).some((one) => isDeep(one, inner));
}

/** Returns how a variant differs from the others: its constant members, or its name. */
function labelOf(schema: Json, place: Place, i: number): string {
  const members = asJson(resolved(schema, place)['properties']) ?? {};
  const constants = Object.entries(members).flatMap(([name, value]) => {
    const member = asJson(value);
    return member?.['const'] === undefined ? [] : [`${name} ${String(member['const'])}`];
  });
  return escapeControlChars(
    constants.join(', ') || nameOf(schema) || String(schema['title'] ?? schema['type'] ?? `Variant ${i + 1}`),
  );
}

/** The most values of an enumeration that are shown: enough for all but countries and currencies. */
const MOST_OPTIONS = 40;

/** Returns a type in a few words. */
function typeOf(schema: Json, place: Place, depth = 0): string {
  const real = resolved(schema, place);
  if (depth > 4) return 'object';
  if (real['const'] !== undefined) return JSON.stringify(real['const']);
  const options = list(real['enum']);
  if (options.length > 0) {
    const shown = options.slice(0, MOST_OPTIONS).map((option) => escapeControlChars(JSON.stringify(option)));
    return shown.join(' | ') + (options.length > MOST_OPTIONS ? ` | … ${options.length - MOST_OPTIONS} more` : '');
  }
  const items = asJson(real['items']);
  if (items) return `list of ${typeOf(items, place, depth + 1)}`;
  const variants = jsons(real['oneOf'], real['anyOf']);
  if (variants.length > 0)
    return [...new Set(variants.map((one) => typeOf(one, place, depth + 1)))].slice(0, 6).join(' or ');
  const type = Array.isArray(real['type'])
    ? real['type'].join(' or ')
    : String(real['type'] ?? (real['properties'] ? 'object' : 'any'));
  const said = [
    real['format'],
    real['minLength'] === undefined ? undefined : `min ${String(real['minLength'])}`,
    real['maxLength'] === undefined ? undefined : `max ${String(real['maxLength'])}`,
    real['minimum'] === undefined || Math.abs(Number(real['minimum'])) > 1e15
      ? undefined
      : `≥ ${String(real['minimum'])}`,
    real['maximum'] === undefined || Number(real['maximum']) > 1e15 ? undefined : `≤ ${String(real['maximum'])}`,
    real['default'] === undefined ? undefined : `default ${JSON.stringify(real['default'])}`,
  ].filter((word) => word !== undefined);
  return escapeControlChars([type, ...said].join(', '));
}
