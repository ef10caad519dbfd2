import * as z from 'zod';
import { seed } from '../../declare/seed.ts';
import { CUSTOMERS } from '../customers/index.ts';
import { activeFactor } from './factor-rows.ts';
import { plantFactor } from './factors.ts';
import { SCA_FACTORS } from './row.ts';

export const factorSeed = seed(SCA_FACTORS, {
  key: 'scaFactors',
  about: 'Authenticator apps and passkeys that customers have enrolled from the start',
  example: '{ customer: ada, type: PASSKEY }',
  members: () => ({
    customer: z.string().describe('Label of the customer'),
    type: z.enum(['TOTP', 'PASSKEY']).describe('An authenticator app or a passkey'),
    secret: z
      .string()
      .regex(/^(?:[0-9a-f]{2}){16,64}$/, 'must be 16 to 64 bytes in hexadecimal')
      .optional()
      .describe('Secret of an authenticator app, in hexadecimal; made up'),
    credentialId: z.string().min(1).optional().describe('Id of a passkey, as its assertions name it'),
  }),
  plant: (world, { id, customer, type, secret, credentialId }, labels) => {
    const customerId = labels.idOf(CUSTOMERS, customer, 'customer');
    if (activeFactor(world, customerId, type)) labels.refuse('type', `${customer} has one already`);
    if (type === 'PASSKEY' && secret !== undefined)
      labels.refuse('secret', 'an authenticator app has one, not a passkey');
    if (type === 'TOTP' && credentialId !== undefined)
      labels.refuse('credentialId', 'a passkey has one, not an authenticator app');
    const kept =
      type === 'TOTP'
        ? { secret: secret ?? world.ids.hex(20) }
        : { passkey: { counter: 0, ...(credentialId === undefined ? {} : { credentialId }) } };
    return plantFactor(world, { customerId, type, ...kept }, id).id;
  },
});
