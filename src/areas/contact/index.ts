/**
 * Contact verification: one-time codes by email and SMS.
 * Chosen where the specification is silent:
 * - A channel that is already verified refuses a new code with the same 409 `CONFLICT` as one that is not required.
 * - The code is always 123456, and valid even before anything was sent; it does not expire, and wrong codes are not
 *   counted.
 * - The scenario says which customers have channels (`platform.contactVerification`): all of a platform's alike, or by
 *   region. The region at creation decides, or else the country of the address.
 * Not emulated: delivery. Nothing leaves this machine; `GET /_emulator/codes` is the mailbox.
 */

import { area } from '../../declare/area.ts';
import { MAGIC } from './magic.ts';
import { routes } from './routes.ts';

export const contact = area('contact', { magic: MAGIC, operations: routes });
