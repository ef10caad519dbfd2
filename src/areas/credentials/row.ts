import * as z from 'zod';
import { IdOf, Moment } from '../../contract/shapes.ts';
import { rowShape } from '../../engine/table.ts';
import type { Credential } from './rules.ts';

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
    publicKey: z.string(),
    counter: z.int().min(0),
    origin: z.string(),
    rpIdHash: z.string(),
  });

const Identity = () => z.strictObject({ iss: z.string(), aud: z.string(), sub: z.string() });

/** A credential as it is kept: a passkey has its key, an identity its issuer. */
export const CredentialRow = rowShape<Credential>()(() =>
  z.discriminatedUnion('type', [
    z.strictObject({ ...common(), type: z.literal('EMAIL_OTP') }),
    z.strictObject({ ...common(), type: z.literal('SMS_OTP') }),
    z.strictObject({ ...common(), type: z.literal('PASSKEY'), passkey: Passkey() }),
    z.strictObject({ ...common(), type: z.literal('OAUTH'), oauth: Identity() }),
  ]),
);
