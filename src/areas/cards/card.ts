import * as z from 'zod';
import { KnownCurrency } from '../../contract/money.ts';
import { IdOf, MinorUnits, Moment } from '../../contract/shapes.ts';
import { lazyRow, type RowOf } from '../../engine/table.ts';
import { BRANDS, LIVE_STATES, STATE_REASONS } from './schema.ts';

/** The stored row of a card. */
export const CardRow = lazyRow(() =>
  z.strictObject({
    id: IdOf('Card'),
    cardholderId: z.string(),
    platformCardId: z.string(),
    cardState: z.enum(LIVE_STATES),
    stateReason: z.enum(STATE_REASONS).optional(),
    /** The accounts that pay, in order. */
    fundingSources: z.array(z.string()).min(1),
    maxSpendPerTransaction: MinorUnits().min(1).optional(),
    currency: KnownCurrency(),
    /** The issuer's data, once it has issued the card. */
    issued: z
      .strictObject({
        brand: z.enum(BRANDS),
        last4: z.string().regex(/^\d{4}$/, 'not four digits'),
        expMonth: z.int().min(1).max(12),
        expYear: z.int(),
        processorRef: z.string(),
        issuerRef: z.string(),
      })
      .optional(),
    createdAt: Moment(),
    updatedAt: Moment(),
  }),
);

/** A card (reference 3). */
export type Card = RowOf<typeof CardRow>;
