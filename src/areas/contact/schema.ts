import * as z from 'zod';
import { lazy } from '../../kernel/lazy.ts';
import { secret } from '../../kernel/secrets.ts';
import { Text } from '../../kernel/shapes.ts';

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
