import type { Template, TemplatedNode } from './template.ts';

/** The values of variables, by name. */
export type Values = Map<string, string>;

/** Returns a template with its variables replaced by their values. */
export const textOf = (template: Template, values: Values): string =>
  template.map((part) => (typeof part === 'string' ? part : (values.get(part.variable) ?? ''))).join('');

/** Returns a JSON value with its variables replaced by their values. */
export function jsonWith(node: TemplatedNode, values: Values): unknown {
  if ('text' in node) return textOf(node.text, values);
  if ('plain' in node) return node.plain;
  if ('list' in node) return node.list.map((one) => jsonWith(one, values));
  return Object.fromEntries(node.members.map(([name, one]) => [name, jsonWith(one, values)]));
}

/**
 * Returns the path of the first member in which a reply differs from the expectation, and both values. Other members
 * may be anything, as with `toMatchObject`.
 */
export function differenceTo(node: TemplatedNode, reply: unknown, values: Values, at = ''): string | undefined {
  const here = at || 'its top';
  if ('text' in node || 'plain' in node) {
    const wanted = jsonWith(node, values);
    return wanted === reply ? undefined : `${here}: ${shown(reply)} here, not ${shown(wanted)}`;
  }
  if (typeof reply !== 'object' || reply === null) return `${here}: ${shown(reply)} here`;
  if ('list' in node) {
    if (!Array.isArray(reply)) return `${here}: no list here`;
    if (reply.length !== node.list.length) return `${here}: ${reply.length} items here, not ${node.list.length}`;
  }
  const parts =
    'list' in node ? node.list.map((one, i) => [String(i), one] as const) : (node.members as readonly Member[]);
  for (const [name, one] of parts) {
    const found = differenceTo(
      one,
      Object.hasOwn(reply, name) ? Reflect.get(reply, name) : undefined,
      values,
      at ? `${at}.${name}` : name,
    );
    if (found !== undefined) return found;
  }
  return undefined;
}

type Member = readonly [name: string, node: TemplatedNode];

const shown = (value: unknown): string =>
  value === undefined ? 'nothing' : (JSON.stringify(value) ?? '').slice(0, 100);

/** Returns the expected members in which a reply agrees. */
export function agreeing(node: TemplatedNode, reply: unknown, values: Values): TemplatedNode | undefined {
  if (differenceTo(node, reply, values) === undefined) return node;
  if (!('members' in node) || typeof reply !== 'object' || reply === null) return undefined;
  const members = node.members.flatMap(([name, one]) => {
    const same = agreeing(one, Object.hasOwn(reply, name) ? Reflect.get(reply, name) : undefined, values);
    return same === undefined ? [] : [[name, same] as const];
  });
  return members.length > 0 ? { members } : undefined;
}
