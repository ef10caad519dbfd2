import { describe, expect, test } from 'vitest';
import { EVENTS, OPERATIONS } from '../../src/areas.ts';
import { Rows } from '../../src/calls/rows.ts';
import { typesIn } from '../../src/calls/trigger/trigger.ts';
import { PROFILES } from '../../src/contract/profile.ts';
import { stepsAfter } from '../../src/declare/after.ts';
import type { HostOptions } from '../../src/public.ts';
import { effort } from '../kit/effort.ts';
import { receiver } from '../kit/receiver.ts';
import { type Kit, kit } from '../kit/sandbox.ts';

/** A platform on which every event can happen. */
const SCENARIO = {
  platform: { counterpartyRules: true, sca: {}, currencies: ['USD', 'EUR', 'USDC', 'USDB'].map((code) => ({ code })) },
};

interface Triggered {
  event: string;
  calls: { operation: string; requestId: string | null; status: number; input?: unknown }[];
  webhook: { id: string; type: string; state: string };
}

async function triggered(it: Kit, event: string, set?: object): Promise<Triggered> {
  const { status, body, text } = await it.control('POST', '/trigger', set ? { event, set } : { event });
  expect(status, text).toBe(200);
  return body;
}

describe.each(['spec', 'grid'] as const)('triggers, profile %s', (profile) => {
  test.each(typesIn(PROFILES[profile]))('a trigger delivers %s, and a second one delivers it again', async (event) => {
    const hooks = await receiver();
    const it = await kit({ profile, scenario: ['default', SCENARIO], webhookUrl: hooks.url });
    for (const _ of ['once', 'again']) {
      const { calls, webhook } = await triggered(it, event);
      // A test webhook is sent beside all others, and is kept nowhere.
      const taken = hooks.received.filter(({ event: { id, type } }) => id === webhook.id || type === 'TEST').slice(-1);
      expect(taken.map((one) => one.event.type)).toEqual([event]);
      expect([webhook.type, webhook.state]).toEqual([event, 'DELIVERED']);
      expect(calls.filter(({ status }) => status >= 400)).toEqual([]);
    }
    expect((await it.post('/customers', { customerType: 'INDIVIDUAL', fullName: 'Omar Diaz' })).status).toBe(201);
  });
});

/** Events that the platform of a scenario rules out. */
async function refusedIn(scenario: string): Promise<string[]> {
  const refused: string[] = [];
  const hooks = await receiver();
  for (const event of typesIn(PROFILES.spec)) {
    const it = await kit({ scenario, webhookUrl: hooks.url });
    const { status } = await it.control('POST', '/trigger', { event });
    if (status !== 200) refused.push(`${event} ${status}`);
  }
  return refused;
}

const STATUS = 'EXTERNAL_ACCOUNT.STATUS_UPDATED 409';
const CHALLENGE = 'OUTGOING_PAYMENT.PENDING_AUTHORIZATION 409';

/** Scenarios and what each rules out: the first two in `npm test`, all of them in a thorough run. */
const RULED_OUT = [
  ['demo', [STATUS, CHALLENGE]],
  ['sca', [STATUS]],
  ['default', [STATUS, CHALLENGE]],
  ['regulated', [STATUS, CHALLENGE]],
  ['contact-verification', [STATUS, CHALLENGE]],
  ['cards', [STATUS, CHALLENGE]],
] as const;

test.each(RULED_OUT.slice(0, effort(2, 6)))(
  'scenario %s refuses triggers only for the events that its platform rules out',
  async (scenario, ruledOut) => {
    expect(await refusedIn(scenario)).toEqual(ruledOut);
  },
);

test('every event group says for exactly its own events what leads to them', () => {
  expect(EVENTS.flatMap(({ after }) => Object.keys(after)).sort()).toEqual(EVENTS.flatMap(({ types }) => types).sort());
});

test('every step towards an event calls an operation that exists', async () => {
  const { world } = (await kit({ scenario: ['default', SCENARIO] })).sandbox;
  const steps = EVENTS.flatMap(({ after }) => Object.values(after)).map((one) =>
    stepsAfter(one, new Rows(world), world),
  );
  const called = steps.flatMap((one) => (typeof one === 'string' ? [{ call: one }] : one));
  const known = OPERATIONS.map(({ id }) => id);
  const ids = called.flatMap((step) => ('call' in step ? [step.call] : 'ready' in step ? [step.ready] : []));
  expect(ids.filter((id) => !known.includes(id))).toEqual([]);
});

describe('POST /_emulator/trigger', () => {
  const hooked = async (options: HostOptions = {}) => kit({ webhookUrl: (await receiver()).url, ...options });

  test('a trigger lists its calls in order, with the move of a held clock', async () => {
    const it = await hooked({ scenario: 'unregulated' });
    const { calls } = await triggered(it, 'CUSTOMER.KYC_APPROVED');
    expect(calls).toEqual([
      { operation: 'createCustomer', requestId: 'req_1', status: 201 },
      { operation: 'clock.move', requestId: null, status: 200, input: { to: '2026-01-05T09:00:02.000Z' } },
    ]);
  });

  test('a trigger on a live clock runs the pending job at once', async () => {
    const it = await hooked({ scenario: 'unregulated', holdClock: false });
    const { calls } = await triggered(it, 'OUTGOING_PAYMENT.EXPIRED');
    expect(calls.at(-1)).toMatchObject({ operation: 'clock.runJob', input: { kind: 'quote.expire' } });
  });

  test('a trigger uses existing rows before it creates others', async () => {
    const it = await hooked({ scenario: 'demo' });
    const { calls } = await triggered(it, 'OUTGOING_PAYMENT.COMPLETED');
    expect(calls.map(({ operation }) => operation)).toEqual(['createTransferOut', 'clock.move']);
  });

  test('a trigger makes a customer of its own where the one that exists lacks what the currency requires', async () => {
    const it = await hooked({ scenario: 'unregulated' });
    await it.post('/customers', { customerType: 'INDIVIDUAL', fullName: 'Ada Keller' });
    await it.advance('PT5S');
    const { calls } = await triggered(it, 'OUTGOING_PAYMENT.COMPLETED');
    expect(calls[0]).toMatchObject({ operation: 'createCustomer', status: 201 });
  });

  test('a trigger with an unknown member for its main call is refused with 400 before any call', async () => {
    const it = await kit();
    const answer = await it.control('POST', '/trigger', { event: 'OUTGOING_PAYMENT.COMPLETED', set: { amonut: 5 } });
    expect([answer.status, answer.body.message]).toEqual([
      400,
      'set.amonut: createTransferOut takes no such member; did you mean amount?',
    ]);
    expect((await it.get('/customers/external-accounts')).body.data).toEqual([]);
  });

  test('a trigger sets members of its main call', async () => {
    const it = await hooked();
    const { webhook } = await triggered(it, 'OUTGOING_PAYMENT.COMPLETED', { amount: 500, purposeOfPayment: 'GIFT' });
    const delivery = (await it.control('GET', `/webhooks/${webhook.id}`)).body;
    expect(delivery.payload.data.sentAmount.amount).toBe(500);
  });

  test.each([
    ['CUSTOMER.KYC_APROVED', '; did you mean CUSTOMER.KYC_APPROVED?'],
    ['PAYMENT_FAILED', '; did you mean OUTGOING_PAYMENT.FAILED?'],
    ['outgoing payment failed', '; did you mean OUTGOING_PAYMENT.FAILED?'],
    ['SOMETHING.ELSE', ''],
  ])(
    'a trigger of the unknown event %s is refused with 400 and the nearest type, if there is one',
    async (event, hint) => {
      const it = await hooked();
      const answer = await it.control('POST', '/trigger', { event });
      expect([answer.status, answer.body.message]).toEqual([400, `event: profile spec has no event ${event}${hint}`]);
    },
  );

  test('a trigger whose call is refused is answered with 409, the call and the reason', async () => {
    const it = await hooked();
    const answer = await it.control('POST', '/trigger', { event: 'INCOMING_PAYMENT.COMPLETED', set: { amount: -1 } });
    expect(answer.status).toBe(409);
    expect(answer.body.message).toMatch(/^createTransferIn was refused with 400 INVALID_INPUT: amount/);
    expect(answer.body.details.calls.at(-1)).toMatchObject({ operation: 'createTransferIn', status: 400 });
  });

  // These pause deliveries, so that a call decides about the payment before the receiver does.
  const PAUSING = ['INCOMING_PAYMENT.REFUND_PENDING', 'INCOMING_PAYMENT.REFUND_FAILED'];
  const paused = async (it: Kit): Promise<boolean> => {
    const { data } = (await it.control('GET', '/policies')).body as { data: { kind: string; policy: string }[] };
    return data.find(({ kind }) => kind === 'webhook.deliver')?.policy === 'hold';
  };

  test.each(PAUSING)('a trigger of %s whose call is refused leaves no delivery paused', async (event) => {
    const it = await kit();
    const answer = await it.control('POST', '/trigger', { event });
    expect([answer.status, answer.body.details.calls.at(-1).operation]).toEqual([409, 'webhooks.resume']);
    expect(await paused(it)).toBe(false);
    const hooks = await receiver();
    await it.control('PUT', '/webhooks/endpoint', { url: hooks.url });
    await hooks.until(1);
    expect(hooks.types()).toEqual(['TEST']);
  });

  test.each(PAUSING)('a trigger of %s leaves deliveries paused that a user has paused', async (event) => {
    const hooks = await receiver();
    const it = await kit({ webhookUrl: hooks.url });
    await it.control('POST', '/webhooks/pause');
    const { calls, webhook } = await triggered(it, event);
    expect(calls.map(({ operation }) => operation)).not.toContain('webhooks.pause');
    expect([webhook.type, webhook.state, await paused(it)]).toEqual([event, 'WAITING', true]);
    expect(hooks.received).toEqual([]);
  });
});
