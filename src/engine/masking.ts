import { isSecretAs, plainName } from './secrets.ts';

/** The text that replaces a secret. */
export const MASK = '•••';

/** No secret has a longer name. Without this limit, every quote in a text full of them would be scanned to the end. */
const LONGEST_NAME = 200;
/** The colon between a JSON name and its value. */
const BEHIND_NAME = /\s*:\s*/y;
/** A name, bare or in brackets, and the sign that introduces its value; behind a quoted name the sign may be forgotten. */
const NAME =
  /(?:"((?:[^"\\]|\\.){0,200})"|'((?:[^'\\]|\\.){0,200})')\s*[:=]?\s*|(?<![\w$.%\\-])([A-Za-z_$%][\w$.%\\-]*)\]*\s*[:=]\s*/g;
const STRAY_END = /[,}\]\r\n]|$/g;
const PLAIN_END = /[,&;}\]"'\r\n]|$/g;
/** The note at the end of truncated text. */
const CUT = /\u2026 \(\d+ characters\)$/;
/** Addresses that contain a secret which is their only credential: hosted pages, and those of a device code. */
const LINKS = /(\/kyc\/|\/liveness\/|\/device-codes\/(?!AgentDeviceCode(?::|%3[Aa])))([^\s"'?#/\\<>]+)/g;
const WITH_SECRETS = ['/kyc/', '/liveness/', '/device-codes/'];
/** Escapes of characters that no address needs to escape: without them a path has one spelling. */
const ESCAPE = /%[2-7][0-9a-f]/gi;

function plainlySpelt(text: string): string {
  return text.replaceAll(ESCAPE, (code) => {
    const sign = String.fromCharCode(Number.parseInt(code.slice(1), 16));
    return /[\w.~-]/.test(sign) ? sign : code;
  });
}

/** Returns the secrets of the links in a text, both as spelt and unescaped. */
export const linksIn = (text: string): string[] => [
  ...new Set(
    [...plainlySpelt(text).matchAll(LINKS)].flatMap(([, , secret]) => [secret as string, unescaped(secret as string)]),
  ),
];

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Returns a text with the secrets of its links masked; needless escapes in such a text are resolved. */
export function maskLinks(text: string): string {
  const plain = plainlySpelt(text);
  return WITH_SECRETS.some((part) => plain.includes(part)) ? plain.replaceAll(LINKS, `$1${MASK}`) : text;
}

/** The beginning of a form: a name and `=`; its values may hold anything. */
const FORM = /^[^\s=&]+=/;

/** A comment, which JSON does not allow but many people write. */
const COMMENT = /\/\*.{0,500}?\*\/|\/\/[^\n]*/gs;
/** The boundary of a multipart form, and the headers of its first part. */
const FIRST_PART = /(?:^|[\r\n])(--[^\r\n]+)\r?\n(?:[\w-]+:[^\r\n]*\r?\n){0,20}content-disposition:/i;
/** The name of a multipart part, in its headers. */
const PART_NAME = /[;\s]name\*?\s*=\s*(?:"((?:[^"\\]|\\.){0,200})"|([^\s;"]{1,200}))/i;
/** The number of characters of a part's headers that are read. */
const LONGEST_HEAD = 2000;

/** A range of a text: the start, the end (exclusive), and whether the value is bare. */
type Part = readonly [start: number, end: number, isBare: boolean];

/**
 * Returns a body with secrets masked, whether it is JSON or not, whole or truncated. After each secret name the value
 * is left out, a list or an object as a whole. `hidden` receives each text left out; `instead` returns its replacement.
 */
export function maskText(
  text: string,
  isSecret: (plain: string) => boolean,
  hidden?: (value: string) => void,
  instead?: (value: string) => string,
): string {
  let [out, from] = ['', 0];
  for (const [start, end, isBare] of secretParts(text, isSecret)) {
    const value = text.slice(start, end);
    if (value === '' || /^(?:null|true|false)$/.test(value)) continue;
    hidden?.(value);
    out += text.slice(from, start) + (instead ? instead(value) : isBare ? MASK : `"${MASK}"`);
    from = end;
  }
  return out + text.slice(from);
}

/**
 * Returns the values of secret names, in order. In JSON, text within strings never counts as a name. Anything else is
 * ambiguous: a value may look like a name, so each place is read both ways.
 */
function secretParts(text: string, isSecret: (plain: string) => boolean): Part[] {
  const cut = CUT.exec(text)?.index ?? text.length;
  if (isJson(text)) return jsonParts(text, cut, isSecret);
  const asForm = FORM.test(text) ? formParts(text, 0, cut, isSecret) : [];
  const asJson = readings(text).flatMap((one) => [...jsonParts(one, cut, isSecret), ...looseParts(one, cut, isSecret)]);
  return joined([...asForm, ...multipartParts(text, cut, isSecret), ...asJson]);
}

/**
 * Returns the possible readings of a text, all of the same length: with typographic quotes made straight, and without
 * comments.
 */
function readings(text: string): string[] {
  const straight = text.replaceAll(/[\u201c-\u201f]/g, '"').replaceAll(/[\u2018-\u201b]/g, "'");
  return [...new Set([text, straight, straight.replaceAll(COMMENT, (comment) => ' '.repeat(comment.length))])];
}

function isJson(text: string): boolean {
  try {
    return typeof JSON.parse(text) === 'object';
  } catch {
    return false;
  }
}

/** Returns the values of secret names in double quotes, without looking for names inside strings. */
function jsonParts(text: string, cut: number, isSecret: (plain: string) => boolean): Part[] {
  const parts: Part[] = [];
  for (let at = text.indexOf('"'); at !== -1 && at < cut; at = text.indexOf('"', at)) {
    const close = endOfQuoted(text, at);
    const name = text.slice(at + 1, close - 1);
    BEHIND_NAME.lastIndex = at = close;
    if (!BEHIND_NAME.test(text)) continue;
    const start = BEHIND_NAME.lastIndex;
    if (start >= cut || name.length > LONGEST_NAME || !isSecretAs(name, isSecret)) continue;
    at = Math.max(close, Math.min(endOfValue(text, start), cut));
    parts.push([start, at, false]);
  }
  return parts;
}

/** Returns the values of anything that may be a secret name, including nested ones. */
function looseParts(text: string, cut: number, isSecret: (plain: string) => boolean): Part[] {
  const parts: Part[] = [];
  let last = 0;
  NAME.lastIndex = 0;
  for (let match = NAME.exec(text); match; match = NAME.exec(text)) {
    const start = NAME.lastIndex;
    if (start >= cut) break;
    // The match may be the end of a value that contains a name of its own.
    NAME.lastIndex = match.index + 1;
    // A value that ends only where an enclosing one does ends with it.
    if (start < last && !'"\'{['.includes(text[start] ?? '')) continue;
    if (!isSecretAs(match[1] ?? match[2] ?? match[3] ?? '', isSecret)) continue;
    const end = Math.min(endOfValue(text, start), cut);
    parts.push([start, end, match[3] !== undefined]);
    last = Math.max(last, end);
    if ('{['.includes(text[start] ?? ' ')) NAME.lastIndex = Math.max(end, start);
  }
  return parts;
}

/**
 * Returns the values of secret names in a form or query. Only `&` ends a value; a name after `;` or `?` may count, too,
 * if no secret stands before it.
 */
function formParts(text: string, from: number, end: number, isSecret: (plain: string) => boolean): Part[] {
  const parts: Part[] = [];
  for (let at = from; at < end; ) {
    const next = text.indexOf('&', at);
    const close = next === -1 ? end : Math.min(next, end);
    const start = secretValueIn(text.slice(at, close), isSecret);
    if (start !== undefined) parts.push([at + start, close, true]);
    at = close + 1;
  }
  return parts;
}

/** Returns the values of secret names in a multipart form, from the headers of the part to the next boundary. */
function multipartParts(text: string, cut: number, isSecret: (plain: string) => boolean): Part[] {
  // A line or some text may precede the first boundary.
  const first = FIRST_PART.exec(text);
  const boundary = first?.[1];
  if (boundary === undefined) return [];
  const parts: Part[] = [];
  for (let at = text.indexOf(boundary, first?.index); at < cut; ) {
    const next = text.indexOf(boundary, at + boundary.length);
    const end = next === -1 ? cut : Math.min(next, cut);
    const [head] = /^.*?\r?\n\r?\n/s.exec(text.slice(at, Math.min(end, at + LONGEST_HEAD))) ?? [];
    const [, quoted, bare = ''] = PART_NAME.exec(head ?? '') ?? [];
    if (head !== undefined && isSecretAs(quoted ?? bare.replace(/^[\w-]*'[^']*'/, ''), isSecret))
      parts.push([at + head.length, text.slice(at, end).replace(/\r?\n$/, '').length + at, true]);
    at = end;
  }
  return parts;
}

/** The signs that may stand between a name and its value in a pair that was mistyped or encoded as a whole. */
const SIGNS = /[=:]|%(?:25)*3[ad]/gi;
/** The signs behind which another name may begin in such a pair. */
const BREAKS = /[;?#]|%(?:25)*(?:2[36]|3[bf])|$/gi;

/** Returns where the first value of a secret name begins in one pair of a form. */
function secretValueIn(piece: string, isSecret: (plain: string) => boolean): number | undefined {
  let at = 0;
  for (const { 0: mark, index: end } of piece.matchAll(BREAKS)) {
    const one = piece.slice(at, end);
    let from = 0;
    for (const { 0: sign, index } of one.slice(0, LONGEST_NAME + 1).matchAll(SIGNS)) {
      // Each part is looked at once, and the whole only before the sign of a form: many signs must not cost more.
      const parts = sign === '=' ? [one.slice(from, index), one.slice(0, index)] : [one.slice(from, index)];
      if (parts.some((name) => name !== '' && isSecretAs(name, isSecret))) return at + index + sign.length;
      if (sign === '=' && index > 0) break;
      from = index + sign.length;
    }
    at = end + mark.length;
  }
  return undefined;
}

/** Returns ranges in order, with overlapping ones merged. */
function joined(parts: readonly Part[]): Part[] {
  const whole: Part[] = [];
  for (const part of [...parts].sort(([a], [b]) => a - b)) {
    const before = whole.at(-1);
    if (!before || part[0] >= before[1]) whole.push(part);
    else whole[whole.length - 1] = [before[0], Math.max(before[1], part[1]), before[2]];
  }
  return whole;
}

/**
 * Returns where a value ends: a string at its quote, a list or object at its bracket, anything else at the next
 * delimiter.
 */
function endOfValue(text: string, start: number): number {
  const first = text[start];
  if (first === '"' || first === "'") {
    const end = endOfQuoted(text, start);
    // A quote in or around the value was not escaped, so what follows belongs to the value.
    if (!/[\w"'.@+-]/.test(text[end] ?? '')) return end;
    STRAY_END.lastIndex = end;
    return STRAY_END.exec(text)?.index ?? text.length;
  }
  if (first !== '{' && first !== '[') {
    PLAIN_END.lastIndex = start;
    return PLAIN_END.exec(text)?.index ?? text.length;
  }
  let depth = 0;
  for (let i = start; i < text.length; i += 1) {
    const sign = text[i];
    if (sign === '"') i = endOfQuoted(text, i) - 1;
    else if (sign === '{' || sign === '[') depth += 1;
    else if ((sign === '}' || sign === ']') && (depth -= 1) === 0) return i + 1;
  }
  return text.length;
}

function endOfQuoted(text: string, start: number): number {
  for (let i = start + 1; i < text.length; i += 1) {
    if (text[i] === '\\') i += 1;
    else if (text[i] === text[start]) return i + 1;
  }
  return text.length;
}

/**
 * Returns a query with secrets masked, whether their names are escaped or not. `hidden` receives each text left out.
 */
export function maskQuery(
  query: string,
  isSecret: (plain: string) => boolean,
  hidden?: (value: string) => void,
): string {
  let [out, from] = ['', 0];
  for (const [start, end] of formParts(query, query.startsWith('?') ? 1 : 0, query.length, isSecret)) {
    hidden?.(query.slice(start, end));
    out += query.slice(from, start) + MASK;
    from = end;
  }
  return out + query.slice(from);
}

/** Returns a text with every occurrence of the given secrets masked. */
export const withoutThese = (text: string, hidden: readonly string[]): string =>
  hidden.reduce((left, one) => left.replaceAll(one, MASK), text);

/** Returns a value with secrets masked: by the names of its members, and wherever one of `hidden` occurs. */
export function maskValue(
  value: unknown,
  isSecret: (plain: string) => boolean,
  hidden: readonly string[] = [],
): unknown {
  if (typeof value === 'string') return withoutThese(value, hidden);
  if (typeof value === 'number' && hidden.includes(String(value))) return MASK;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((one) => maskValue(one, isSecret, hidden));
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      member !== null && member !== undefined && isSecret(plainName(name)) ? MASK : maskValue(member, isSecret, hidden),
    ]),
  );
}
