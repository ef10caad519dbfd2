import { fail } from '../../contract/errors.ts';
import type { World } from '../../engine/world.ts';
import type { Channel } from './channels.ts';
import type { Customer } from './row.ts';
import { activeCustomer, CUSTOMERS } from './rules.ts';

/** Returns the channels that still have to be verified, in the order in which they are shown (spec 3.2). */
export const unverifiedChannels = (customer: Customer): Channel[] =>
  (['email', 'phone'] as const).filter((channel) => customer.contactVerification?.[channel] === 'PENDING');

/**
 * Returns a customer whose channel awaits verification (spec 4.3). 404 for an unknown customer; 409 CONFLICT if the
 * provider does not require the channel, or it is already verified.
 */
export function awaitingChannel(world: World, id: string, channel: Channel): Customer {
  const customer = activeCustomer(world, id);
  const state = customer.contactVerification?.[channel];
  if (state !== 'PENDING')
    fail(
      'CONFLICT',
      state === undefined
        ? `the provider does not require the ${channel} of ${id} to be verified`
        : `the ${channel} of ${id} is verified already`,
      { why: { rule: 'spec 4.3, 7 condition rule 3', expected: 'PENDING', seen: state ?? 'not required' } },
    );
  return customer;
}

/** Marks a channel as `VERIFIED` after the right code (spec 3.2). */
export const verifiedChannel = (world: World, customer: Customer, channel: Channel): Customer =>
  world.rows(CUSTOMERS).put({
    ...customer,
    contactVerification: { ...customer.contactVerification, [channel]: 'VERIFIED' },
    updatedAt: world.clock.iso(),
  });
