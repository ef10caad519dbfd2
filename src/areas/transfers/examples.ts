import { AMOUNT, type Ingredients, type Match, oneOf, type Scene } from '../../declare/example.ts';

/** Returns an example of a transfer into the platform from a bank account, or out to one. */
export function transferExample(the: Scene, way: 'in' | 'out', match?: Match): Ingredients {
  const pair = the.pair(match);
  const inner = { accountId: pair?.from.id ?? '<accountId>' };
  const outer = { accountId: pair?.to.id ?? '<externalAccountId>' };
  const ends = { source: way === 'in' ? outer : inner, destination: way === 'in' ? inner : outer };
  return { body: { ...ends, amount: oneOf(AMOUNT, 100, 9_000_000) }, vary: [{ body: { amount: undefined } }] };
}
