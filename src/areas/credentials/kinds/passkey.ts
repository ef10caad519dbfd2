import { createHash } from 'node:crypto';
import * as z from 'zod';
import { fail, failFields } from '../../../contract/errors.ts';
import { IdOf, Instant } from '../../../contract/shapes.ts';
import { magicName } from '../../../contract/suffix.ts';
import { assert, LEGACY_ASSERTION, readAssertion, register, unpadded } from '../../../crypto/index.ts';
import { parseAs } from '../../../engine/parse-as.ts';
import { lazyRow, type RowOf, table } from '../../../engine/table.ts';
import type { World } from '../../../engine/world.ts';
import { type SessionKey, sessionKey } from '../../sessions/index.ts';
import { activity, CHALLENGE_SECONDS, unauthorized, walletIds } from '../../signing/index.ts';
import type { Credential, Passkey } from '../row.ts';
import { CREDENTIALS, credentialsOf } from '../rules.ts';
import { PasskeyChallenge } from '../schema.ts';
import { issuerOf, type Kind, type VerifyAsk, type VerifyBody } from './kind.ts';

const PendingRow = lazyRow(() =>
  z.strictObject({
    id: IdOf('Request'),
    credential: z.string(),
    clientPublicKey: z.string(),
    /** 64 hexadecimal characters: SHA-256 of the session-creation payload, which is never shown. */
    challenge: z.string().regex(/^[0-9a-f]{64}$/, 'not 64 hex characters'),
    expiresAt: Instant(),
  }),
);

/** A login that waits for its assertion; `id` is the request id, and a newer challenge replaces it. */
type PendingLogin = RowOf<typeof PendingRow>;

export const PENDING = table('passkey-logins', {
  row: PendingRow,
  indexes: { credential: (p) => p.credential },
});

/**
 * Registration challenges that were used for a passkey; `id` is the challenge, unpadded. Each counts once, on any
 * wallet.
 */
export const USED = table('used-registrations', {
  row: lazyRow(() => z.strictObject({ id: z.string().min(1) })),
});
/** The most challenges that are remembered; the oldest are dropped. */
const REMEMBERED = 10_000;

function noteUsed(world: World, challenge: string): void {
  const used = world.rows(USED);
  const oldest = used.size >= REMEMBERED ? used.first() : undefined;
  if (oldest) used.remove(oldest.id);
  used.insert({ id: unpadded(challenge) });
}

/** Returns the login that a Request-Id names. 401 with the reason if it must not continue (spec 5 rule 9). */
function pendingLogin(context: VerifyAsk, credential: Credential): PendingLogin {
  const id = context.header('request-id');
  if (id === undefined) return unauthorized('Request-Id is missing', 'REQUEST_ID_MISSING');
  const pending = context.world.rows(PENDING).get(id);
  if (!pending) return unauthorized('Request-Id is unknown, superseded or used');
  if (pending.credential !== credential.id) return unauthorized('Request-Id belongs to another credential');
  if (context.world.clock.now() >= pending.expiresAt) return unauthorized('Request-Id has expired');
  return pending;
}

/** Refuses the result of a ceremony: 400 INVALID_INPUT if a part cannot be parsed, else 401 with the failed check. */
function refuse(within: string, { reason, unread }: { reason: string; unread?: string }): never {
  if (unread === undefined) return unauthorized(reason);
  return failFields([{ field: `${within}.${unread}`, message: reason }], 'INVALID_INPUT', 'spec 5.1 (5)');
}

type Assertion = Extract<VerifyBody, { type: 'PASSKEY' }>['assertion'];

/** Returns the authenticator's counter after a valid assertion. 401 with the failed check. */
async function counterAfter(passkey: Passkey, assertion: Assertion, challengeHex: string): Promise<number> {
  if (assertion.signature === LEGACY_ASSERTION) {
    if (unpadded(assertion.credentialId) !== passkey.credentialId)
      unauthorized('passkey credential id is not the registered one');
    return passkey.counter;
  }
  const { credentialId, clientDataJson, authenticatorData, signature } = assertion;
  const outcome = await assert({
    credentialId,
    clientDataJson,
    authenticatorData,
    signature,
    expected: { ...passkey, challengeHex },
  });
  return outcome.ok ? outcome.value.counter : refuse('assertion', outcome);
}

export const passkey: Kind = {
  refuseDouble: (world, wallet, body) => {
    if (!('attestation' in body)) return;
    const id = unpadded(body.attestation.credentialId);
    if (credentialsOf(world, wallet.id).some((c) => c.passkey?.credentialId === id))
      fail('PASSKEY_CREDENTIAL_ALREADY_EXISTS', 'this wallet has this passkey already', {
        why: { rule: 'spec 7 (4)', seen: id },
      });
    if (world.rows(USED).get(unpadded(body.challenge))) unauthorized('the registration challenge was used before');
  },
  draft: async (_world, _wallet, body) => {
    if (!('attestation' in body)) throw new Error('the body was checked before');
    const { credentialId, clientDataJson, attestationObject } = body.attestation;
    const outcome = await register({ credentialId, clientDataJson, attestationObject, challenge: body.challenge });
    if (!outcome.ok) return refuse('attestation', outcome);
    return {
      type: 'PASSKEY',
      nickname: body.nickname,
      passkey: { credentialId: unpadded(credentialId), ...outcome.value },
    };
  },
  addPayload: (world, wallet, body) => {
    if (!('attestation' in body)) throw new Error('the body was checked before');
    const { credentialId, clientDataJson, attestationObject, transports = [] } = body.attestation;
    return activity(world, wallet.id, 'ACTIVITY_TYPE_CREATE_AUTHENTICATORS_V2', {
      authenticators: [
        {
          attestation: { attestationObject, clientDataJson, credentialId },
          authenticatorName: body.nickname,
          challenge: body.challenge,
          transports,
        },
      ],
      userId: walletIds(wallet.id).userId,
    });
  },
  added: (world, _credential, body) => {
    if ('attestation' in body) noteUsed(world, body.challenge);
    return {};
  },
  removePayload: (world, { accountId, id }) =>
    activity(world, accountId, 'ACTIVITY_TYPE_DELETE_AUTHENTICATORS', {
      authenticatorIds: [id],
      userId: walletIds(accountId).userId,
    }),
  challenge: (world, credential, sent) => {
    const { clientPublicKey } = parseAs(PasskeyChallenge(), { clientPublicKey: sent ?? undefined });
    const rows = world.rows(PENDING);
    for (const old of rows.all('credential', credential.id)) rows.remove(old.id);
    const payload = activity(world, credential.accountId, 'ACTIVITY_TYPE_CREATE_READ_WRITE_SESSION_V2', {
      targetPublicKey: clientPublicKey,
    });
    const pending = rows.insert({
      id: world.newId('Request'),
      credential: credential.id,
      clientPublicKey,
      // The hash includes random bytes, so that two challenges of one moment differ.
      challenge: createHash('sha256').update(payload).update(world.ids.bytes(16)).digest('hex'),
      expiresAt: world.clock.now() + world.lasting(CHALLENGE_SECONDS),
    });
    return {
      challenge: pending.challenge,
      requestId: pending.id,
      expiresAt: new Date(pending.expiresAt).toISOString(),
    };
  },
  twoStep: false,
  login: async (context, credential) => {
    const { world, body } = context;
    const registered = credential.passkey;
    if (!('assertion' in body) || !registered) throw new Error('the body was checked before');
    // Parsed before authentication begins, as for a malformed token (spec 5.1 rule 5); the legacy value skips all of
    // it.
    const read = body.assertion.signature === LEGACY_ASSERTION ? undefined : await readAssertion(body.assertion);
    if (read && !read.ok) return refuse('assertion', read);
    const pending = pendingLogin(context, credential);
    const counter = await counterAfter(registered, body.assertion, pending.challenge);
    const key: SessionKey = await sessionKey(world, pending.clientPublicKey, pending.id);
    const settle = () => {
      // Looked up again: if two equal assertions are sent at once, the second finds its request used.
      world.rows(PENDING).remove(pendingLogin(context, credential).id);
      const now =
        world.rows(CREDENTIALS).get(credential.id) ?? unauthorized('the credential was removed in the meantime');
      world.rows(CREDENTIALS).put({ ...now, passkey: { ...registered, counter } });
      if (body.assertion.signature === LEGACY_ASSERTION)
        world.magic(
          `the legacy passkey signature ${LEGACY_ASSERTION} was accepted without a check`,
          magicName('assertion.signature', LEGACY_ASSERTION),
        );
    };
    return { issuer: issuerOf(credential), key, settle };
  },
};
