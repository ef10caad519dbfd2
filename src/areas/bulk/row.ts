import * as z from 'zod';
import { AnyRecord, IdOf, Moment } from '../../contract/shapes.ts';
import { lazyRow, type RowOf } from '../../engine/table.ts';
import { JOB_STATES } from './schema.ts';

const Count = () => z.int().min(0);

/** The stored row of an import. */
export const BulkJobRow = lazyRow(() =>
  z.strictObject({
    id: IdOf('Job'),
    status: z.enum([...JOB_STATES, 'PENDING']),
    total: Count(),
    processed: Count(),
    successful: Count(),
    failed: Count(),
    /** The header row as it was sent, which says how to read the rows. */
    header: z.string(),
    pieces: Count(),
    problem: z.strictObject({ reason: z.string(), message: z.string(), column: z.string().exactOptional() }).optional(),
    completedAt: Moment().optional(),
  }),
);

export type BulkJob = RowOf<typeof BulkJobRow>;
/** The reason why a whole file is unusable. */
export type Problem = NonNullable<BulkJob['problem']>;

/** The schema of an error in one row of a file. */
export const RowErrorRow = lazyRow(() =>
  z.strictObject({
    id: z.string().min(1),
    jobId: z.string(),
    correlationId: z.string(),
    code: z.string(),
    message: z.string(),
    details: AnyRecord().optional(),
  }),
);

/** An error in one row. */
export type RowError = RowOf<typeof RowErrorRow>;

/** The stored row of a chunk that waits to be imported. */
export const PieceRow = lazyRow(() => z.strictObject({ id: z.string(), packed: z.base64() }));

/** A chunk of a file that waits to be imported. */
export type Piece = RowOf<typeof PieceRow>;
