import { describe, expect, test } from 'vitest';
import { OPERATIONS } from '../../src/areas.ts';
import { PROFILES } from '../../src/contract/profile.ts';
import { CONTRACT, type ContractShape } from '../kit/contract.ts';
import { kit, refusal } from '../kit/sandbox.ts';

/** The words that a shape of the contract lists; nothing where any will do. */
function wordsOf(shape: ContractShape): string[] | undefined {
  const { $ref, items } = shape;
  if ($ref) return wordsOf(CONTRACT.$defs[$ref.slice('#/$defs/'.length)] as ContractShape);
  if (items) return wordsOf(items);
  return shape.enum?.map(String);
}

/** Filters of lists that take one of some words, by the contract. */
const FILTERS = Object.entries(CONTRACT.operations).flatMap(([id, { method, path, query }]) =>
  Object.entries(query).flatMap(([name, shape]) => {
    const words = wordsOf(shape);
    return words ? [{ id, method, path, name, words }] : [];
  }),
);

/** Every word that a filter or a transaction of the contract has, and some that none has. */
const WORDS = [
  ...new Set([
    ...FILTERS.flatMap(({ words }) => words),
    ...Object.entries(CONTRACT.$defs)
      .flatMap(([name, shape]) => (/Transaction/.test(name) ? (shape.enum ?? []) : []))
      .map(String),
    'CARD',
    'NONE_AT_ALL',
    'incoming',
    '',
  ]),
];

describe.each(['spec', 'grid'] as const)('filters of lists in profile %s (K3)', (name) => {
  const profile = PROFILES[name];
  /** A value of the contract in the words of the profile. */
  const inProfile = (filter: string, word: string): string => {
    const names = Object.entries(PROFILES.grid.values[filter] ?? {});
    return (name === 'spec' && names.find(([, theirs]) => theirs === word)?.[0]) || word;
  };

  test('a filter of a list takes the values that the public contract lists, and refuses every other', async () => {
    expect(FILTERS.length).toBeGreaterThan(15);
    const it = await kit({ profile: name });
    for (const { id, name: contractName, words } of FILTERS) {
      const op = OPERATIONS.find((one) => one.id === id);
      if (!op) throw new Error(id);
      const members = Object.entries(PROFILES.grid.members);
      const filter = (name === 'spec' && members.find(([, theirs]) => theirs === contractName)?.[0]) || contractName;
      const path = op.path.replaceAll(/\{\w+\}/g, 'x');
      const taken: string[] = [];
      for (const word of WORDS.map((one) => inProfile(filter, one))) {
        const answer = await it.call(op.method, path, undefined, { query: { [filter]: word } });
        if (!refusal(answer).fields.includes(filter)) taken.push(word);
      }
      // Statuses that verifications have in profile grid only are a row of docs/profiles.md.
      const absent = filter === 'verificationStatus' ? (profile.absent['VerificationStatus'] ?? []) : [];
      const wanted = words.filter((word) => !absent.includes(word)).map((word) => inProfile(filter, word));
      expect.soft(taken.sort(), `${id} ${filter}`).toEqual(wanted.sort());
    }
  });
});
