/**
 * Contact verification: one-time codes by email and SMS.
 *
 * Chosen where the specification is silent:
 * - A channel that is verified already refuses a new code with the same 409 `CONFLICT` as one that is not required.
 * - The code is always 123456, right before anything was sent, too; it does not expire and wrong ones are not counted.
 * - Which customers have channels is the scenario's to say (`platform.contactVerification`), for all of a platform alike or
 *   by region; the region when a customer is created decides, or else the country of the address.
 * Not emulated: delivery. Nothing leaves this machine; `GET /_emulator/codes` is the mailbox.
 */

import { area } from '../../declare/area.ts';
import { MAGIC } from './magic.ts';
import { routes } from './routes.ts';

export const contact = area('contact', { magic: MAGIC, operations: routes });
