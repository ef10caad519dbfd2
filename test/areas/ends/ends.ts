import { ACCOUNTS } from '../../../src/areas/accounts/index.ts';
import { CUSTOMERS, customerOf, submitCustomer } from '../../../src/areas/customers/index.ts';
import { IDS, ok, type Stage } from './stage.ts';

const CODE = '123456';

/** Ends trust in all accounts, as their customer does. */
async function untrust(it: Stage): Promise<void> {
  for (const id of [IDS.bank, IDS.failing, IDS.returning, IDS.chain]) {
    const path = `/customers/external-accounts/${id}/untrust`;
    const { scaChallenge } = ok(await it.post(path));
    ok(await it.post(`${path}/confirm`, { challengeId: scaChallenge.id, code: CODE }));
  }
}

function review(it: Stage, customerId: string): void {
  const { world } = it.sandbox;
  world.transact(() => submitCustomer(world, customerId));
}

/** A card that the thing is about ends so. */
const card = (state: string) => async (it: Stage) => ok(await it.patch(`/cards/${it.card}`, { state }));

/** Everything that ends, and how. Each is done to the same world, while something is under way. */
export const ENDS = {
  'nothing ends': async () => undefined,

  'API token deleted': async (it: Stage) => {
    const { id } = it.token ?? { id: '' };
    it.token = undefined;
    ok(await it.del(`/tokens/${id}`));
  },

  'session revoked': async (it: Stage) => {
    const { id } = it.session;
    ok(await it.signed(await it.del(`/auth/sessions/${id}`), 'DELETE', `/auth/sessions/${id}`));
  },
  'session expired': async (it: Stage) => it.advance('PT121S'),
  // With all sessions that it began; a session of another credential has to sign.
  'credential revoked': async (it: Stage) => {
    const path = `/auth/credentials/${it.session.credential}`;
    ok(await it.signedBy(it.other.key, await it.del(path), 'DELETE', path));
  },

  'card frozen': card('FROZEN'),
  'card closed': card('CLOSED'),
  'card closed by the service': async (it: Stage) =>
    ok(await it.control('POST', `/cards/${it.card}/decision`, { decision: 'CLOSE' })),
  'delegated key revoked': async (it: Stage) => ok(await it.del(`/auth/delegated-keys/${IDS.key}`)),

  'agent paused': async (it: Stage) => ok(await it.patch(`/agents/${it.agent}`, { isPaused: true })),
  'agent deleted': async (it: Stage) => ok(await it.del(`/agents/${it.agent}`)),
  'device code replaced': async (it: Stage) => ok(await it.post(`/agents/${it.agent}/device-codes`)),

  'customer deleted': async (it: Stage) => ok(await it.del(`/customers/${IDS.eva}`)),
  'customer under review': async (it: Stage) => review(it, IDS.eva),
  'customer rejected': async (it: Stage) => {
    review(it, IDS.eva);
    ok(await it.control('POST', `/customers/${IDS.eva}/decision`, { decision: 'REJECTED' }));
  },
  'payee deleted': async (it: Stage) => ok(await it.del(`/customers/${IDS.bo}`)),
  'applicant deleted': async (it: Stage) => ok(await it.del(`/customers/${it.applicant}`)),

  // No operation closes one; a state from outside, or the service itself, may.
  'internal accounts closed': async (it: Stage) => {
    const { world } = it.sandbox;
    world.transact(() => {
      const accounts = world.rows(ACCOUNTS);
      for (const one of accounts.all('owner', IDS.eva)) accounts.put({ ...one, status: 'CLOSED' });
    });
  },

  // While it is trusted nobody deletes it: two ends, one after the other.
  'bank account deleted': async (it: Stage) => {
    await untrust(it);
    for (const id of [IDS.bank, IDS.strange, IDS.failing, IDS.returning, IDS.chain, it.bank])
      if (id) ok(await it.del(`/customers/external-accounts/${id}`));
  },
  'trust ended': untrust,
  // Only a wallet has an owner to prove; of any other account nothing ends.
  'proof of ownership failed': async (it: Stage) => {
    for (const id of [IDS.chain, it.bank]) {
      const path = `/customers/external-accounts/${id}`;
      const asked = id ? await it.post(`${path}/challenge`, { method: 'WALLET_SIGNATURE' }) : undefined;
      if (asked?.status === 201) await it.overlapping('POST', `${path}/verify`, { signature: '0xdead' });
    }
  },
  'SCA factor removed': async (it: Stage) => ok(await it.sca('DELETE', `/factors/${encodeURIComponent(IDS.passkey)}`)),
  // A wallet's credential is tied to it, so that no call takes it away here; it does of a customer without one.
  'phone number removed': async (it: Stage) => {
    const { world } = it.sandbox;
    const { phoneNumber: _, ...eva } = customerOf(world, IDS.eva);
    world.transact(() => world.rows(CUSTOMERS).put(eva));
  },
  'SCA login ended': async (it: Stage) =>
    ok(await it.sca('POST', '/record-event', { eventType: 'RESET_PASSWORD_COMPLETED' })),

  'hosted link used': async (it: Stage) => {
    if ((await it.hosted(it.opened.link ?? '/kyc/none', { outcome: 'approve' })) !== 200)
      throw new Error('no such link');
  },
  'invitation cancelled': async (it: Stage) => ok(await it.post(`/invitations/${it.opened.invitation}/cancel`)),
  'document deleted': async (it: Stage) => ok(await it.del(`/documents/${it.opened.document}`)),
  'provider link revoked': async (it: Stage) =>
    ok(await it.control('POST', `/stablecoin-provider-accounts/${IDS.link}/status`, { status: 'REVOKED' })),
  'coin disabled': async (it: Stage) =>
    ok(await it.control('POST', `/stablecoins/${IDS.coin}/use`, { outcome: 'DISABLED' })),

  'webhook endpoint removed': async (it: Stage) => ok(await it.control('PUT', '/webhooks/endpoint', { url: null })),
  'five minutes are over': async (it: Stage) => it.advance('PT5M'),
} as const satisfies Record<string, (it: Stage) => unknown>;

export type End = keyof typeof ENDS;
