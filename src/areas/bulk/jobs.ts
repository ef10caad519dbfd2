import type { Options } from 'csv-parse/sync';
import * as z from 'zod';
import { lazy } from '../../contract/lazy.ts';
import { type JobKind, job } from '../../declare/job.ts';
import type { Infer } from '../../declare/operation.ts';
import { tick } from '../../engine/signal.ts';
import type { World } from '../../engine/world.ts';
import { unpack, unquotedRows } from './pack.ts';
import { bulkJobOf, importPiece, pieceOf } from './rules.ts';

/**
 * The options for parsing rows: a misplaced quote counts as text, and rows may be shorter or longer than the header.
 */
export const READING: Options = {
  record_delimiter: ['\r\n', '\n'],
  relax_quotes: true,
  relax_column_count: true,
  skip_empty_lines: true,
};

const ImportPayload = lazy(() => z.strictObject({ jobId: z.string(), piece: z.int().min(0) }));

/** Imports one chunk of a file. It first waits a turn, so that requests are handled however long the file is. */
async function importNext(world: World, { jobId, piece }: Infer<typeof ImportPayload>): Promise<() => void> {
  const { parse } = await import('csv-parse/sync');
  const read = (text: string): string[][] => unquotedRows(text) ?? parse(text, READING);
  await tick();
  const packed = pieceOf(world, jobId, piece);
  const rows = packed === undefined ? [] : read(unpack(packed));
  const [header = []] = read(bulkJobOf(world, jobId).header);
  return () => importPiece(world, jobId, piece, header, rows);
}

export const jobs: Readonly<Record<string, JobKind>> = {
  'bulk.import': job({
    payload: ImportPayload,
    refers: { jobId: 'bulk.jobs' },
    policy: true,
    words: { verb: 'import the next rows of', about: ({ jobId }) => jobId, name: () => 'a CSV file' },
    run: importNext,
    ownWork: true,
  }),
};
