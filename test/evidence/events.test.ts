import { describe, expect, test } from 'vitest';
import { triggerable } from '../../src/calls/index.ts';
import { PROFILES } from '../../src/contract/profile.ts';
import { eventBeyondContract } from '../kit/contract.ts';
import { receiver, signedBy } from '../kit/receiver.ts';
import { kit } from '../kit/sandbox.ts';
import { noteLine } from '../kit/seen.ts';

/** A platform on which every event can happen. */
const SCENARIO = {
  platform: { counterpartyRules: true, sca: {}, currencies: ['USD', 'EUR', 'USDC', 'USDB'].map((code) => ({ code })) },
};
const HEADERS = { spec: 'x-service-signature', grid: PROFILES.grid.webhookSignatureHeader.toLowerCase() };

describe.each(['spec', 'grid'] as const)('profile %s', (name) => {
  const types = triggerable(PROFILES[name]).map(({ type }) => type);

  test.each(types)(
    '%s arrives at a receiver, signed by the key of the sandbox, in the shape of the contract',
    async (type) => {
      const hooks = await receiver();
      const it = await kit({ profile: name, scenario: ['default', SCENARIO], webhookUrl: hooks.url });
      const { pem } = (await it.control('GET', '/webhooks/key')).body;
      const { status, text } = await it.control('POST', '/trigger', { event: type });
      expect(status, text).toBe(200);
      const received = hooks.received.filter(({ event }) => event.type === type);
      expect(received.length).toBeGreaterThan(0);
      expect(hooks.received.filter((delivery) => !signedBy(pem, delivery, HEADERS[name]))).toEqual([]);
      expect(received.map(({ event }) => eventBeyondContract(PROFILES[name], event)).filter(Boolean)).toEqual([]);
      noteLine(`- verified ${name} ${type}`);
    },
  );

  test('a delivery that was changed on its way does not pass the check of its signature', async () => {
    const hooks = await receiver();
    const it = await kit({ profile: name, webhookUrl: hooks.url });
    const { pem } = (await it.control('GET', '/webhooks/key')).body;
    expect((await it.post('/sandbox/webhooks/test')).status).toBe(200);
    const [delivery] = hooks.received;
    if (!delivery) throw new Error('no delivery');
    expect(signedBy(pem, delivery, HEADERS[name])).toBe(true);
    expect(signedBy(pem, { ...delivery, raw: `${delivery.raw} ` }, HEADERS[name])).toBe(false);
  });
});
