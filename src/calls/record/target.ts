import { decode } from '../../contract/decode.ts';
import { maskPath, maskTarget } from '../../sandbox/mask.ts';
import type { Entry } from '../../sandbox/request-log.ts';
import type { Names, Template } from './template.ts';

/** The origin of an emulator without a socket. */
export const BASE = 'http://127.0.0.1:4010';

/** Characters that may stand unescaped in a path or a query: a value with others keeps its escapes. */
const PLAIN = /^[\w.~!$'()*,;:@-]*$/;

/**
 * Returns path and query of a request below `base`, byte for byte as they were sent, with secrets masked and named
 * values as variables. A client may have escaped such a value, an id's colon for example.
 */
export function targetOf(entry: Entry, base: string, names: Names): Template {
  const path = entry.path.slice(base.length);
  const maskedPath = maskPath(entry).slice(base.length).split('/');
  const masked = maskTarget(entry).slice(maskPath(entry).length).split('&');
  const query = entry.query.split('&').flatMap((part, i): Template => {
    const from = part.indexOf('=') + 1;
    const [name, value] = [part.slice(0, from), part.slice(from)];
    const named = namedIn(value, names);
    const isKnown = names.of(decode(value)) !== undefined;
    const shown: Template = isKnown || part === masked[i] ? [name, ...(named ?? [value])] : [masked[i] ?? ''];
    return i > 0 ? ['&', ...shown] : shown;
  });
  const segments = path.split('/').flatMap((segment, i): Template => {
    const named = namedIn(segment, names) ?? [maskedPath[i] ?? ''];
    return i > 0 ? ['/', ...named] : named;
  });
  return joined([...segments, ...query]);
}

/**
 * Returns a part of a target with its named values as variables; undefined if it has none, or none that may stand
 * there.
 */
function namedIn(piece: string, names: Names): Template | undefined {
  const template = names.template(decode(piece));
  if (!template.some((part) => typeof part !== 'string')) return undefined;
  return PLAIN.test(decode(piece)) ? template : undefined;
}

/** Returns a template with adjacent fixed texts joined. */
function joined(template: Template): Template {
  const parts: Template[number][] = [];
  for (const part of template) {
    const last = parts.at(-1);
    if (part === '') continue;
    if (typeof part === 'string' && typeof last === 'string') parts[parts.length - 1] = last + part;
    else parts.push(part);
  }
  return parts;
}
