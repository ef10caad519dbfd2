import { createHash, randomBytes } from 'node:crypto';
import { PROFILES } from '../../contract/profile.ts';
import { LEGACY_ASSERTION, LEGACY_STAMP } from '../../crypto/index.ts';
import { MASK } from '../../engine/masking.ts';
import { plainName } from '../../engine/secrets.ts';

/** Values that every sandbox accepts from everybody: they are not secrets, and a call that is sent again needs them. */
const COMMON: ReadonlySet<string> = new Set(['000000', '123456', LEGACY_STAMP, LEGACY_ASSERTION]);
/** Characters of a secret, and words, that are looked for beyond their names. */
const SHORTEST = 6;
const WORD = /^[A-Za-z _-]{0,15}$/;

// Signs that every form of code knows: those that look like others are often left out.
const DIGITS = '234567';
const LOWER = 'bcdfghjkmnpqrstvwxz';
/** The beginnings by which tokens and codes are known: they stay. */
const PREFIXES = Object.values(PROFILES).flatMap(({ prefixes }) => Object.values(prefixes));
const ALPHABETS: readonly (readonly [whole: RegExp, alphabet: string])[] = [
  [/^(?=.*[a-f])[0-9a-f-]+$/, '0123456789abcdef'],
  [/^(?=.*[A-F])[0-9A-F-]+$/, '0123456789ABCDEF'],
];

/**
 * Texts in place of the secrets of a capsule: of the same form, the same for the same secret, so that rows keep their shapes and calls
 * can be sent again. They follow from a salt that is kept nowhere, so that no short secret can be guessed from them.
 */
export class StandIns {
  readonly #salt = randomBytes(16);
  readonly #known = new Map<string, string>();
  /** Secrets to be looked for, by the letters and digits that they begin with. */
  #byStart: Map<string, Wanted[]> | undefined;

  /** Returns what stands in for a secret; from now on it is looked for everywhere. */
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

  /** Returns a value all of which is secret: each text and number in it, whatever it is called. */
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

  /** Returns a text without any secret that is known, wherever it stands. */
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

  #index(): Map<string, Wanted[]> {
    const starts = new Map<string, Wanted[]>();
    for (const secret of this.#known.keys()) {
      const start = /[A-Za-z0-9]+/.exec(secret);
      if (!start || !StandIns.isFindable(secret)) continue;
      starts.set(start[0], [...(starts.get(start[0]) ?? []), { secret, offset: start.index }]);
    }
    return starts;
  }

  /** Returns whether a secret is looked for beyond its name: short ones, and words, stand for too much else. */
  static isFindable(secret: string): boolean {
    return secret.length >= SHORTEST && !WORD.test(secret);
  }
}

/** A secret that is looked for, and where its first letters and digits begin in it. */
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

/** Returns a sign of the same kind: digits for digits, letters for letters. */
function inPlaceOf(sign: string, byte: number, whole: string | undefined): string {
  const pick = (alphabet: string): string => alphabet[byte % alphabet.length] as string;
  if (!/[A-Za-z0-9]/.test(sign)) return sign;
  if (whole !== undefined) return pick(whole);
  if (/\d/.test(sign)) return pick(DIGITS);
  return /[a-z]/.test(sign) ? pick(LOWER) : pick(LOWER.toUpperCase());
}
