import { expect } from 'vitest';
import type { Host } from '../../src/sandbox/host.ts';
// @ts-expect-error: a tool without types
import { ruleFinder } from '../../tools/falsify/finder.mjs';
import falsifications from './falsifications.json' with { type: 'json' };

type Finder = (text: string) => string | undefined;
const isDeclared: Finder = ruleFinder(falsifications.map(({ rule }) => rule));
let isInCode: Promise<Finder> | undefined;

/** The rules of the code, read where a rule has no falsification: that it has none yet is for a test of the house to say. */
const inCode = (): Promise<Finder> =>
  (isInCode ??= import(new URL('../../tools/falsify/rules.mjs', import.meta.url).href).then(({ allRules }) =>
    ruleFinder(allRules()),
  ));

/** Returns the rules of some requests that were refused which the search of the code does not find: it must know them all. */
export async function unknownRules(
  log: Iterable<{ readonly why?: { readonly rule?: string | undefined } | undefined }>,
): Promise<string[]> {
  const undeclared = new Set([...log].flatMap(({ why }) => why?.rule ?? []).filter((rule) => !isDeclared(rule)));
  if (undeclared.size === 0) return [];
  const find = await inCode();
  return [...undeclared].filter((rule) => !find(rule));
}

/** Fails the test where a refusal in the logs of its sandboxes carries a rule that the search of the code does not find. */
export async function knowsRulesOf({ sandboxes }: Host): Promise<void> {
  const log = [...sandboxes].flatMap(({ requestLog }) => [...requestLog.newest()]);
  expect(await unknownRules(log), 'rules that tools/falsify/rules.mjs does not find').toEqual([]);
}
