import { createHash } from 'node:crypto';
import * as z from 'zod';
import { Day, IdOf, MinorUnits, Moment } from '../../contract/shapes.ts';
import { secret } from '../../engine/secrets.ts';
import { lazyRow, type RowOf } from '../../engine/table.ts';
import { ACTION_STATUSES, ACTION_TYPES, AgentPolicy } from './schema.ts';

/** The stored row of an agent. */
export const AgentRow = lazyRow(() =>
  z.strictObject({
    id: IdOf('Agent'),
    name: z.string(),
    customerId: z.string(),
    isPaused: z.boolean(),
    policy: AgentPolicy(),
    /** The hash of its access token, once a device code was redeemed. */
    tokenHash: secret(z.string().regex(/^[0-9a-f]{64}$/, 'not a SHA-256 in hex')).optional(),
    /**
     * The usage on the last UTC day and in the last UTC month with a payment, in minor units of the limits' currency.
     */
    usage: z.strictObject({
      day: Day(),
      count: z.int().min(0),
      daySpend: MinorUnits().min(0),
      month: z.string().regex(/^\d{4}-\d{2}$/, 'not a month'),
      monthSpend: MinorUnits().min(0),
    }),
    isDeleted: z.boolean(),
    createdAt: Moment(),
    updatedAt: Moment(),
  }),
);

export type Agent = RowOf<typeof AgentRow>;
export type Policy = Agent['policy'];

/** The stored row of a device code. Its id may be shown to anyone, the code itself only to those who may redeem it. */
export const DeviceCodeRow = lazyRow(() =>
  z.strictObject({
    id: z.string().regex(/^AgentDeviceCode:[0-9a-f]{16}$/, 'not the id of a device code'),
    code: secret(z.string().regex(/^[A-Z]+-AGENT-[A-Z0-9]{4}-[A-Z0-9]{4}$/, 'not a device code')),
    agentId: z.string(),
    status: z.enum(['ISSUED', 'REDEEMED', 'WITHDRAWN']),
    expiresAt: Moment(),
    createdAt: Moment(),
  }),
);

/** Returns the id of a device code, which is safe to show. */
export const idOfCode = (code: string): string =>
  `AgentDeviceCode:${createHash('sha256').update(code).digest('hex').slice(0, 16)}`;

/** Converts a device code of an earlier release, whose id was the code itself. */
export function olderCode(row: unknown): unknown {
  const { id, code, ...rest } = (row ?? {}) as { id?: unknown; code?: unknown };
  return code === undefined && typeof id === 'string' && /-AGENT-/.test(id)
    ? { id: idOfCode(id), code: id, ...rest }
    : row;
}

/** A device code. Its expiry is never written: each read compares the time. */
export type DeviceCode = RowOf<typeof DeviceCodeRow>;

/** The stored row of an agent's request. */
export const ActionRow = lazyRow(() =>
  z.strictObject({
    id: IdOf('AgentAction'),
    agentId: z.string(),
    customerId: z.string(),
    type: z.enum(ACTION_TYPES),
    status: z.enum(ACTION_STATUSES),
    quoteId: z.string().optional(),
    /** The transfer as requested; `amount` in minor units of the internal account's currency. */
    transfer: z
      .strictObject({
        amount: MinorUnits().min(1),
        currency: z.string(),
        sourceAccountId: z.string(),
        destinationAccountId: z.string(),
        paymentRail: z.string().optional(),
      })
      .optional(),
    transactionId: z.string().optional(),
    rejectionReason: z.string().optional(),
    /** The reason why it failed when it was approved. */
    failure: z.strictObject({ code: z.string(), message: z.string(), reason: z.string().optional() }).optional(),
    /** The id of the job that decides on it. */
    decision: z.string().optional(),
    createdAt: Moment(),
    updatedAt: Moment(),
  }),
);

export type Action = RowOf<typeof ActionRow>;
