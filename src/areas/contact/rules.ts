import { failFields } from '../../kernel/errors.ts';
import type { World } from '../../kernel/world.ts';
import { sendCode } from '../codes/index.ts';
import { ADDRESS_OF, awaitingChannel, type Channel, type Customer, verifiedChannel } from '../customers/index.ts';
import { CONTACT_CODE } from './magic.ts';

/** Send a code, or send it again (spec 3.2, 4.3). 404 for nobody; 409 unless the channel awaits verification. */
export function sendContactCode(world: World, customerId: string, channel: Channel): void {
  const customer = awaitingChannel(world, customerId, channel);
  sendCode(world, {
    channel,
    to: customer[ADDRESS_OF[channel]] ?? '',
    code: CONTACT_CODE,
    purpose: 'contact verification',
    subject: customer.id,
  });
}

/** Take a code (spec 4.3): the channel is `VERIFIED`. 404, 409 as for sending; 400 `INVALID_INPUT` for a wrong one. */
export function confirmContact(world: World, customerId: string, channel: Channel, code: string): Customer {
  const customer = awaitingChannel(world, customerId, channel);
  if (code !== CONTACT_CODE)
    failFields(
      [{ field: 'code', message: 'wrong or expired' }],
      'INVALID_INPUT',
      `spec 4.3: the sandbox code is always ${CONTACT_CODE}`,
    );
  world.magic(`code ${CONTACT_CODE}: the sandbox code of every contact verification`);
  return verifiedChannel(world, customer, channel);
}
