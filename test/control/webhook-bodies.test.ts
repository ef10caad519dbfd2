import { expect, test } from 'vitest';
import { moneyKit } from '../kit/money.ts';
import { receiver } from '../kit/receiver.ts';

test.each(['spec', 'grid'] as const)(
  '/_emulator/webhooks shows each body as it was sent, profile %s (C10)',
  async (profile) => {
    const hooks = await receiver();
    const it = await moneyKit({ profile, webhookUrl: hooks.url });
    const from = await it.funded('USD', 50_000);
    const source = { sourceType: 'ACCOUNT', accountId: from.id };
    const { body: quote } = await it.quote(source, { destinationType: 'ACCOUNT', accountId: it.bank('EUR').id });
    await it.post(`/quotes/${quote.id}/execute`, {});
    await it.settle();
    const { data } = (await it.control('GET', '/webhooks?limit=100')).body;
    const sent = new Map(hooks.received.map(({ event }) => [event.id, event]));
    expect(data.length).toBe(sent.size);
    for (const { id, payload } of data) {
      expect(payload).toEqual(sent.get(id));
      expect((await it.control('GET', `/webhooks/${id}`)).body.payload).toEqual(sent.get(id));
    }
    const rate = data.find((d: { type: string }) => d.type === 'OUTGOING_PAYMENT.COMPLETED').payload.data.rateDetails;
    expect(Object.keys(rate)).toContain(profile === 'grid' ? 'gridApiMultiplier' : 'serviceApiMultiplier');
  },
);
