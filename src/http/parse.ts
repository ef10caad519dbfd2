import { fail } from '../contract/errors.ts';

/** Levels of lists and objects that a JSON body may have: no operation needs ten, and what is done with one recurses. */
export const DEEPEST = 100;

/** JSON, or 400 `INVALID_REQUEST_FORMAT` saying where it breaks, or that it is nested too deep. */
export function parseJson(text: string, contentType: string | undefined): unknown {
  if (contentType !== undefined && !/\bjson\b/i.test(contentType))
    fail('INVALID_REQUEST_FORMAT', `the body must be sent as application/json, not as ${contentType.split(';')[0]}`, {
      why: { rule: 'spec 4: bodies are JSON unless stated', expected: 'application/json', seen: contentType },
    });
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return fail('INVALID_REQUEST_FORMAT', `the body is not JSON: ${(error as Error).message}`);
  }
  if (opensMore(text, DEEPEST) && depthOf(text) > DEEPEST)
    fail('INVALID_REQUEST_FORMAT', `the body is nested more than ${DEEPEST} levels deep`, {
      why: { rule: 'request depth', expected: DEEPEST },
    });
  return value;
}

const [QUOTE, BACKSLASH] = [0x22, 0x5c];
const OPENING: ReadonlySet<number> = new Set([0x5b, 0x7b]);
const CLOSING: ReadonlySet<number> = new Set([0x5d, 0x7d]);

/** Whether a text has more brackets that open than so many, which is a matter of a few searches for most. */
function opensMore(text: string, most: number): boolean {
  let left = most;
  for (const bracket of ['{', '['])
    for (let at = text.indexOf(bracket); at >= 0; at = text.indexOf(bracket, at + 1)) if ((left -= 1) < 0) return true;
  return false;
}

/** How deep the brackets of a JSON text go, up to just beyond what is allowed. */
function depthOf(text: string): number {
  let [depth, deepest] = [0, 0];
  for (let i = 0; i < text.length && deepest <= DEEPEST; i += 1) {
    const code = text.charCodeAt(i);
    if (code === QUOTE) i = endOfText(text, i);
    else if (OPENING.has(code)) deepest = Math.max(deepest, (depth += 1));
    else if (CLOSING.has(code)) depth -= 1;
  }
  return deepest;
}

/** Where the text in quotes ends that begins here. */
function endOfText(text: string, start: number): number {
  for (let i = start + 1; i < text.length; i += 1) {
    const code = text.charCodeAt(i);
    if (code === QUOTE) return i;
    if (code === BACKSLASH) i += 1;
  }
  return text.length;
}
