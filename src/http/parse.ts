import { fail } from '../contract/errors.ts';

/** The deepest nesting of lists and objects in a JSON body: no operation needs ten, and its processing recurses. */
export const DEEPEST = 100;
/** The most members of one object, because schemas name them one by one. */
const MOST_MEMBERS = 10_000;
/** The most values of a body in total; other calls wait while they are processed. */
const MOST_VALUES = 100_000;
/** The length from which on values are counted: a shorter text cannot contain that many. */
const COUNTED_FROM = 50_000;

/**
 * Returns the value of a JSON text. 400 `INVALID_REQUEST_FORMAT` with the position of its fault, or the bound that it
 * exceeds.
 */
export function parseJson(text: string, contentType?: string): unknown {
  if (contentType !== undefined && !/\bjson\b/i.test(contentType))
    fail('INVALID_REQUEST_FORMAT', `the body must be sent as application/json, not as ${contentType.split(';')[0]}`, {
      why: { rule: 'spec 4: bodies are JSON unless stated', expected: 'application/json', seen: contentType },
    });
  if (text.length >= COUNTED_FROM || opensMore(text, DEEPEST)) refuseBeyond(text, MOST_VALUES);
  try {
    return JSON.parse(text);
  } catch (error) {
    return fail('INVALID_REQUEST_FORMAT', `the body is not JSON: ${whereItBreaks(text, error)}`);
  }
}

/**
 * Returns the message of `JSON.parse`, in the words of every Node version: newer ones append the line and the column to
 * the position, and name a missing colon where Node 20 names the token behind it.
 */
function whereItBreaks(text: string, error: unknown): string {
  const at = missingColon(text);
  return at === undefined
    ? (error as Error).message.replace(/ \(line \d+ column \d+\)$/, '')
    : `Expected ':' after property name in JSON at position ${at}`;
}

/** Returns the place where a text lacks a colon, if that is the first fault of its JSON. */
function missingColon(text: string): number | undefined {
  const open: string[] = [];
  let before = '';
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at] as string;
    if (sign === '"') {
      const end = endOfString(text, at);
      const next = open.at(-1) === '}' && (before === '{' || before === ',') ? afterSpace(text, end) : undefined;
      if (next !== undefined && text[next] !== ':')
        return isJson(`${text.slice(0, end)}:0${open.reverse().join('')}`) ? next : undefined;
      at = end - 1;
    } else if (sign === '{' || sign === '[') open.push(sign === '{' ? '}' : ']');
    else if (sign === '}' || sign === ']') open.pop();
    if ('"{}[],:'.includes(sign)) before = sign;
  }
  return undefined;
}

/** Returns the place behind the string that begins at `start`; a string without an end reaches to that of the text. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1)
    if (text[at] === '\\') at += 1;
    else if (text[at] === '"') return at + 1;
  return text.length;
}

function afterSpace(text: string, start: number): number {
  let at = start;
  while (at < text.length && ' \t\n\r'.includes(text[at] as string)) at += 1;
  return at;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a];
const OPENING: ReadonlySet<number> = new Set([0x5b, 0x7b]);
const CLOSING: ReadonlySet<number> = new Set([0x5d, 0x7d]);

/** Returns whether a text has more opening brackets than a maximum; for most texts that takes a few searches. */
function opensMore(text: string, most: number): boolean {
  let left = most;
  for (const bracket of ['{', '['])
    for (let at = text.indexOf(bracket); at >= 0; at = text.indexOf(bracket, at + 1)) if ((left -= 1) < 0) return true;
  return false;
}

/** Counts levels, members and values of a JSON text while it is read. 400 `INVALID_REQUEST_FORMAT` beyond a bound. */
export class Bounds {
  readonly #mostValues: number;
  /** The number of members so far in each open object. */
  readonly #members: number[] = [];
  #values = 1;

  constructor(mostValues: number) {
    this.#mostValues = mostValues;
  }

  /** Counts the start of a list or object. */
  open(): void {
    if (this.#members.push(0) > DEEPEST)
      beyond(`the body is nested more than ${DEEPEST} levels deep`, 'request depth', DEEPEST);
    this.#values += 1;
  }

  close(): void {
    this.#members.pop();
  }

  /** Counts the name of a member. */
  member(): void {
    const last = this.#members.length - 1;
    if ((this.#members[last] = (this.#members[last] ?? 0) + 1) > MOST_MEMBERS)
      beyond(`an object of the body has more than ${MOST_MEMBERS} members`, 'request members', MOST_MEMBERS);
  }

  /** Counts a comma: another value follows. */
  next(): void {
    if ((this.#values += 1) > this.#mostValues)
      beyond(`the body has more than ${this.#mostValues} values`, 'request values', this.#mostValues);
  }
}

const beyond = (what: string, rule: string, expected: number): never =>
  fail('INVALID_REQUEST_FORMAT', what, { why: { rule, expected } });

/** Checks a JSON text against its bounds before it is parsed. */
function refuseBeyond(text: string, mostValues: number): void {
  const bounds = new Bounds(mostValues);
  for (let i = 0; i < text.length; i += 1) {
    const code = text.charCodeAt(i);
    if (code === QUOTE) i = endOfText(text, i);
    else if (OPENING.has(code)) bounds.open();
    else if (CLOSING.has(code)) bounds.close();
    else if (code === COLON) bounds.member();
    else if (code === COMMA) bounds.next();
  }
}

/**
 * Returns the end of the string that begins at a position; one of megabytes is a file, whose end a single search finds.
 */
function endOfText(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let slashes = 0;
    while (text.charCodeAt(end - 1 - slashes) === BACKSLASH) slashes += 1;
    if (slashes % 2 === 0) return end;
  }
  return text.length;
}
