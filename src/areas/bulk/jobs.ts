import type { Options } from 'csv-parse/sync';
import type { JobHandler } from '../../kernel/scheduler.ts';
import { unpack } from './pack.ts';
import { bulkJobOf, importPiece, pieceOf } from './rules.ts';

/** How rows are read: quotes where they make no sense are text, and rows may be shorter or longer than the header. */
const READING: Options = {
  record_delimiter: ['\r\n', '\n'],
  relax_quotes: true,
  relax_column_count: true,
  skip_empty_lines: true,
};

/** One piece of a file. It waits a turn first, so that however long a file is, requests are answered in between. */
const importNext: JobHandler = async (world, job) => {
  const { jobId, piece } = job.payload as { jobId: string; piece: number };
  const { parse } = await import('csv-parse/sync');
  await new Promise((resolve) => setImmediate(resolve));
  const packed = pieceOf(world, jobId, piece);
  const rows = packed === undefined ? [] : parse(unpack(packed), READING);
  const [header = []] = parse(bulkJobOf(world, jobId).header, READING);
  return () => importPiece(world, jobId, piece, header, rows);
};

export const jobs: Readonly<Record<string, JobHandler>> = { 'bulk.import': importNext };
