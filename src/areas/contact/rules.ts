import { failFields } from '../../contract/errors.ts';
import { magicName } from '../../contract/suffix.ts';
import type { World } from '../../engine/world.ts';
import { sendCode } from '../codes/index.ts';
import { ADDRESS_OF, type Channel, type Customer, verifiedChannel } from '../customers/index.ts';
import { CONTACT_CODE } from './magic.ts';

/** Sends, or sends again, a code to a channel that awaits verification (spec 3.2, 4.3). */
export function sendContactCode(world: World, customer: Customer, channel: Channel): void {
  sendCode(world, {
    channel,
    to: customer[ADDRESS_OF[channel]] ?? '',
    code: CONTACT_CODE,
    purpose: 'contact verification',
    subject: customer.id,
  });
}

/** Accepts a code and marks the channel as `VERIFIED`. 400 INVALID_INPUT for a wrong code (spec 4.3). */
export function confirmContact(world: World, customer: Customer, channel: Channel, code: string): Customer {
  if (code !== CONTACT_CODE)
    failFields(
      [{ field: 'code', message: 'wrong or expired' }],
      'INVALID_INPUT',
      `spec 4.3: the sandbox code is always ${CONTACT_CODE}`,
    );
  world.magic(
    `code ${CONTACT_CODE}: the sandbox code of every contact verification`,
    magicName('contact code', CONTACT_CODE),
  );
  return verifiedChannel(world, customer, channel);
}
