import { plainName } from './secrets.ts';

/** The text in place of a secret. */
export const MASK = '•••';

/**
 * A name, in quotes of either kind or bare, and the sign that its value follows. No secret has a longer name: without a bound, each
 * quote of a text with many would be read to its end.
 */
const NAME =
  /(?:"((?:[^"\\]|\\.){0,200})"|'((?:[^'\\]|\\.){0,200})'|(?<![\w$.%\\-])([A-Za-z_$%][\w$.%\\-]*))\s*[:=]\s*/g;
const PLAIN_END = /[,&;}\]"'\r\n]|$/g;
/** The note behind a text that was cut short. */
const CUT = /\u2026 \(\d+ characters\)$/;
/** Addresses in which a secret stands that is all the permission it takes: a hosted page's, and those of a device code. */
const LINKS = /(\/kyc\/|\/device-codes\/(?!AgentDeviceCode(?::|%3[Aa])))([^\s"'?#/\\<>]+)/g;
const WITH_SECRETS = ['/kyc/', '/device-codes/'];

/** Returns the secrets of the links in a text, also as they are without escapes. */
export const linksIn = (text: string): string[] => [
  ...new Set([...text.matchAll(LINKS)].flatMap(([, , secret]) => [secret as string, unescaped(secret as string)])),
];

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Returns a text without the secrets of links in it. */
export const maskLinks = (text: string): string =>
  WITH_SECRETS.some((part) => text.includes(part)) ? text.replaceAll(LINKS, `$1${MASK}`) : text;

/**
 * A body without its secrets, whether it is JSON or not, whole or cut short: after each secret name its value is left
 * out, a list or an object as a whole. `hidden` hears of each text that was left out; `instead` says what takes its place.
 */
export function maskText(
  text: string,
  isSecret: (plain: string) => boolean,
  hidden?: (value: string) => void,
  instead?: (value: string) => string,
): string {
  const cut = CUT.exec(text)?.index ?? text.length;
  let [out, from] = ['', 0];
  NAME.lastIndex = 0;
  for (let match = NAME.exec(text); match; match = NAME.exec(text)) {
    const start = NAME.lastIndex;
    if (start >= cut) break;
    if (!isSecret(plainName(match[1] ?? match[2] ?? match[3] ?? ''))) continue;
    const end = Math.min(endOfValue(text, start), cut);
    const value = text.slice(start, end);
    if (value !== '' && !/^(?:null|true|false)$/.test(value)) {
      hidden?.(value);
      const masked = instead ? instead(value) : match[3] === undefined ? `"${MASK}"` : MASK;
      out += text.slice(from, start) + masked;
      from = end;
    }
    NAME.lastIndex = Math.max(end, start);
  }
  return out + text.slice(from);
}

/** Returns where a value ends: a text at its quote, a list or an object at its bracket, anything else at the next sign. */
function endOfValue(text: string, start: number): number {
  const first = text[start];
  if (first === '"' || first === "'") return endOfQuoted(text, start);
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

/** A query without its secrets, names escaped or not. */
export const maskQuery = (query: string, isSecret: (plain: string) => boolean): string =>
  query.replaceAll(/([?&;]?)([^?&;=]+)=([^&;]*)/g, (whole, sign: string, name: string) =>
    isSecret(plainName(name)) ? `${sign}${name}=${MASK}` : whole,
  );

/** A text without any of some secrets. */
export const withoutThese = (text: string, hidden: readonly string[]): string =>
  hidden.reduce((left, one) => left.replaceAll(one, MASK), text);

/** A value with the secrets in it left out, by the names of its members, and wherever one of `hidden` comes again. */
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
