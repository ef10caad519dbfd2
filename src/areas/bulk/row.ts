import * as z from 'zod';
import { AnyRecord, IdOf, Moment } from '../../contract/shapes.ts';
import type { Row } from '../../engine/table.ts';
import { rowShape } from '../../engine/table.ts';
import type { Status } from './machine.ts';
import { JOB_STATES } from './schema.ts';

/** Why a whole file is unusable. */
export interface Problem {
  readonly reason: string;
  readonly message: string;
  readonly column?: string;
}

export interface BulkJob extends Row {
  readonly status: Status;
  readonly total: number;
  readonly processed: number;
  readonly successful: number;
  readonly failed: number;
  /** The header row as it was sent; rows are read by it. */
  readonly header: string;
  readonly pieces: number;
  readonly problem?: Problem | undefined;
  readonly completedAt?: string | undefined;
}

/** What is wrong with one row. */
export interface RowError extends Row {
  readonly jobId: string;
  readonly correlationId: string;
  readonly code: string;
  readonly message: string;
  readonly details?: Readonly<Record<string, unknown>> | undefined;
}

/** A part of a file that waits for its turn. */
export interface Piece extends Row {
  readonly packed: string;
}

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
