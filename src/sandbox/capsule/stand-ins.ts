import { createHash, randomBytes } from 'node:crypto';
import { PROFILES } from '../../contract/profile.ts';
import { LEGACY_ASSERTION, LEGACY_STAMP } from '../../crypto/index.ts';
import { MASK } from '../../engine/masking.ts';
import { plainName } from '../../engine/secrets.ts';

/** Values that every sandbox accepts from everyone: they are not secrets, and a replay of a call needs them. */
const COMMON: ReadonlySet<string> = new Set(['000000', '123456', LEGACY_STAMP, LEGACY_ASSERTION]);
/**
 * The least length of a secret that is replaced wherever it stands; shorter ones, and words, only under their own
 * names.
 */
const SHORTEST = 6;
const WORD = /^[A-Za-z _-]{0,15}$/;
const MOMENT = /^\d{4}-\d\d-\d\d(?:T[\d:.]+Z)?$/;

// Characters that every alphabet of codes has: many leave out those that look alike.
const DIGITS = '234567';
const LOWER = 'bcdfghjkmnpqrstvwxz';
/** The prefixes that identify tokens and codes: a stand-in keeps them. */
const PREFIXES = Object.values(PROFILES).flatMap(({ prefixes }) => Object.values(prefixes));
const ALPHABETS: readonly (readonly [whole: RegExp, alphabet: string])[] = [
  [/^(?=.*[a-f])[0-9a-f-]+$/, '0123456789abcdef'],
  [/^(?=.*[A-F])[0-9A-F-]+$/, '0123456789ABCDEF'],
];

/**
 * Stand-ins for the secrets of a capsule: of the same form, and the same for the same secret, so that rows keep their
 * shapes and calls can be replayed. They are derived from a salt that is never stored, so that nobody can guess a short
 * secret from them.
 */
export class StandIns {
  readonly #salt = randomBytes(16);
  readonly #known = new Map<string, string>();
  /** The secrets to search for, by the letters and digits with which they begin. */
  #byStart: Map<string, Wanted[]> | undefined;

  /** Returns the stand-in for a secret, which is from now on replaced everywhere. */
  of(secret: string): string {
    if (secret === '' || COMMON.has(secret)) return secret;
    const known = this.#known.get(secret);
    if (known !== undefined) return known;
    const made = this.#made(secret);
    this.#known.set(secret, made);
    this.#byStart = undefined;
    return made;
  }

  #made(secret: string): string {
    const prefix = PREFIXES.find((one) => secret.startsWith(one)) ?? '';
    return prefix + this.#drawn(secret.slice(prefix.length));
  }

  #drawn(secret: string): string {
    for (let turn = 0; ; turn += 1) {
      const [whole] = ALPHABETS.filter(([form]) => form.test(secret)).map(([, alphabet]) => alphabet);
      const bytes = this.#stream(`${turn} ${secret}`, secret.length);
      const made = [...secret].map((sign, i) => inPlaceOf(sign, bytes[i % bytes.length] as number, whole)).join('');
      if (made !== secret || !/[A-Za-z0-9]/.test(secret)) return made;
    }
  }

  #stream(about: string, length: number): Buffer {
    const pieces = Array.from({ length: Math.ceil(length / 32) }, (_, i) =>
      createHash('sha256').update(this.#salt).update(`${i} ${about}`).digest(),
    );
    return Buffer.concat(pieces);
  }

  /** Returns a value that is secret as a whole, with a stand-in for each text and number in it, whatever its name. */
  whole(value: unknown): unknown {
    if (typeof value === 'string') return this.of(value);
    if (typeof value === 'number') return Number.isSafeInteger(value) ? Number(this.of(String(value))) : value;
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return value.map((one) => this.whole(one));
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, this.whole(member)]));
  }

  /** Returns a value with stand-ins for its secret members. */
  within(value: unknown, isSecret: (plain: string) => boolean): unknown {
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return value.map((one) => this.within(one, isSecret));
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [
        name,
        isSecret(plainName(name)) ? this.whole(member) : this.within(member, isSecret),
      ]),
    );
  }

  /** Returns the text of a secret value as it stands in a body: quoted, bare, or a list or an object. */
  ofRaw = (raw: string): string => {
    const first = raw[0];
    if (first === '"' || first === '{' || first === '[') {
      try {
        return JSON.stringify(this.whole(JSON.parse(raw)));
      } catch {
        return `"${MASK}"`;
      }
    }
    return first === "'" ? `'${this.of(raw.slice(1, -1))}'` : this.of(raw);
  };

  /** Returns a text with a stand-in for each known secret in it. */
  clean(text: string): string {
    const starts = (this.#byStart ??= this.#index());
    if (starts.size === 0) return text;
    let out = '';
    let from = 0;
    const runs = /[A-Za-z0-9]+/g;
    for (let run = runs.exec(text); run; run = runs.exec(text)) {
      const found = secretAt(text, run[0], run.index, starts);
      if (!found || found.at < from) continue;
      out += text.slice(from, found.at) + (this.#known.get(found.secret) as string);
      from = found.at + found.secret.length;
      runs.lastIndex = from;
    }
    return out + text.slice(from);
  }

  /**
   * Returns a value with stand-ins for the known secrets in its texts. Numbers and moments stay: one that a secret
   * equals by chance says something else.
   */
  cleaned(value: unknown): unknown {
    if (typeof value === 'string') return MOMENT.test(value) ? value : this.clean(value);
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return value.map((one) => this.cleaned(one));
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [this.clean(name), this.cleaned(member)]));
  }

  #index(): Map<string, Wanted[]> {
    const starts = new Map<string, Wanted[]>();
    for (const secret of this.#known.keys()) {
      const start = /[A-Za-z0-9]+/.exec(secret);
      if (!start || !StandIns.isFindable(secret)) continue;
      starts.set(start[0], [...(starts.get(start[0]) ?? []), { secret, offset: start.index }]);
    }
    return starts;
  }

  /** Returns whether a secret is searched for under any name: short ones, and words, match too much else. */
  static isFindable(secret: string): boolean {
    return secret.length >= SHORTEST && !WORD.test(secret);
  }
}

/** A secret to search for, and the position in it of its first letters and digits. */
interface Wanted {
  readonly secret: string;
  readonly offset: number;
}

/** Returns the longest secret around a run of letters and digits, or around one behind an escape such as `\n`. */
function secretAt(
  text: string,
  run: string,
  index: number,
  starts: ReadonlyMap<string, readonly Wanted[]>,
): { secret: string; at: number } | undefined {
  const escaped = /^[nrtbf]/.test(run) && text[index - 1] === '\\';
  for (const begin of escaped ? [index + 1, index] : [index]) {
    const [found] = (starts.get(run.slice(begin - index)) ?? [])
      .filter(({ secret, offset }) => begin >= offset && text.startsWith(secret, begin - offset))
      .sort((a, b) => b.secret.length - a.secret.length);
    if (found) return { secret: found.secret, at: begin - found.offset };
  }
  return undefined;
}

/** Returns a character of the same kind: a digit for a digit, a letter for a letter. */
function inPlaceOf(sign: string, byte: number, whole: string | undefined): string {
  const pick = (alphabet: string): string => alphabet[byte % alphabet.length] as string;
  if (!/[A-Za-z0-9]/.test(sign)) return sign;
  if (whole !== undefined) return pick(whole);
  if (/\d/.test(sign)) return pick(DIGITS);
  return /[a-z]/.test(sign) ? pick(LOWER) : pick(LOWER.toUpperCase());
}
