import { MASK } from '../../engine/masking.ts';
import type { Names, TemplatedNode } from './template.ts';

/** What is another with every run: ids, moments, dates of now, links, keys and long random texts. */
const PASSING = [
  /^[A-Z][A-Za-z]*:[0-9a-f-]{36}$/,
  /^\d{4}-\d\d-\d\d(?:T.*)?$/,
  /^https?:\/\//,
  /[0-9a-f]{8}-[0-9a-f]{4}-/i,
  /[0-9a-f]{10,}/i,
  /(?=[a-z]*\d)(?=\d*[a-z])[a-z0-9]{8,}/i,
  /^req_\d+$/,
  /^\S{32,}$/,
];

/** The members of a reply that are the same with every run, values that have a name as variables; undefined where none is. */
export function expected(reply: unknown, masked: unknown, names: Names): TemplatedNode | undefined {
  if (masked === MASK) return undefined;
  if (typeof reply === 'string') {
    const text = names.template(reply);
    if (text.some((part) => typeof part !== 'string')) return text.length === 1 ? { text } : undefined;
    return PASSING.some((form) => form.test(reply)) || reply.includes(MASK) ? undefined : { text };
  }
  if (typeof reply !== 'object' || reply === null) return { plain: reply as number | boolean | null };
  const inside = (name: string | number): unknown =>
    typeof masked === 'object' && masked !== null ? Reflect.get(masked, name) : undefined;
  if (Array.isArray(reply)) {
    const list = reply.map((one, i) => expected(one, inside(i), names));
    return list.every((one) => one !== undefined) ? { list } : undefined;
  }
  const members = Object.entries(reply).flatMap(([name, one]) => {
    const value = expected(one, inside(name), names);
    return value === undefined ? [] : [[name, value] as const];
  });
  return members.length > 0 ? { members } : undefined;
}
