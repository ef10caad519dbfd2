import type { Builder, Recipes, Thing } from '../builder.ts';
import { CLIENT_KEY, OIDC, ref, UNCOMPRESSED_KEY } from '../plan.ts';
import { internal } from './accounts.ts';
import { SIGNED } from './payments.ts';
import { customer } from './people.ts';

type Details = NonNullable<Parameters<Builder['call']>[1]>;

const wallet = (b: Builder): Thing => internal(b, 'USDB', customer(b));

/** A call that is challenged, and mostly its retry with the signature that a sandbox takes for any wallet. */
function signed(b: Builder, operation: string, details: Details): string {
  const call = b.call(operation, details);
  if (b.once(5)) return call;
  const id = b.once(8) ? 'Request:00000000-0000-7000-8000-000000000000' : ref(call, 'requestId');
  return b.call(operation, { ...details, headers: { ...SIGNED, 'Request-Id': id } });
}

/** A way to log in to a wallet. */
function newCredential(b: Builder, type = b.of(['OAUTH', 'OAUTH', 'SMS_OTP', 'EMAIL_OTP'])): Thing {
  const { id } = wallet(b);
  const body = { type, accountId: id, ...(type === 'OAUTH' ? { oidcToken: OIDC } : {}) };
  return b.keep('credential', signed(b, 'createAuthCredential', { body }), { type, wallet: id });
}
const credential = (b: Builder): Thing => b.some('credential', () => newCredential(b));
const byToken = (b: Builder): Thing =>
  b.some(
    'credential',
    () => newCredential(b, 'OAUTH'),
    ({ type }) => type === 'OAUTH',
  );

/** The credential for the email that every wallet is born with. */
function born(b: Builder): Thing {
  const { id } = wallet(b);
  const call = b.call('listAuthCredentials', { query: { accountId: id } });
  return { id: ref(call, 'data.0.id'), call, wallet: id, type: 'EMAIL_OTP' };
}

function login(b: Builder): Thing {
  const { id, wallet } = byToken(b);
  const body = { type: 'OAUTH', oidcToken: OIDC, clientPublicKey: CLIENT_KEY };
  return b.keep('session', b.call('verifyAuthCredential', { params: { id }, body }), { wallet: wallet ?? '' });
}
const session = (b: Builder): Thing => b.some('session', () => login(b));

export const WALLETS: Recipes = {
  listAuthCredentials: (b) => void b.call('listAuthCredentials', { query: { accountId: wallet(b).id } }),
  createAuthCredential: (b) => void newCredential(b),
  challengeAuthCredential: (b) => {
    const { id } = b.once(2) ? credential(b) : born(b);
    b.call('challengeAuthCredential', {
      params: { id },
      body: b.below(2) === 0 ? {} : { clientPublicKey: CLIENT_KEY },
    });
  },
  verifyAuthCredential: (b) => {
    if (!b.once(4)) return void login(b);
    const params = { id: born(b).id };
    b.call('challengeAuthCredential', { params, body: {} });
    b.call('verifyAuthCredential', { params, body: { type: 'EMAIL_OTP', encryptedOtpBundle: '{}' } });
  },
  revokeAuthCredential: (b) => void signed(b, 'revokeAuthCredential', { params: { id: credential(b).id } }),
  listAuthSessions: (b) => {
    const { wallet: accountId } = b.once(2) ? { wallet: wallet(b).id } : session(b);
    b.call('listAuthSessions', { query: { accountId: accountId ?? '' } });
  },
  refreshAuthSession: (b) => {
    const details = { params: { id: session(b).id }, body: { clientPublicKey: CLIENT_KEY } };
    b.keep('session', signed(b, 'refreshAuthSession', details));
  },
  revokeAuthSession: (b) => void signed(b, 'revokeAuthSession', { params: { id: session(b).id } }),
  updateInternalAccount: (b) => {
    const body = b.of<{ [name: string]: boolean }>([{ privateEnabled: true }, { privateEnabled: false }, {}]);
    const account = b.once(4) ? internal(b, 'USD', customer(b)) : wallet(b);
    signed(b, 'updateInternalAccount', { params: { id: account.id }, body });
  },
  exportInternalAccount: (b) =>
    void signed(b, 'exportInternalAccount', {
      params: { id: wallet(b).id },
      body: { clientPublicKey: UNCOMPRESSED_KEY },
    }),
};
