import { MASK } from '../../engine/masking.ts';
import { isMadeUp } from '../samples.ts';
import { type Names, nameFor } from './template.ts';

/** Codes that are public knowledge: they are not secrets. */
const PUBLIC_CODES = new Set(['000000', '123456']);

/** Returns whether a value under a secret's name is not a secret: a public code, or one made up for the examples. */
export const isPublic = (value: string): boolean => PUBLIC_CODES.has(value) || isMadeUp(value);

/** Returns a body with each secret text replaced; a member is left out for `undefined`. */
export function withSecrets(
  value: unknown,
  masked: unknown,
  secret: (text: string, member: string) => string | undefined,
  member = 'secret',
): unknown {
  if (masked === MASK) return typeof value === 'string' ? secret(value, member) : MASK;
  if (typeof value !== 'object' || value === null || typeof masked !== 'object' || masked === null) return masked;
  if (Array.isArray(value)) return value.map((one, i) => withSecrets(one, Reflect.get(masked, i), secret, member));
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, one]) => {
      const shown = withSecrets(one, Reflect.get(masked, name), secret, name);
      return shown === undefined ? [] : [[name, shown]];
    }),
  );
}

/** A secret that a recording does not contain, by the names of its variable and of the member that carried it. */
export interface Secret {
  readonly variable: string;
  readonly member: string;
}

/** The least length of a secret: a shorter text would match within others. */
const SHORTEST = 6;

/** The secrets of a recording: each becomes a variable without its value. */
export class Secrets {
  readonly names: Names;
  readonly unknown: Secret[] = [];
  /** The values of the secrets, by variable. */
  readonly given = new Map<string, string>();

  constructor(names: Names) {
    this.names = names;
  }

  /** Returns a body in which every secret is a variable. */
  shown(value: unknown, masked: unknown): unknown {
    return withSecrets(value, masked, (text, member) => {
      if (isPublic(text) || this.names.of(text) !== undefined) return text;
      if (text.length < SHORTEST) return MASK;
      const variable = this.names.add(text, nameFor(text, member));
      this.unknown.push({ variable, member });
      this.given.set(variable, text);
      return text;
    });
  }
}

/** Returns the name of the environment variable that a secret is read from. */
export const environmentName = ({ variable }: Secret): string =>
  variable.replaceAll(/(?<=[a-z\d])(?=[A-Z])/g, '_').toUpperCase();

/** Returns the sentence about a secret at the top of a recording. */
export const secretNote = (secret: Secret): string =>
  `${secret.member} was a secret, which the log does not show: set ${environmentName(secret)} to yours`;
