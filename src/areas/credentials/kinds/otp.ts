import * as z from 'zod';
import { fail, failFields } from '../../../contract/errors.ts';
import { IdOf, Instant } from '../../../contract/shapes.ts';
import {
  keyPairFrom,
  loadSigner,
  openOtp,
  otpToken,
  parseOtpBundle,
  type Signer,
  seal,
  sha256,
  targetBundle,
} from '../../../crypto/index.ts';
import { secret } from '../../../engine/secrets.ts';
import { lazyRow, type RowOf, table } from '../../../engine/table.ts';
import type { World } from '../../../engine/world.ts';
import type { InternalAccount } from '../../accounts/index.ts';
import { sendCode } from '../../codes/index.ts';
import { platformOf } from '../../platform/index.ts';
import { activity, type Challenge, unauthorized, walletIds } from '../../signing/index.ts';
import type { Credential } from '../row.ts';
import { CREDENTIALS, credentialsOf, walletBackendKey } from '../rules.ts';
import { issuerOf, type Kind, type Login, type VerifyAsk } from './kind.ts';

/** The only code that the sandbox sends (spec 5.1 rule 1). */
export const SANDBOX_CODE = '000000';
/** The seconds for which a code is valid, unless the platform has configured another time. */
const CODE_SECONDS = 300;
const TOKEN_MS = 3600 * 1000;
/** More than the number of challenges that a credential can have while a signed retry is possible. */
const MOST_REPLACED = 20;

const IssuanceRow = lazyRow(() =>
  z.strictObject({
    id: z.string(),
    /** The id of this issuance, which differs from that of the next one. */
    issue: IdOf('Otp'),
    target: secret(z.string().regex(/^[0-9a-f]{64}$/, 'not a P-256 scalar in hex')),
    expiresAt: Instant(),
    /**
     * Issuances that this one replaced. A code of theirs that was right in time may still be signed for (reference 7).
     */
    replaced: z.array(IdOf('Otp')).max(MOST_REPLACED).optional(),
  }),
);

/** The newest code of a credential, with the key to which the client must seal it; older ones no longer count. */
type Issuance = RowOf<typeof IssuanceRow>;

export const ISSUANCES = table('otp-issuances', { row: IssuanceRow });

/** Returns a key that no login uses, for the client of an example or for sealing. */
const exampleKey = (what: string) => keyPairFrom(Buffer.from(sha256(`sandbox-emulator example, ${what}`), 'hex'));

/** Returns the login for the newest valid code that was sent: sealed, with a client's key. */
export async function loginExample(world: World) {
  const open = [...world.rows(ISSUANCES).rows()].findLast(({ expiresAt }) => expiresAt > world.clock.now());
  const credential = open && world.rows(CREDENTIALS).get(open.id);
  if (!open || !credential) return undefined;
  const said = JSON.stringify({ otp_code: SANDBOX_CODE, public_key: exampleKey('client').compressed });
  const target = keyPairFrom(Buffer.from(open.target, 'hex')).uncompressed;
  const { enc, ciphertext } = await seal(target, Buffer.from(said, 'utf8'), exampleKey('seal'));
  const [encappedPublic, sealed] = [enc, ciphertext].map((part) => Buffer.from(part).toString('hex'));
  const encryptedOtpBundle = JSON.stringify({ encappedPublic, ciphertext: sealed });
  return { params: { id: open.id }, body: { type: credential.type, encryptedOtpBundle } };
}

interface Channel {
  readonly type: 'EMAIL_OTP' | 'SMS_OTP';
  readonly channel: 'email' | 'phone';
  readonly contact: (wallet: InternalAccount) => string | undefined;
  readonly field: 'email' | 'phoneNumber';
  readonly exists: 'EMAIL_OTP_CREDENTIAL_ALREADY_EXISTS' | 'SMS_OTP_CREDENTIAL_ALREADY_EXISTS';
  readonly activity: string;
  readonly parameter: 'userEmail' | 'userPhoneNumber';
  readonly token: 'OTP_TYPE_EMAIL' | 'OTP_TYPE_SMS';
}

/** Sends a code: makes a new target key, signs it, and records the code for people to look up. */
function issueCode(
  world: World,
  credential: Credential,
  channel: Channel,
  signer: Signer,
): { otpEncryptionTargetBundle: string } {
  const target = keyPairFrom(world.ids.bytes(32));
  const seconds = platformOf(world).embeddedWallet?.expirationSeconds ?? CODE_SECONDS;
  const issuances = world.rows(ISSUANCES);
  const old = issuances.get(credential.id);
  const row: Issuance = {
    id: credential.id,
    issue: world.newId('Otp'),
    target: target.scalar,
    expiresAt: world.clock.now() + seconds * 1000,
    ...(old ? { replaced: [...(old.replaced ?? []), old.issue].slice(-MOST_REPLACED) } : {}),
  };
  if (old) issuances.put(row);
  else issuances.insert(row);
  sendCode(world, {
    channel: channel.channel,
    to: credential.nickname,
    code: SANDBOX_CODE,
    purpose: 'wallet login',
    subject: credential.id,
  });
  const { organizationId, userId } = walletIds(credential.accountId);
  return {
    otpEncryptionTargetBundle: targetBundle(signer, walletBackendKey(world), {
      targetPublic: target.uncompressed,
      organizationId,
      userId,
    }),
  };
}

/** Ends the code that was sent for a credential, if any: it is no longer accepted. */
export function endCode(world: World, credentialId: string): void {
  const issuances = world.rows(ISSUANCES);
  if (issuances.get(credentialId)) issuances.remove(credentialId);
}

/** Returns the pending code. 401 if none was sent, or it has expired. */
function pending(world: World, credential: Credential): Issuance {
  const issuance = world.rows(ISSUANCES).get(credential.id);
  if (!issuance || world.clock.now() >= issuance.expiresAt) return unauthorized('No pending OTP for this credential');
  return issuance;
}

/**
 * First call: opens the bundle and compares the code (spec 5 rule 7). Second call: returns what the first one found.
 */
async function login(
  context: VerifyAsk,
  credential: Credential,
  channel: Channel,
  kept?: Challenge['kept'],
): Promise<Login> {
  const { world, body } = context;
  const signer = await loadSigner();
  const token = (publicKey: string) => () =>
    otpToken(signer, walletBackendKey(world), {
      id: pending(world, credential).issue.replace('Otp:', ''),
      verificationType: channel.token,
      contact: credential.nickname,
      organizationId: walletIds(credential.accountId).organizationId,
      publicKey,
      expMs: world.clock.now() + TOKEN_MS,
    });
  // The first call checked that the code was in time; after that, only the end of the challenge counts.
  const settle = (issue: unknown) => () => {
    const issuances = world.rows(ISSUANCES);
    const newest = issuances.get(credential.id);
    const others = newest?.replaced?.filter((one) => one !== issue);
    if (newest && others?.length !== newest.replaced?.length) issuances.put({ ...newest, replaced: others });
    else if (newest?.issue === issue) issuances.remove(credential.id);
    else unauthorized('No pending OTP for this credential');
  };
  if (kept)
    return {
      issuer: issuerOf(credential),
      key: { publicKey: String(kept['publicKey']) },
      settle: settle(kept['issue']),
      token: token(String(kept['publicKey'])),
    };
  if (!('encryptedOtpBundle' in body)) throw new Error('the body was checked before');
  const bundle = parseOtpBundle(body.encryptedOtpBundle);
  if (!bundle.ok) return failFields([{ field: 'encryptedOtpBundle', message: bundle.reason }]);
  const issuance = pending(world, credential);
  const opened = await openOtp(keyPairFrom(Buffer.from(issuance.target, 'hex')), bundle.value);
  if (!opened.ok) return unauthorized(opened.reason);
  if (opened.value.code !== SANDBOX_CODE) return unauthorized('Invalid OTP code');
  const { publicKey } = opened.value;
  return { issuer: issuerOf(credential), key: { publicKey }, settle: settle(issuance.issue), token: token(publicKey) };
}

/** Returns one of the two one-time-code types, which differ only in their channel. */
const otpKind = (channel: Channel): Kind => ({
  refuseDouble: (world, wallet) => {
    if (credentialsOf(world, wallet.id).some((c) => c.type === channel.type))
      fail(channel.exists, `this wallet has an ${channel.type} credential already`, { why: { rule: 'spec 7 (4)' } });
  },
  draft: (_world, wallet) => {
    const contact = channel.contact(wallet);
    if (contact === undefined)
      return failFields(
        [{ field: channel.field, message: 'the customer has none' }],
        'MISSING_MANDATORY_USER_INFO',
        'spec 2.4: nickname is the contact of the customer',
      );
    return { type: channel.type, nickname: contact };
  },
  addPayload: (world, wallet, _body, draft) =>
    activity(world, wallet.id, channel.activity, {
      [channel.parameter]: draft.nickname,
      userId: walletIds(wallet.id).userId,
    }),
  removePayload: (world, { accountId }) =>
    activity(world, accountId, channel.activity, { [channel.parameter]: '', userId: walletIds(accountId).userId }),
  added: (world, credential, _body, signer) => issueCode(world, credential, channel, signer),
  challenge: (world, credential, _publicKey, signer) => issueCode(world, credential, channel, signer),
  twoStep: true,
  login: (context, credential, challenge) => login(context, credential, channel, challenge?.kept),
  keep: ({ world }, credential, { key }) => ({ publicKey: key.publicKey, issue: pending(world, credential).issue }),
});

export const emailOtp = otpKind({
  type: 'EMAIL_OTP',
  channel: 'email',
  contact: (wallet) => wallet.contact?.email,
  field: 'email',
  exists: 'EMAIL_OTP_CREDENTIAL_ALREADY_EXISTS',
  activity: 'ACTIVITY_TYPE_UPDATE_USER_EMAIL',
  parameter: 'userEmail',
  token: 'OTP_TYPE_EMAIL',
});

export const smsOtp = otpKind({
  type: 'SMS_OTP',
  channel: 'phone',
  contact: (wallet) => wallet.contact?.phoneNumber,
  field: 'phoneNumber',
  exists: 'SMS_OTP_CREDENTIAL_ALREADY_EXISTS',
  activity: 'ACTIVITY_TYPE_UPDATE_USER_PHONE_NUMBER',
  parameter: 'userPhoneNumber',
  token: 'OTP_TYPE_SMS',
});
