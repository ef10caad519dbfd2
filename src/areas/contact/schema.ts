import * as z from 'zod';
import { named } from '../../contract/lazy.ts';
import { Text } from '../../contract/shapes.ts';
import { secret } from '../../engine/secrets.ts';

/** The code that the customer typed in. */
export const ConfirmRequest = named('ContactVerificationConfirmRequest', () =>
  z.object({
    code: secret(Text(32).min(1))
      .describe('The one-time code that was sent')
      .meta({ examples: ['123456'] }),
  }),
);
