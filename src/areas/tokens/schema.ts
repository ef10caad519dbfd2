import * as z from 'zod';
import { lazy, named } from '../../contract/lazy.ts';
import { Moment, pageOf, pageQuery, QueryMoment, Text } from '../../contract/shapes.ts';
import { secret } from '../../engine/secrets.ts';

/** The permissions of a token: read, move money, administer (spec 4, reference permissions table). */
const PermissionShape = named('Permission', () => z.enum(['VIEW', 'TRANSACT', 'MANAGE']));

export const TokenCreate = named('ApiTokenCreateRequest', () =>
  z.object({
    name: Text(255).min(1).describe('A name that tells people what the token is for'),
    permissions: z.array(PermissionShape()).min(1).max(10),
  }),
);

/** A token. Its secret is only in the reply that creates it. */
export const TokenShape = named('ApiToken', () =>
  z.strictObject({
    id: z.string().meta({ readOnly: true, examples: ['Token:0195a7c2-41aa-7d10-9c3e-5b8f2a6d0e11'] }),
    name: z.string(),
    permissions: z.array(PermissionShape()),
    clientId: z.string().describe('User name for HTTP Basic authentication'),
    clientSecret: secret(z.string()).optional().describe('Password for HTTP Basic authentication; shown once'),
    createdAt: Moment(),
    updatedAt: Moment(),
  }),
);

export const TokenPage = pageOf('TokenListResponse', TokenShape);

export const TokenQuery = lazy(() =>
  z.object({
    name: z.string().max(500).optional(),
    createdAfter: QueryMoment().optional(),
    createdBefore: QueryMoment().optional(),
    updatedAfter: QueryMoment().optional(),
    updatedBefore: QueryMoment().optional(),
    ...pageQuery(),
  }),
);
