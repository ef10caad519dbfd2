import { createHash } from 'node:crypto';
import * as z from 'zod';
import { Day, IdOf, MinorUnits, Moment } from '../../contract/shapes.ts';
import { secret } from '../../engine/secrets.ts';
import { lazyRow, type RowOf } from '../../engine/table.ts';
import { ACTION_STATUSES, ACTION_TYPES, AgentPolicy } from './schema.ts';

/** An agent as it is kept. */
export const AgentRow = lazyRow(() =>
  z.strictObject({
    id: IdOf('Agent'),
    name: z.string(),
    customerId: z.string(),
    isPaused: z.boolean(),
    policy: AgentPolicy(),
    /** Of its access token, once a device code was redeemed. */
    tokenHash: secret(z.string().regex(/^[0-9a-f]{64}$/, 'not a SHA-256 in hex')).optional(),
    /** The use of limits, on the last UTC day and in the last UTC month with a payment; minor units of the limits' currency. */
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

/** A device code as it is kept. Its id can be shown, the code itself only to who may redeem it. */
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

/** Returns the id of a device code that can be shown. */
export const idOfCode = (code: string): string =>
  `AgentDeviceCode:${createHash('sha256').update(code).digest('hex').slice(0, 16)}`;

/** Device codes were kept under the code itself once. */
export function olderCode(row: unknown): unknown {
  const { id, code, ...rest } = (row ?? {}) as { id?: unknown; code?: unknown };
  return code === undefined && typeof id === 'string' && /-AGENT-/.test(id)
    ? { id: idOfCode(id), code: id, ...rest }
    : row;
}

/** A device code; that it expired is never written: it is seen when it is looked at. */
export type DeviceCode = RowOf<typeof DeviceCodeRow>;

/** A request of an agent, as it is kept. */
export const ActionRow = lazyRow(() =>
  z.strictObject({
    id: IdOf('AgentAction'),
    agentId: z.string(),
    customerId: z.string(),
    type: z.enum(ACTION_TYPES),
    status: z.enum(ACTION_STATUSES),
    quoteId: z.string().optional(),
    /** A transfer as it was requested; `amount` in minor units of the internal account's currency. */
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
    /** The reason for which it failed at its approval. */
    failure: z.strictObject({ code: z.string(), message: z.string(), reason: z.string().optional() }).optional(),
    /** The job that decides on it. */
    decision: z.string().optional(),
    createdAt: Moment(),
    updatedAt: Moment(),
  }),
);

export type Action = RowOf<typeof ActionRow>;
