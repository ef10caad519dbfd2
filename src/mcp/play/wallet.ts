import * as z from 'zod';
import { lazy } from '../../contract/lazy.ts';
import { fieldErrors } from '../../engine/parse-as.ts';
import { commands } from '../../sandbox/commands/index.ts';
import type { WalletClient, WalletSession } from '../../testkit/index.ts';
import { JsonObject, needed, type ToolAnswer } from '../tool.ts';
import { type Act, type Player, type PlayInput, theOne } from './player.ts';

interface Account {
  readonly id: string;
  readonly customerId?: string;
}

/** Returns the wallet of an act: that of an account or its customer, the one that pays a quote, or the only one. */
async function walletOf(player: Player, { of, quote }: PlayInput): Promise<WalletClient> {
  const { data } = await player.call('GET', '/customers/internal-accounts?type=EMBEDDED_WALLET&limit=100');
  const payer = quote && of === undefined ? await payerOf(player, quote) : undefined;
  const labelOf = ({ id, customerId }: Account) => (customerId === undefined ? id : `${id} of ${customerId}`);
  const { id: accountId } = theOne(data as readonly Account[], of ?? payer, 'embedded wallet', labelOf);
  const known = player.held.wallets.get(accountId);
  if (known) return known;
  const { WalletClient } = await import('../../testkit/index.ts');
  const wallet = new WalletClient({ ...player.target, accountId, now: () => player.held.line.now });
  player.held.wallets.set(accountId, wallet);
  return wallet;
}

async function payerOf(player: Player, quote: string): Promise<string | undefined> {
  const { source } = await player.call('GET', `/quotes/${encodeURIComponent(quote)}`);
  return source?.accountId;
}

/** Returns a session as others may see it: the signing key stays with the owner who is played. */
function loggedIn({ key, ...session }: WalletSession): ToolAnswer {
  return {
    session,
    publicKey: key.compressed,
    next: 'play {as: "wallet", act: "pay", quote} executes a quote of this wallet; act "call" makes any call that its owner signs',
  };
}

/** Returns the claims of a token that identify a person at a provider. */
function identityIn(token: unknown) {
  const [, payload = ''] = String(token).split('.');
  const { iss, sub, aud } = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8')) as Record<string, string>;
  return { ...(iss && { iss }), ...(sub && { sub }), ...(aud && { aud }) };
}

/**
 * Returns the identity with which a credential was added, which a new token needs: the API shows it to its owner alone.
 */
async function identityOf({ client, held }: Player, wallet: WalletClient) {
  const found = (await wallet.listCredentials()).filter(({ type }) => type === 'OAUTH');
  const known = found.find(({ id }) => held.identities.has(id));
  if (known) return { credentialId: known.id, token: held.identities.get(known.id) ?? {} };
  const { example } = await client.ask(commands.operations.describe, { id: 'verifyAuthCredential' });
  const { params, body } = example as { params: { id?: string }; body?: { oidcToken?: string } };
  const shown = found.find(({ id }) => id === params.id);
  if (shown && body?.oidcToken) return { credentialId: shown.id, token: identityIn(body.oidcToken) };
  throw new Error(
    `no identity of a provider of this wallet is known here: add one with play {as: "wallet", act: "call", call: {id: "createAuthCredential", body}}, or log in with ${await ways(wallet)}`,
  );
}

async function withCode(wallet: WalletClient, { with: how, code }: PlayInput): Promise<WalletSession> {
  const type = how === 'sms' ? 'SMS_OTP' : 'EMAIL_OTP';
  const found = (await wallet.listCredentials()).find((one) => one.type === type);
  if (!found) throw new Error(`this wallet has no ${type}: with is one of ${await ways(wallet)}`);
  return wallet.loginWithOtp({ credentialId: found.id, ...(code === undefined ? {} : { code }) });
}

const WAYS: Readonly<Record<string, string>> = {
  EMAIL_OTP: 'email',
  SMS_OTP: 'sms',
  OAUTH: 'oidc',
  PASSKEY: 'passkey',
};

async function ways(wallet: WalletClient): Promise<string> {
  const all = await wallet.listCredentials();
  return [...new Set(all.map(({ type }) => WAYS[type]))].join(', ') || 'none: it has no credential';
}

async function byPasskey(player: Player, wallet: WalletClient): Promise<WalletSession> {
  const passkey = player.held.passkeys.get(wallet.accountId);
  if (!passkey)
    throw new Error('nobody played here has a passkey of this wallet: play {as: "passkey", act: "register"} first');
  return wallet.loginWithPasskey(passkey);
}

const logIn: Act = async (player, input) => {
  const wallet = await walletOf(player, input);
  if (input.with === 'passkey') return loggedIn(await byPasskey(player, wallet));
  if (input.with === 'oidc') {
    const { token, credentialId } = await identityOf(player, wallet);
    return loggedIn(await wallet.loginWithOAuth(token, { credentialId }));
  }
  return loggedIn(await withCode(wallet, input));
};

/** Returns the wallet's client. Throws a sentence if its owner is not logged in. */
async function signer(player: Player, input: PlayInput): Promise<WalletClient> {
  const wallet = await walletOf(player, input);
  if (!wallet.session)
    throw new Error(
      `nobody is logged in to ${wallet.accountId} here: play {as: "wallet", act: "log_in", of: "${wallet.accountId}", with: "email"} first`,
    );
  return wallet;
}

const CALL = '{id, params?, query?, body?}';
const SignedCall = lazy(() =>
  z.strictObject({
    id: z.string().max(200),
    params: z.record(z.string(), z.string()).optional(),
    query: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).optional(),
    body: JsonObject().optional(),
  }),
);

/** Returns the parts of a call. Throws a sentence that names its fault. */
function signedCall(sent: unknown) {
  const { data, error } = SignedCall().safeParse(sent);
  if (data) return data;
  const fields = fieldErrors(error, sent).map(({ field, message }) => [field, message].filter(Boolean).join(': '));
  throw new Error(`call is ${CALL}, and this is not: ${fields.join('; ')}`);
}

/** The acts of the owner of an embedded wallet, by name. */
export const WALLET: Readonly<Record<string, Act>> = {
  log_in: logIn,
  pay: async (player, input) => {
    const quote = needed(input.quote, 'quote, the id of one that this wallet pays', 'pay');
    const paid = await (await signer(player, input)).pay(quote);
    return {
      quote: paid,
      next:
        paid.status === 'PENDING_AUTHORIZATION'
          ? `its customer has to authenticate: play {as: "authenticator", act: "authorize", quote: "${quote}"}`
          : 'it goes on by itself: webhooks {act: "wait", type: "OUTGOING_PAYMENT.COMPLETED", within: "P1D"} waits for its end',
    };
  },
  call: async (player, input) => {
    const { id, params = {}, query = {}, body } = signedCall(needed(input.call, `call, ${CALL}`, 'call'));
    const wallet = await signer(player, input);
    const { method, path } = await player.client.ask(commands.operations.describe, { id });
    const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
      encodeURIComponent(needed(params[name], `params.${name}`, id)),
    );
    const sent = new URLSearchParams(
      Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]),
    );
    const answer = await wallet.signed(method, `${filled}${sent.size > 0 ? `?${sent}` : ''}`, body);
    if (answer.body?.type === 'OAUTH' && body?.['oidcToken'] !== undefined)
      player.held.identities.set(answer.body.id, identityIn(body['oidcToken']));
    return { status: answer.status, body: answer.body, next: 'it was signed if a signature was required' };
  },
  export: async (player, input) => ({
    mnemonic: await (await signer(player, input)).exportWallet(),
    next: 'anyone who has these words has the wallet, in this sandbox only',
  }),
  sessions: async (player, input) => {
    const wallet = await walletOf(player, input);
    const [credentials, sessions] = [await wallet.listCredentials(), await wallet.listSessions()];
    return {
      account: wallet.accountId,
      credentials,
      sessions,
      ...(wallet.session ? { ours: wallet.session.id } : {}),
      next: 'play {as: "wallet", act: "log_in", with} begins a session that acts here sign with',
    };
  },
  log_out: async (player, input) => {
    await (await signer(player, input)).signOut();
    return { loggedOut: true, next: 'play {as: "wallet", act: "log_in"} begins another session' };
  },
};

/** The acts of a passkey of a wallet. */
export const PASSKEY: Readonly<Record<string, Act>> = {
  register: async (player, input) => {
    const wallet = await signer(player, input);
    const { SoftwareAuthenticator } = await import('../../testkit/index.ts');
    const passkey = new SoftwareAuthenticator();
    const credential = await wallet.addPasskey(passkey);
    player.held.passkeys.set(wallet.accountId, passkey);
    return { credential, next: 'play {as: "passkey", act: "log_in"} logs in with it' };
  },
  log_in: async (player, input) => loggedIn(await byPasskey(player, await walletOf(player, input))),
};
