import { expect } from 'vitest';
import { cardPayments } from '../../kit/card-payments.ts';
import { MERCHANT } from '../../kit/cards.ts';
import type { Answer } from '../../kit/sandbox.ts';
import { type ClientKey, proof, walletKit } from '../../kit/wallet.ts';

// biome-ignore lint/suspicious/noExplicitAny: a test says what it expects of a reply, line by line
type Body = any;

/** Zoe, logged in, with a card that her wallet pays for, and the calls that delegate its key. */
export async function keyKit(options: Parameters<typeof walletKit>[0] = {}) {
  const it = await walletKit(options);
  const header = it.host.profile.walletSignatureHeader.toLowerCase();
  const { key, session } = await it.login();
  const issue = async (fundingSources: readonly string[] = [it.accountId]): Promise<Body> => {
    const { status, body, text } = await it.post('/cards', {
      cardholderId: it.customerId,
      form: 'VIRTUAL',
      fundingSources,
    });
    expect(status, text).toBe(201);
    await it.settle();
    return (await it.get(`/cards/${body.id}`)).body;
  };
  const card = await issue();
  const sent = { cardId: card.id, internalAccountId: it.accountId, nickname: 'Card payments' };
  const leg = async (before?: Answer, by: ClientKey = key, more: object = {}): Promise<Answer> =>
    it.post('/auth/delegated-keys', { ...sent, ...more }, before ? { headers: await proof(by, before, header) } : {});
  return {
    ...it,
    key,
    session,
    card,
    sent,
    issue,
    leg,
    /** All three legs, for this card unless another is named: the reply of the last. */
    delegate: async (cardId = card.id): Promise<Answer> => {
      const first = await leg(undefined, key, { cardId });
      return leg(await leg(first, key, { cardId }), key, { cardId });
    },
    keys: async (): Promise<Body[]> => (await it.get('/auth/delegated-keys', { accountId: it.accountId })).body.data,
    /** An authorization by the card network, in cents, and whether it was approved. */
    spend: async (amount: number, cardId = card.id): Promise<boolean> => {
      const body = { amount, currency: { code: 'USD' }, merchant: MERCHANT };
      const answer = await it.post(`/sandbox/cards/${cardId}/simulate/authorization`, body);
      expect(answer.status, answer.text).toBe(202);
      await it.settle();
      const data = await cardPayments(it.get);
      return data.some((t: Body) => t.issuerTransactionToken === answer.body.issuerTransactionToken);
    },
  };
}
