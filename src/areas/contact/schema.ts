import * as z from 'zod';
import { lazy } from '../../contract/lazy.ts';
import { Text } from '../../contract/shapes.ts';
import { secret } from '../../engine/secrets.ts';

/** What the customer typed in. */
export const ConfirmRequest = lazy(() =>
  z
    .object({
      code: secret(Text(32).min(1))
        .describe('The one-time code that was sent')
        .meta({ examples: ['123456'] }),
    })
    .meta({ id: 'ContactVerificationConfirmRequest' }),
);
