import { expect, test } from 'vitest';
import { PAYMENT } from '../../../src/areas/cards/machine.ts';
import { TRANSACTIONS } from '../../../src/areas/transactions/index.ts';
import { INCOMING, OUTGOING, REFUND } from '../../../src/areas/transactions/machine.ts';

const STATUSES = new Set(
  [OUTGOING, INCOMING, REFUND, PAYMENT].flatMap(({ transitions }) => transitions.map(({ to }) => to)),
);

test.each([...STATUSES])('a payment that is %s is shown in a colour (W28)', (status) => {
  expect(TRANSACTIONS.tones).toHaveProperty(status, expect.stringMatching(/^(?:good|bad|warn)$/));
});
