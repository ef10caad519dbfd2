import { createHash } from 'node:crypto';
import * as z from 'zod';
import { fail } from '../../contract/errors.ts';
import { named } from '../../contract/lazy.ts';
import { exportBundle, keyPairFrom, mnemonicFrom, sha256 } from '../../crypto/index.ts';
import { oneOf, sample, wallet } from '../../declare/example.ts';
import { type Infer, type OperationContext, operationsOf, reply } from '../../declare/operation.ts';
import { secret } from '../../engine/secrets.ts';
import type { World } from '../../engine/world.ts';
import {
  changeWallet,
  type InternalAccount,
  InternalAccountShape,
  ownedAccountOf,
  showAccount,
} from '../accounts/index.ts';
import { ClientPublicKey, refusalOf } from '../sessions/index.ts';
import { activity, canonical, keyMaterial, walletIds, walletSignature } from '../signing/index.ts';

const operation = operationsOf('Internal Accounts');

const AccountUpdate = named('InternalAccountUpdateRequest', () =>
  z
    .object({ privateEnabled: z.boolean().optional() })
    .refine((body) => body.privateEnabled !== undefined, 'at least one member is needed'),
);

const ExportRequest = named('InternalAccountExportRequest', () =>
  z.object({
    clientPublicKey: ClientPublicKey().length(130, 'must be uncompressed: 130 hex characters beginning with 04'),
  }),
);

const ExportResponse = named('InternalAccountExportResponse', () =>
  z.strictObject({
    id: z.string(),
    encryptedWalletCredentials: secret(z.string()).describe(
      'JSON text: version, data, dataSignature, enclaveQuorumPublic',
    ),
  }),
);

/** Returns the wallet with an id. 404 REFERENCE_NOT_FOUND, 400 INVALID_INPUT for an account that is not a wallet. */
function walletOf(world: World, id: string): InternalAccount {
  const account = ownedAccountOf(world, id);
  if (account.type !== 'EMBEDDED_WALLET')
    fail('INVALID_INPUT', `${id} is ${account.type}: only an embedded wallet can do this`, {
      why: { rule: 'spec 4.7' },
    });
  return account;
}

/**
 * Returns the words of a wallet. They are derived from its id alone, so they are the same at every export, in every
 * life.
 */
const wordsOf = ({ id }: InternalAccount): Promise<string> =>
  mnemonicFrom(createHash('sha256').update(`wallet ${id}`).digest().subarray(0, 16));

/**
 * Returns the recovery phrase of a wallet, sealed to the client's key. Asynchronous because of HPKE; writes nothing.
 */
async function sealed(world: World, wallet: InternalAccount, publicKey: string, challengeId: string): Promise<string> {
  const ephemeral = keyPairFrom(keyMaterial(world, `export ${challengeId}`));
  return exportBundle(await wordsOf(wallet), publicKey, walletIds(wallet.id).organizationId, ephemeral);
}

/** Any active session of the wallet may sign. */
const rejectKey = ({ world }: OperationContext, { id }: InternalAccount, publicKey: string): string | undefined =>
  refusalOf(world, [id], publicKey);

export const routes = [
  operation({
    id: 'updateInternalAccount',
    endpoint: 'PATCH /internal-accounts/{id}',
    summary: "Change a wallet's privacy",
    body: AccountUpdate,
    example: { params: { id: wallet }, body: { privateEnabled: oneOf(true, false) } },
    replies: { 200: InternalAccountShape },
    refuses: ['REFERENCE_NOT_FOUND'],
    authorize: walletSignature({
      payload: ({ world, body }: OperationContext, { id }: InternalAccount) =>
        activity(world, id, 'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2', {
          encoding: 'PAYLOAD_ENCODING_HEXADECIMAL',
          hashFunction: 'HASH_FUNCTION_NO_OP',
          payload: sha256(canonical(body)),
          signWith: `sp1${walletIds(id).walletId.replaceAll('-', '')}`,
        }),
      rejectKey,
    }),
    load: ({ world, params }) => walletOf(world, params.id),
    write: ({ world, body }, wallet) =>
      reply(200, showAccount(world, changeWallet(world, wallet, { ...wallet, privateEnabled: body.privateEnabled }))),
  }),
  operation({
    id: 'exportInternalAccount',
    endpoint: 'POST /internal-accounts/{id}/export',
    summary: "Export a wallet's recovery phrase, sealed to the client's key",
    body: ExportRequest,
    example: { params: { id: wallet }, body: { clientPublicKey: sample('clientKey') } },
    replies: { 200: ExportResponse },
    refuses: ['REFERENCE_NOT_FOUND'],
    authorize: walletSignature({
      payload: ({ world, body }: OperationContext<Infer<typeof ExportRequest>>, { id }: InternalAccount) =>
        activity(world, id, 'ACTIVITY_TYPE_EXPORT_WALLET', {
          targetPublicKey: body.clientPublicKey,
          walletId: walletIds(id).walletId,
        }),
      rejectKey,
    }),
    load: ({ world, params }) => walletOf(world, params.id),
    wait: ({ world, body }, wallet, { challenge }) =>
      challenge && sealed(world, wallet, body.clientPublicKey, challenge.id),
    write: (_ask, { id }, encryptedWalletCredentials) => reply(200, { id, encryptedWalletCredentials }),
  }),
];
