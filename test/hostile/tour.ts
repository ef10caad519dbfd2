import { OPERATIONS } from '../../src/areas.ts';
import { type Watch, WatchedHost } from './host.ts';
import type { Send } from './plan.ts';
import { Teller } from './stories.ts';

const PROFILES = ['spec', 'grid'] as const;

/** A platform on which everything can happen that this emulator knows, and nothing that matters is over at once. */
export const EVERYTHING = {
  platform: {
    accounts: { USD: 9_000_000 },
    counterpartyRules: true,
    sca: {},
    currencies: ['USD', 'EUR', 'USDC', 'USDB'].map((code) => ({ code })),
  },
  policies: { 'customer.decide': 'at once', 'transaction.settle': 'after PT5S', 'sca.liveness': 'hold' },
};
/** Each with the operations that it is there for; the first has all others. */
export const PLACES: readonly { scenario: readonly (string | object)[]; ids: RegExp }[] = [
  { scenario: ['wallet', EVERYTHING], ids: /^(?!.*Customer(?:Email|Phone)Verification)/ },
  { scenario: ['contact-verification'], ids: /Customer(?:Email|Phone)Verification$/ },
];

/** How a teller reaches a watched host: an answer that does not come ends its story. */
export const tellerOf = (watched: WatchedHost): Teller => {
  const { host } = watched;
  const sandbox = host.default;
  const [login] = sandbox.credentials;
  const authorization = `Basic ${Buffer.from(`${login?.tokenId}:${login?.secret}`).toString('base64')}`;
  const send: Send = async (plan) => {
    const reply = await watched.ask(plan, sandbox);
    if (!reply) throw new Error(`no answer to ${plan.target}`);
    return reply;
  };
  const place = { basePath: host.basePath, authorization };
  return new Teller(send, () => sandbox, place, host.profile.walletSignatureHeader.toLowerCase());
};

/** Does every operation once in each profile, as its story goes: what is refused there is a finding. */
export async function tour(seed: number, watch: Watch, webhookUrl: string): Promise<void> {
  watch.input = -1;
  for (const profile of PROFILES)
    for (const { scenario, ids } of PLACES) {
      const watched = await WatchedHost.open({ profile, scenario, seed, webhookUrl }, watch);
      const teller = tellerOf(watched);
      for (const { id } of OPERATIONS.filter((operation) => ids.test(operation.id)))
        try {
          await teller.done(id);
        } catch (error) {
          watched.find(`${id} is done in profile ${profile}`, (error as Error).message, undefined, id);
        }
      watched.end();
    }
}
