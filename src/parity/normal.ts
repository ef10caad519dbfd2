import type { Json } from '../calls/index.ts';
import { PROFILES } from '../contract/profile.ts';
import { isSecretName, plainName } from '../engine/secrets.ts';

/** A reply as it is compared and kept: ids named in order of arrival, times as moments of the walk, secrets by form. */
export interface Said {
  readonly status: number;
  readonly type: string | null;
  readonly body: Json;
}

const ID = /\b([A-Z][A-Za-z]+):([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})\b/g;
const UUID = /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g;
const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)$/;
/** Random values that neither side could have sent or foretold: long runs of letters and digits. */
const TOKEN = /(?<![\w#])[\w+/=-]{16,}/g;
/** A hexadecimal text, which may happen to have no digit. */
const HEX = /^(?:[a-z]+_)?[0-9a-f]+$/;
const isDrawn = (text: string): boolean =>
  /[A-Za-z]/.test(text) &&
  (/\d/.test(text) || HEX.test(text) || (text.length >= 32 && /[a-z]/.test(text) && /[A-Z]/.test(text)));
const WITHIN = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g;
const DIGITS = /(?<![\w#.])\d{4,}(?![\w.])/g;
/** Members whose texts are amounts, however many digits they have. */
const COUNTED = /amount|supply|balance|rate|version/i;
/** Names of members whose texts differ from run to run, however short. */
const DRAWN = new Set([
  'code',
  'cursor',
  'nextcursor',
  'payloadtosign',
  'last4',
  'livenessaccesstoken',
  'reference',
  'recoverycodes',
  'totpuri',
  'vpa',
]);
/** Of these, a side may by chance draw the text that it was sent: four digits are one in ten thousand. */
const SHORT = new Set(['last4']);
/** A UMA address that a side has made up. */
const MADE_UP = /^\$[a-z0-9]{8,}@/;
/** Sentences, which each side puts in its own words. */
const SENTENCES = new Set(['message', 'reason', 'rejectionReason', 'description']);

/** The prefixes of tokens and codes, in either profile. */
const LEADS = Object.values(PROFILES).flatMap(({ prefixes }) => Object.values(prefixes));
/** Returns the form of a random value, by its prefix: `sat_‹text›` for any access token. */
const formOf = (text: string): string => `${LEADS.find((lead) => text.startsWith(lead)) ?? ''}‹text›`;

/** Returns a generated address without its host and its random parts, which differ between sides. */
function addressOf(text: string): string {
  const { pathname, search } = new URL(text);
  return `‹address›${pathname.replaceAll(/[^/]{6,}/g, '‹text›')}${search === '' ? '' : '?‹text›'}`;
}

/** Makes the replies of one side in a walk comparable with those of the other. */
export class Names {
  readonly #ids = new Map<string, string>();
  readonly #counts = new Map<string, number>();
  readonly #sent = new Set<string>();
  readonly #self: string;
  #start: number | undefined;

  /** `self` is the id of the login. */
  constructor(self: string) {
    this.#self = self;
  }

  /** Notes the texts that both sides are sent: a reply that repeats them is compared literally. */
  heard(value: unknown): void {
    if (typeof value === 'string') this.#sent.add(value);
    else if (typeof value === 'object' && value !== null) for (const member of Object.values(value)) this.heard(member);
  }

  /** Returns a reply in terms that do not depend on the side. A refusal keeps its code. */
  said(status: number, type: string | null, body: unknown): Said {
    return { status, type, body: this.#value(body, '', status >= 400) };
  }

  #value(value: unknown, name: string, isError: boolean): Json {
    if (typeof value === 'string') return this.#text(value, name, isError);
    if (Array.isArray(value)) return value.map((item) => this.#value(item, name, isError));
    if (typeof value !== 'object' || value === null) return value as Json;
    const members = Object.entries(value).map(([key, member]) => [key, this.#value(member, key, isError)] as const);
    return Object.fromEntries(members);
  }

  #text(text: string, name: string, isError: boolean): string {
    if (text === this.#self) return '‹who asks›';
    if (isError && (name === 'code' || name === 'field')) return text;
    if (isError && SENTENCES.has(name)) return '‹words›';
    if (MOMENT.test(text)) return this.#sent.has(text) ? text : this.#moment(text);
    const plain = plainName(name);
    if (this.#sent.has(text) && !SHORT.has(plain) && !UUID.test(text)) return text;
    UUID.lastIndex = 0;
    if (DRAWN.has(plain) || (isSecretName(plain) && text !== '')) return /^[A-Z]{3}$/.test(text) ? text : formOf(text);
    if (MADE_UP.test(text)) return text.replace(MADE_UP, '$$‹text›@');
    if (/^https?:\/\//.test(text) && URL.canParse(text)) return addressOf(text);
    if (text.startsWith('{')) return this.#nested(text, name, isError);
    return text
      .replace(WITHIN, '‹time›')
      .replace(ID, (id, prefix: string) => this.#named(id, prefix))
      .replace(UUID, (id) => this.#named(id, ''))
      .replace(TOKEN, (token) =>
        token.includes('#') || this.#sent.has(token) || !isDrawn(token) ? token : formOf(token),
      )
      .replace(DIGITS, (digits) => (COUNTED.test(name) ? digits : '‹text›'));
  }

  /** Returns JSON within a text, such as a bundle, in those terms. */
  #nested(text: string, name: string, isError: boolean): string {
    try {
      return JSON.stringify(this.#value(JSON.parse(text), name, isError));
    } catch {
      return formOf(text);
    }
  }

  #named(id: string, prefix: string): string {
    let known = this.#ids.get(id);
    if (known === undefined) {
      const count = (this.#counts.get(prefix) ?? 0) + 1;
      this.#counts.set(prefix, count);
      known = `${prefix}#${count}`;
      this.#ids.set(id, known);
    }
    return known;
  }

  #moment(text: string): string {
    const at = Date.parse(text);
    this.#start ??= at;
    return `‹time ${(at - this.#start) / 1000}›`;
  }
}
