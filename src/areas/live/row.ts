import * as z from 'zod';
import { IdOf, Instant } from '../../contract/shapes.ts';
import { lazyRow, table } from '../../engine/table.ts';

/** An account that live traffic pays into and out of, and the bank account that it pays out to, once there is one. */
export const PARTIES = table('live.parties', {
  row: lazyRow(() => z.strictObject({ id: IdOf('InternalAccount'), bank: z.string().optional() })),
});

/** A payment that live traffic made, and when by the virtual clock: it goes by age. */
export const LIVE_PAYMENTS = table('live.payments', {
  row: lazyRow(() => z.strictObject({ id: z.string().min(1), at: Instant() })),
});
