import * as z from 'zod';
import { CODES } from '../../areas/codes/index.ts';
import { walletBackendKey } from '../../areas/credentials/index.ts';
import { inspectTransaction } from '../../areas/transactions/index.ts';
import { pageInput } from '../../contract/shapes.ts';
import { byId, command } from './command.ts';

export const records = {
  codes: command(
    'One-time codes "sent" by email and SMS, and device codes of agents, newest first',
    () => ({ ...pageInput(), subject: z.string().optional().describe('Codes about the resource of this id only') }),
    ({ sandbox }, { limit, cursor, subject }) => sandbox.world.rows(CODES).page({ where: { subject }, limit, cursor }),
  ),
  walletKey: command('The public key that signs OTP target bundles, for clients that verify them', ({ sandbox }) => ({
    quorumPublicKey: walletBackendKey(sandbox.world).uncompressed,
  })),
  transaction: command(
    'A payment with the outcome planned for it, the steps done and to come, and every posting it caused',
    byId('payment'),
    ({ sandbox }, { id }) => inspectTransaction(sandbox.world, id),
  ),
};
