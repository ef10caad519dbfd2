import * as z from 'zod';
import { lazy, named } from '../../contract/lazy.ts';
import { Moment } from '../../contract/shapes.ts';

export const JOB_STATES = ['PROCESSING', 'COMPLETED', 'FAILED'] as const;
export type JobState = (typeof JOB_STATES)[number];

const Progress = lazy(() =>
  z.strictObject({
    total: z.int().min(0).describe('Rows of the file'),
    processed: z.int().min(0),
    successful: z.int().min(0),
    failed: z.int().min(0),
  }),
);

const ErrorEntry = named('BulkCustomerImportErrorEntry', () =>
  z.strictObject({
    correlationId: z
      .string()
      .describe("The row's platformCustomerId, or row_<n>, or `file` when nothing could be read"),
    code: z.string(),
    message: z.string(),
    details: z.record(z.string(), z.unknown()).optional(),
  }),
);

/** A bulk import as the job endpoint and the webhook show it (spec 2.7). */
export const BulkJobShape = named('BulkCustomerImportJob', () =>
  z.strictObject({
    id: z.string().meta({ readOnly: true, examples: ['Job:0195a7c2-41aa-7d10-9c3e-5b8f2a6d0e11'] }),
    status: z.enum(JOB_STATES),
    progress: Progress(),
    errors: z.array(ErrorEntry()).optional(),
    completedAt: Moment().optional().describe('When it was COMPLETED or FAILED'),
  }),
);

/** The job in the reply to an upload: with the specification's names and the public contract's. */
export const BulkAcceptedShape = named('BulkCustomerImportJobAccepted', () =>
  z.strictObject({
    id: z.string(),
    jobId: z.string(),
    status: z.enum(['PROCESSING']),
    progress: Progress(),
    errors: z.array(ErrorEntry()).optional(),
  }),
);
