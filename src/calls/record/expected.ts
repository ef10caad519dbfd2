import { MASK } from '../../engine/masking.ts';
import type { Names, TemplatedNode } from './template.ts';

/**
 * Forms of values that differ in every run: ids, moments, dates of now, links, keys, references, account numbers and
 * long random texts.
 */
const PASSING = [
  /^[A-Z][A-Za-z]*:[0-9a-f-]{36}$/,
  /^\d{4}-\d\d-\d\d(?:T.*)?$/,
  /^https?:\/\//,
  /[0-9a-f]{8}-[0-9a-f]{4}-/i,
  /[0-9a-f]{10,}/i,
  /(?=[a-z]*\d)(?=\d*[a-z])[a-z0-9]{8,}/i,
  /^req_\d+$/,
  /^\S{32,}$/,
  // Random letters and digits may happen to be all letters or all digits, so each of these has a pattern of its own.
  // A reference for a deposit.
  /^[A-Z]+-[A-Z0-9]{8}$/,
  // A UMA address that the service made up.
  /^\$[a-z0-9]{12}@/,
  // An account number or a phone number.
  /^\+?\d{8,}$/,
  // The code of an invitation, and the name of an account that an invitation pays.
  /^(?:fund\.)?[0-9a-f]{8}(?:@|$)/,
  // A code with which an agent connects.
  /^[A-Z-]+-[A-Z0-9]{4}-[A-Z0-9]{4}$/,
];

/** Returns whether a value differs in every run. */
export const isPassing = (text: unknown): boolean =>
  typeof text === 'string' && PASSING.some((form) => form.test(text));

/** Members that follow from another one, which may differ in every run. */
const FOLLOWS: ReadonlyMap<string, string> = new Map([['last4', 'platformCardId']]);

/**
 * Returns the members of a reply that are the same in every run, with variables for named values; undefined if there
 * are none.
 */
export function expected(reply: unknown, masked: unknown, names: Names): TemplatedNode | undefined {
  if (masked === MASK) return undefined;
  if (typeof reply === 'string') {
    const text = names.template(reply);
    if (text.some((part) => typeof part !== 'string')) return text.length === 1 ? { text } : undefined;
    return isPassing(reply) || reply.includes(MASK) ? undefined : { text };
  }
  if (typeof reply !== 'object' || reply === null) return { plain: reply as number | boolean | null };
  const inside = (name: string | number): unknown =>
    typeof masked === 'object' && masked !== null ? Reflect.get(masked, name) : undefined;
  if (Array.isArray(reply)) {
    const list = reply.map((one, i) => expected(one, inside(i), names));
    return list.every((one) => one !== undefined) ? { list } : undefined;
  }
  const members = Object.entries(reply).flatMap(([name, one]) => {
    const from = FOLLOWS.get(name);
    if (from !== undefined && isPassing(Reflect.get(reply, from))) return [];
    const value = expected(one, inside(name), names);
    return value === undefined ? [] : [[name, value] as const];
  });
  return members.length > 0 ? { members } : undefined;
}

/** Returns the expected members in which a variable stands: the ids. */
export function onlyNamed(node: TemplatedNode | undefined): TemplatedNode | undefined {
  if (node === undefined || 'plain' in node) return undefined;
  if ('text' in node) return node.text.some((part) => typeof part !== 'string') ? node : undefined;
  // A list without some of its items would be another list.
  if ('list' in node) return undefined;
  const members = node.members.flatMap(([name, one]) => {
    const kept = onlyNamed(one);
    return kept === undefined ? [] : [[name, kept] as const];
  });
  return members.length > 0 ? { members } : undefined;
}
