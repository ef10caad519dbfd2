import * as z from 'zod';
import { IdOf, Instant } from '../../contract/shapes.ts';
import { lazyRow, table } from '../../engine/table.ts';

/** An account of live traffic, with the bank account that it trades with, once there is one. */
export const PARTIES = table('live.parties', {
  row: lazyRow(() => z.strictObject({ id: IdOf('InternalAccount'), bank: z.string().optional() })),
});

/** A payment that live traffic made, with its virtual time: it is deleted by age. */
export const LIVE_PAYMENTS = table('live.payments', {
  row: lazyRow(() => z.strictObject({ id: z.string().min(1), at: Instant() })),
});
