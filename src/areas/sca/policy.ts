import * as z from 'zod';
import { fail } from '../../contract/errors.ts';
import { Country, EEA_COUNTRIES } from '../../contract/shapes.ts';
import type { Infer } from '../../declare/operation.ts';
import { lazyRow, type RowOf, table } from '../../engine/table.ts';
import type { World } from '../../engine/world.ts';
import { activeCustomer, type Customer, countryOf } from '../customers/index.ts';
import { platformOf } from '../platform/index.ts';

/** The settings of strong customer authentication in a scenario; a platform without them requires it of no customer. */
export const ScaPolicy = () =>
  z.strictObject({
    regions: z
      .array(Country())
      .min(1)
      .default([...EEA_COUNTRIES])
      .describe("Countries whose customers are concerned, by region, else by address; the European Economic Area's"),
    requireSession: z
      .boolean()
      .default(false)
      .describe('true: a payment is authorized only while the customer is logged in (POST /sca/login/complete)'),
    challenges: z
      .int()
      .min(1)
      .max(2)
      .default(1)
      .describe('2: a payment across currencies asks twice, for the conversion and for the payout'),
    origins: z
      .array(z.url({ protocol: /^https?$/ }))
      .min(1)
      .optional()
      .describe("Where passkeys may be used; https:// and the platform's umaDomain"),
    relyingPartyId: z.string().min(1).optional().describe('Relying party of passkeys; the host of the first origin'),
  });

const RulesRow = lazyRow(() =>
  z.strictObject({
    id: z.literal('rules'),
    regions: z.array(Country()),
    requireSession: z.boolean(),
    challenges: z.int().min(1).max(2),
    origins: z.array(z.string()).min(1),
    relyingPartyId: z.string().min(1),
  }),
);

/** The requirements of the platform's jurisdiction: one row, and only if a scenario sets it. */
export const SCA_RULES = table('sca-rules', { row: RulesRow });

/** Requires strong customer authentication of customers in some countries from now on. */
export function setScaPolicy(world: World, policy: Infer<typeof ScaPolicy> | undefined): void {
  if (policy === undefined) return;
  const origins = policy.origins ?? [`https://${platformOf(world).umaDomain}`];
  const relyingPartyId = policy.relyingPartyId ?? new URL(origins[0] as string).hostname;
  world.rows(SCA_RULES).insert({ id: 'rules', ...policy, origins, relyingPartyId });
}

/** Returns the requirements; they exist if any customer is subject to strong customer authentication. */
export const rulesOf = (world: World): RowOf<typeof RulesRow> =>
  world.rows(SCA_RULES).first() as RowOf<typeof RulesRow>;

/**
 * Returns whether a customer must authenticate strongly: by region, else by the country of the address (reference 8).
 */
export function requiresSca(world: World, customer: Customer): boolean {
  const country = countryOf(customer);
  return country !== undefined && (world.rows(SCA_RULES).first()?.regions.includes(country) ?? false);
}

/** Refuses a customer who is not subject to strong customer authentication: 409 CONFLICT (reference 8). */
export function checkConcerned(world: World, customer: Customer): Customer {
  if (!requiresSca(world, customer))
    fail('CONFLICT', `strong customer authentication is not required of ${customer.id}`, {
      why: { rule: 'reference 8', seen: countryOf(customer) },
    });
  return customer;
}

/**
 * Returns a customer who is subject to strong customer authentication. 404 USER_NOT_FOUND, 409 CONFLICT (reference 8).
 */
export const concernedCustomer = (world: World, id: string): Customer =>
  checkConcerned(world, activeCustomer(world, id));
