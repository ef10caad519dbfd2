import * as z from 'zod';
import { lazy, named } from '../../contract/lazy.ts';
import { Moment, Text } from '../../contract/shapes.ts';

export const STATUSES = ['PENDING', 'ACTIVE', 'REVOKED'] as const;

const Id = (example: string) =>
  z
    .string()
    .max(255)
    .meta({ examples: [example] });

export const DelegatedKeyCreate = named('DelegatedKeyCreateRequest', () =>
  z.object({
    cardId: Id('Card:0195a7c2-41aa-7d10-9c3e-5b8f2a6d0e21'),
    internalAccountId: Id('InternalAccount:0195a7c2-41aa-7d10-9c3e-5b8f2a6d0e22').describe(
      'The embedded wallet that pays for the card',
    ),
    nickname: Text(256).min(1),
  }),
);

export const DelegatedKeyShape = named('DelegatedKey', () =>
  z.strictObject({
    id: Id('DelegatedKey:0195a7c2-41aa-7d10-9c3e-5b8f2a6d0e23'),
    cardId: z.string(),
    fundingSourceId: z.string(),
    accountId: z.string(),
    publicKey: z.string().describe('Compressed P-256 point: 66 hexadecimal digits'),
    nickname: z.string(),
    status: z.enum(STATUSES).meta({ id: 'DelegatedKeyStatus' }),
    createdAt: Moment(),
    updatedAt: Moment(),
  }),
);

export const DelegatedKeyList = named('DelegatedKeyListResponse', () =>
  z.strictObject({ data: z.array(DelegatedKeyShape()) }),
);

export const DelegatedKeyQuery = lazy(() =>
  z
    .object({ accountId: z.string().max(255).optional(), fundingSourceId: z.string().max(255).optional() })
    .refine(({ accountId, fundingSourceId }) => accountId !== undefined || fundingSourceId !== undefined, {
      error: 'accountId or fundingSourceId is needed',
      path: ['accountId'],
    }),
);
