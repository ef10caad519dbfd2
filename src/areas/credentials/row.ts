import * as z from 'zod';
import { IdOf, Moment } from '../../contract/shapes.ts';
import type { Infer } from '../../declare/operation.ts';
import { type MembersOf, rowShape } from '../../engine/table.ts';
import type { CredentialType } from '../signing/index.ts';

const common = () => ({
  id: IdOf('AuthMethod'),
  accountId: z.string(),
  nickname: z.string(),
  createdAt: Moment(),
  updatedAt: Moment(),
});

const Passkey = () =>
  z.strictObject({
    credentialId: z.string(),
    /** The COSE key, as base64url. */
    publicKey: z.string(),
    counter: z.int().min(0),
    origin: z.string(),
    rpIdHash: z.string(),
  });

const Identity = () => z.strictObject({ iss: z.string(), aud: z.string(), sub: z.string() });

/** A way to log in to a wallet (spec 2.4). */
export interface Credential extends MembersOf<typeof common> {
  readonly type: CredentialType;
  readonly passkey?: Passkey | undefined;
  readonly oauth?: Infer<typeof Identity> | undefined;
}
export type Passkey = Infer<typeof Passkey>;

/** The stored row of a credential: a passkey has its key, an identity its issuer. */
export const CredentialRow = rowShape<Credential>()(() =>
  z.discriminatedUnion('type', [
    z.strictObject({ ...common(), type: z.literal('EMAIL_OTP') }),
    z.strictObject({ ...common(), type: z.literal('SMS_OTP') }),
    z.strictObject({ ...common(), type: z.literal('PASSKEY'), passkey: Passkey() }),
    z.strictObject({ ...common(), type: z.literal('OAUTH'), oauth: Identity() }),
  ]),
);
