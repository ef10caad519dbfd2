import { AMOUNT, type Match, type Scene } from '../../declare/example.ts';

/** Money into the platform from a bank account, or out to one. */
export function transferExample(the: Scene, way: 'in' | 'out', match?: Match): object {
  const pair = the.pair(match);
  const inner = { accountId: pair?.from.id ?? '<accountId>' };
  const outer = { accountId: pair?.to.id ?? '<externalAccountId>' };
  return { source: way === 'in' ? outer : inner, destination: way === 'in' ? inner : outer, amount: AMOUNT };
}
