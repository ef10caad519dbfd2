import { existsSync, readFileSync } from 'node:fs';

/** A mistake that somebody planted in a rule, and the test that went red. */
export interface Falsification {
  readonly rule: string;
  readonly file: string;
  readonly suite: string;
  readonly test: string;
}

export const FALSIFICATIONS = 'test/planted/falsifications.json';
export const PLANTED_WALKS = 'test/parity/planted.test.ts';

/** Returns the declared falsifications of rules; none where their file is missing. */
export const falsifications = (): readonly Falsification[] =>
  existsSync(FALSIFICATIONS) ? JSON.parse(readFileSync(FALSIFICATIONS, 'utf8')) : [];

/** Returns whether a falsification is one of a rule; `${...}` in its words stands for any text. */
export function isOf({ rule }: Pick<Falsification, 'rule'>, said: string): boolean {
  const parts = rule.split(/\$\{[^}]*\}/).map((part) => part.replaceAll(/[.*+?^$()[\]{}|\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`).test(said);
}

/** The cause by which walks name a difference: `createQuote value id`. */
const CAUSE = /^ {4}'(\w+) ((?:status|code|missing|added|type|value|order|length)\b[^']*)',$/gm;

/** Returns the differences that are planted between two sides and that walks find, by operation. */
export function plantedDifferences(): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const [, operation = '', cause = ''] of readFileSync(PLANTED_WALKS, 'utf8').matchAll(CAUSE))
    found.set(operation, [...(found.get(operation) ?? []), cause].sort());
  return found;
}
