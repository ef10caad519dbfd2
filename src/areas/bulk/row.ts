import * as z from 'zod';
import { AnyRecord, IdOf, Moment } from '../../contract/shapes.ts';
import { rowShape } from '../../engine/table.ts';
import type { BulkJob, Piece, RowError } from './rules.ts';
import { JOB_STATES } from './schema.ts';

const Count = () => z.int().min(0);

/** An import as it is kept. */
export const BulkJobRow = rowShape<BulkJob>()(() =>
  z.strictObject({
    id: IdOf('Job'),
    status: z.enum([...JOB_STATES, 'PENDING']),
    total: Count(),
    processed: Count(),
    successful: Count(),
    failed: Count(),
    header: z.string(),
    pieces: Count(),
    problem: z.strictObject({ reason: z.string(), message: z.string(), column: z.string().exactOptional() }).optional(),
    completedAt: Moment().optional(),
  }),
);

/** What is wrong with one row of a file. */
export const RowErrorRow = rowShape<RowError>()(() =>
  z.strictObject({
    id: z.string().min(1),
    jobId: z.string(),
    correlationId: z.string(),
    code: z.string(),
    message: z.string(),
    details: AnyRecord().optional(),
  }),
);

/** A part of a file that waits for its turn. */
export const PieceRow = rowShape<Piece>()(() => z.strictObject({ id: z.string(), packed: z.base64() }));
