import type { Kit } from './sandbox.ts';

/**
 * Payments by card as GET /transactions lists them: no filter of the contract asks for them alone, so they are picked out
 * of the list.
 */
export async function cardPayments(get: Kit['get'], query: Parameters<Kit['get']>[1] = {}): Promise<Row[]> {
  const { data } = (await get('/transactions', { limit: 100, ...query })).body;
  return data.filter(({ type }: Row) => type === 'CARD');
}

// biome-ignore lint/suspicious/noExplicitAny: a test says what it expects of a reply, line by line
type Row = any;
