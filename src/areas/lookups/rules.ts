import { createHash } from 'node:crypto';
import { fail } from '../../contract/errors.ts';
import { lowerCase } from '../../contract/lower-case.ts';
import type { World } from '../../engine/world.ts';
import { CUSTOMERS } from '../customers/index.ts';
import { RECEIVERS, type Receiver, SANDBOX_DOMAIN } from './magic.ts';

/** The receiver at a UMA address: one that the sandbox simulates, or a customer of this platform. */
export interface UmaReceiver extends Receiver {
  /** The address in lower case. */
  readonly address: string;
  /** The id of a customer of this platform, if the address is theirs. */
  readonly customerId?: string | undefined;
}

const ADDRESS = /^\$[a-z0-9\-_.+]{1,63}@[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?(?::\d{1,5})?$/;

/** Returns a UMA address in lower case. 400 INVALID_UMA_ADDRESS if it is malformed. */
export function checkUma(sent: string): string {
  const address = lowerCase(sent);
  if (!ADDRESS.test(address))
    fail('INVALID_UMA_ADDRESS', `${sent}: not of the form $username@domain`, { why: { rule: 'spec 2.8', seen: sent } });
  return address;
}

/**
 * Returns the receiver at a UMA address (spec 2.8). 400 INVALID_UMA_ADDRESS if it is malformed, 404 UMA_NOT_FOUND if it
 * has no receiver. `outcome` says how a payment to, or from, that address ends.
 */
export function lookupUma(world: World, sent: string): UmaReceiver {
  const address = checkUma(sent);
  const [name, domain] = address.split('@') as [string, string];
  const receiver = SANDBOX_DOMAIN.test(domain) ? RECEIVERS.get(name) : undefined;
  if (receiver) return { ...receiver, address };
  // By the address that they show, even if the platform has changed its domain: customers keep theirs.
  const holder = world.rows(CUSTOMERS).find('umaAddress', address);
  if (holder) return { address, outcome: 'success', currencies: holder.currencies, customerId: holder.id };
  return fail('UMA_NOT_FOUND', `nobody receives at ${sent}`, { why: { rule: 'spec 7, status 404', seen: sent } });
}

/**
 * Returns the id of a lookup, `Lookup:<uuid>`. A receiver is a UMA address in any case, or the id of an external
 * account. Its id is the same in every sandbox, because a read leaves no row behind. It never expires and can be used
 * again.
 */
export function lookupIdOf(receiver: string): string {
  const hex = createHash('sha256').update(`lookup ${receiver.toLowerCase()}`).digest('hex');
  return `Lookup:${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** Refuses a lookup id that belongs to no lookup of this receiver: 404 LOOKUP_REQUEST_NOT_FOUND. */
export function checkLookup(lookupId: string, receiver: string): void {
  if (lookupId !== lookupIdOf(receiver))
    fail('LOOKUP_REQUEST_NOT_FOUND', `${lookupId} is not a lookup of ${receiver}`, {
      why: { rule: 'spec 7, status 404', seen: lookupId },
    });
}
