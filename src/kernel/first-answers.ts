import * as z from 'zod';
import { Instant } from './shapes.ts';
import { type Row, rowShape, table } from './table.ts';

/** A first answer, kept for its repeats (spec 4.2); `id` names the request: method, path and key. */
export interface FirstAnswer extends Row {
  readonly fingerprint: string;
  readonly status: number;
  readonly text: string;
  /** Virtual milliseconds. */
  readonly at: number;
}

const FirstAnswerRow = rowShape<FirstAnswer>()(() =>
  z.strictObject({
    id: z.string().min(1),
    fingerprint: z.string(),
    status: z.int().min(200).max(499),
    text: z.string(),
    at: Instant(),
  }),
);

export const FIRST_ANSWERS = table('idempotency', { row: FirstAnswerRow });
