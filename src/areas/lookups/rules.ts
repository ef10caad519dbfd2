import { createHash } from 'node:crypto';
import { fail } from '../../contract/errors.ts';
import { lowerCase } from '../../contract/lower-case.ts';
import type { World } from '../../engine/world.ts';
import { CUSTOMERS } from '../customers/index.ts';
import { RECEIVERS, type Receiver, SANDBOX_DOMAIN } from './magic.ts';

/** The receiver at a UMA address: one that the sandbox plays, or a customer of this platform. */
export interface UmaReceiver extends Receiver {
  /** In lower case. */
  readonly address: string;
  /** A customer of this platform, when the address is theirs. */
  readonly customerId?: string | undefined;
}

const ADDRESS = /^\$[a-z0-9\-_.+]{1,63}@[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?(?::\d{1,5})?$/;

/** A UMA address in lower case; 400 `INVALID_UMA_ADDRESS` when it is not one. */
export function checkUma(sent: string): string {
  const address = lowerCase(sent);
  if (!ADDRESS.test(address))
    fail('INVALID_UMA_ADDRESS', `${sent}: not of the form $username@domain`, { why: { rule: 'spec 2.8', seen: sent } });
  return address;
}

/**
 * Returns who is at a UMA address (spec 2.8). 400 `INVALID_UMA_ADDRESS` when it is malformed, 404 `UMA_NOT_FOUND` when it
 * is well formed and has no receiver. `outcome` says how a payment to, or from, that address ends.
 */
export function lookupUma(world: World, sent: string): UmaReceiver {
  const address = checkUma(sent);
  const [name, domain] = address.split('@') as [string, string];
  const receiver = SANDBOX_DOMAIN.test(domain) ? RECEIVERS.get(name) : undefined;
  if (receiver) return { ...receiver, address };
  // At the address that they show, whatever domain the platform has had since: a customer keeps theirs.
  const holder = world.rows(CUSTOMERS).find('umaAddress', address);
  if (holder) return { address, outcome: 'success', currencies: holder.currencies, customerId: holder.id };
  return fail('UMA_NOT_FOUND', `nobody receives at ${sent}`, { why: { rule: 'spec 7, status 404', seen: sent } });
}

/**
 * The id of a lookup: `Lookup:<uuid>`, the same for one receiver in every sandbox (a UMA address in any case, or the id of an
 * external account): a read leaves no row behind. It never expires and can be used again.
 */
export function lookupIdOf(receiver: string): string {
  const hex = createHash('sha256').update(`lookup ${receiver.toLowerCase()}`).digest('hex');
  return `Lookup:${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** Refuse a lookup id that no lookup of this receiver gave out: 404 `LOOKUP_REQUEST_NOT_FOUND`. */
export function checkLookup(lookupId: string, receiver: string): void {
  if (lookupId !== lookupIdOf(receiver))
    fail('LOOKUP_REQUEST_NOT_FOUND', `${lookupId} is not a lookup of ${receiver}`, {
      why: { rule: 'spec 7, status 404', seen: lookupId },
    });
}
