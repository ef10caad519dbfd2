import {
  createClientKey,
  SoftwareAuthenticator,
  stamp,
  WalletClient,
  type WalletSession,
} from '../../src/testkit/index.ts';
import { mutate } from './mutations.ts';
import type { Plan, Reply, Send } from './plan.ts';
import type { Place } from './requests.ts';
import type { Source } from './values.ts';

/** What a client of a wallet holds between its calls. */
export interface Wallets {
  sessions: WalletSession[];
  authenticators: SoftwareAuthenticator[];
  keys: number;
  /** The wallet that the sessions belong to. */
  accountId?: string | undefined;
}

/** The second leg of a signed call: signed by a session that was opened earlier. */
export function signedRetry(
  plan: Plan,
  reply: Reply,
  wallets: Wallets,
  source: Source,
  header: string,
): Plan | undefined {
  const { payloadToSign, requestId } = (reply.json ?? {}) as { payloadToSign?: string; requestId?: string };
  if (reply.status !== 202 || !payloadToSign || !requestId) return undefined;
  const session = wallets.sessions.at(-1 - source.random.below(2)) ?? wallets.sessions[0];
  const key = session?.key ?? createClientKey('hostile');
  return { ...plan, headers: { ...plan.headers, [header]: stamp(key, payloadToSign), 'request-id': requestId } };
}

/** Stay with one wallet mostly, and with one that has a credential. */
function walletIn(wallets: Wallets, { random, memory }: Source): string | undefined {
  if (wallets.accountId === undefined || random.once(0.05)) {
    wallets.accountId = memory.named(random, 'wallet');
    wallets.sessions = [];
  }
  return wallets.accountId;
}

type Step = (client: WalletClient, wallets: Wallets, source: Source) => Promise<unknown>;

async function keep(wallets: Wallets, login: Promise<WalletSession>): Promise<void> {
  wallets.sessions.push(await login);
  if (wallets.sessions.length > 6) wallets.sessions.shift();
}

const authenticatorOf = (wallets: Wallets): SoftwareAuthenticator => {
  wallets.keys += 1;
  const made = new SoftwareAuthenticator({ seed: `hostile ${wallets.keys}` });
  wallets.authenticators.push(made);
  return made;
};

/** What people do with a wallet, each with real cryptography. */
const STEPS: readonly Step[] = [
  (client, wallets) => keep(wallets, client.loginWithOtp()),
  (client, wallets) => keep(wallets, client.loginWithOtp({ sealUncompressed: true })),
  (client, wallets) => keep(wallets, client.refresh()),
  (client, wallets) => client.addPasskey(authenticatorOf(wallets)),
  (client, wallets, { random }) =>
    keep(
      wallets,
      client.loginWithPasskey(
        random.of(wallets.authenticators.length > 0 ? wallets.authenticators : [authenticatorOf(wallets)]),
      ),
    ),
  (client, _, { random }) => client.addOAuth({ sub: `user-${random.below(4)}` }),
  (client, wallets) => keep(wallets, client.loginWithOAuth()),
  (client) => client.addOtp('SMS_OTP'),
  (client) => client.exportWallet(),
  (client, _, { random }) => client.setPrivacy(random.once(0.5)),
  (client, _, { memory, random }) => client.revokeCredential(memory.id(random, 'AuthMethod') ?? 'none'),
  (client, _, { memory, random }) => client.revokeSession(memory.id(random, 'Session') ?? 'none'),
  (client, _, { memory, random }) =>
    client.changeEmail(memory.id(random, 'Customer') ?? 'x', `w${random.below(1e6)}@example.com`),
];

/**
 * One thing that a client does with its wallet, in as many calls as it takes; one of them may be made wrong. What the client
 * itself then finds wrong is not a finding: `send` looks at every reply.
 */
export async function walletStory(
  send: Send,
  place: Place,
  wallets: Wallets,
  source: Source,
  header: string,
  now: () => number,
): Promise<void> {
  const { random } = source;
  const accountId = walletIn(wallets, source);
  if (accountId === undefined) return;
  let until = random.once(0.5) ? random.below(4) : -1;
  const fetch = async (url: string, init: { method: string; headers: { [name: string]: string }; body?: string }) => {
    const { pathname, search } = new URL(url);
    const headers = Object.fromEntries(
      Object.entries(init.headers).map(([name, value]) => [name.toLowerCase(), value]),
    );
    const plan: Plan = {
      target: 'a wallet',
      kind: 'api',
      method: init.method,
      path: pathname,
      query: search,
      headers,
      mutations: [],
    };
    if (init.body !== undefined) plan.body = init.body;
    until -= 1;
    if (until === -1) mutate(plan, source);
    const { status, text } = await send(plan);
    return new Response(text === '' || status === 204 ? null : text, { status });
  };
  const client = new WalletClient({
    baseUrl: `http://127.0.0.1:4010${place.basePath}`,
    authorization: place.authorization,
    accountId,
    signatureHeader: header,
    seed: `hostile ${wallets.keys} ${random.below(1e9)}`,
    now,
    fetch: fetch as never,
  });
  const session = wallets.sessions.at(-1);
  if (session) client.session = session;
  const step = session === undefined || random.once(0.2) ? STEPS[0] : random.of(STEPS);
  try {
    await step?.(client, wallets, source);
  } catch {
    // A refusal, or a reply that a mutated call made useless to the client.
  }
}
