import type * as z from 'zod';
import { Failure, type FieldError, notOneOf } from '../../contract/errors.ts';
import { hasShape } from '../../contract/shape-check.ts';
import { decideLater } from '../../engine/decide-later.ts';
import { begin, lifecycle, move } from '../../engine/machine.ts';
import { resource, rowOr404 } from '../../engine/resource.ts';
import { table } from '../../engine/table.ts';
import type { World } from '../../engine/world.ts';
import { CustomerCreate, importCustomer } from '../customers/index.ts';
import { columnOf, customerFrom, type Header, headerOf, missingFrom, REQUIRED } from './columns.ts';
import { BULK_IMPORT } from './machine.ts';
import type { Packed } from './pack.ts';
import type { BulkJob, Problem } from './row.ts';
import { BulkJobRow, PieceRow, RowErrorRow } from './row.ts';

export const BULK_JOBS = resource('bulk.jobs', {
  row: BulkJobRow,
  titles: ['Bulk imports', 'Bulk import', 'Customers from CSV files'],
  view: (row, world) => showBulkJob(world, row),
  made: 'uploadCustomersCsv',
  columns: {
    Status: ['status', 'status'],
    Rows: ['total', 'number'],
    Failed: ['failed', 'number'],
    Completed: ['completedAt', 'time'],
  },
  tones: { COMPLETED: 'good', FAILED: 'bad', PENDING: 'warn', PROCESSING: 'warn' },
});
export const ERRORS = table('bulk.errors', {
  row: RowErrorRow,
  indexes: { jobId: (e) => e.jobId },
  refers: { jobId: 'bulk.jobs' },
});
export const PIECES = table('bulk.pieces', { row: PieceRow });

/** The most errors that a job lists; `progress.failed` counts the others too. */
export const LISTED_ERRORS = 10_000;

/** Returns one job. 404 BULK_UPLOAD_JOB_NOT_FOUND. */
export const bulkJobOf = rowOr404(BULK_JOBS, 'BULK_UPLOAD_JOB_NOT_FOUND', 'bulk import');

/** Returns a job as replies and webhooks show it (spec 2.7). */
export function showBulkJob(world: World, job: BulkJob) {
  const errors = world.rows(ERRORS).all('jobId', job.id);
  return {
    id: job.id,
    status: job.status === 'PENDING' ? ('PROCESSING' as const) : job.status,
    progress: { total: job.total, processed: job.processed, successful: job.successful, failed: job.failed },
    errors: errors.map(({ correlationId, code, message, details }) => ({ correlationId, code, message, details })),
    completedAt: job.completedAt,
  };
}

const IMPORT = lifecycle(BULK_JOBS, {
  state: 'status',
  machine: BULK_IMPORT,
  event: (_, end) => `BULK_UPLOAD.${end}`,
  view: (job, world) => showBulkJob(world, job),
});

/** Accepts a file. It is stored, and imported chunk by chunk when the policy `bulk.import` says (spec 4.1). */
export function acceptFile(world: World, file: Packed): BulkJob {
  const job = begin(world, IMPORT, 'accept', (status) => ({
    id: world.newId('Job'),
    status,
    total: file.rows,
    processed: 0,
    successful: 0,
    failed: 0,
    header: file.header,
    pieces: file.pieces.length,
    problem: file.problem,
  }));
  const pieces = world.rows(PIECES);
  file.pieces.forEach((packed, i) => {
    pieces.insert({ id: `${job.id}/${i}`, packed });
  });
  decideLater(world, 'bulk.import', { jobId: job.id, piece: 0 });
  return job;
}

/** Returns the packed rows of a chunk. */
export const pieceOf = (world: World, jobId: string, piece: number): string | undefined =>
  world.rows(PIECES).get(`${jobId}/${piece}`)?.packed;

/**
 * Imports one chunk, then schedules the next one or ends the job. `rows` are its records; the first chunk starts with
 * the header.
 */
export function importPiece(
  world: World,
  jobId: string,
  piece: number,
  header: readonly string[],
  rows: readonly string[][],
): void {
  const old = bulkJobOf(world, jobId);
  const columns = headerOf(header);
  const problem = old.problem ?? (piece === 0 ? headerProblem(columns) : undefined);
  if (problem) {
    abandon(world, old, problem);
    return;
  }
  const job = { ...old };
  for (const cells of piece === 0 ? rows.slice(1) : rows) {
    if (cells.every((cell) => cell.trim() === '')) continue;
    job.processed += 1;
    const error = importRow(world, columns, cells);
    if (!error) job.successful += 1;
    else {
      job.failed += 1;
      if (job.failed <= LISTED_ERRORS) list(world, job, error);
    }
  }
  world.rows(PIECES).remove(`${jobId}/${piece}`);
  if (piece + 1 < job.pieces) {
    move(world, IMPORT, job, 'go on', { total: Math.max(job.total, job.processed) });
    world.schedule('bulk.import', { jobId, piece: piece + 1 }, 0);
  } else move(world, IMPORT, job, 'complete', { total: job.processed, completedAt: world.clock.iso() });
}

function headerProblem({ names }: Header): Problem | undefined {
  const missing = REQUIRED.find((name) => !names.includes(name));
  if (missing)
    return { reason: 'missing_required_column', column: missing, message: `the header row has no column ${missing}` };
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  return twice && { reason: 'duplicate_column', column: twice, message: `the header row has ${twice} twice` };
}

/** Ends the job because the file is unusable: nothing is imported from it. */
function abandon(world: World, job: BulkJob, { message, ...details }: Problem): void {
  for (let i = 0; i < job.pieces; i += 1) world.rows(PIECES).remove(`${job.id}/${i}`);
  world.rows(ERRORS).insert({
    id: `${job.id}/file`,
    jobId: job.id,
    correlationId: 'file',
    code: 'INVALID_CSV_FORMAT',
    message,
    details,
  });
  const completedAt = world.clock.iso();
  move(world, IMPORT, job, 'abandon', { processed: job.total, failed: job.total, completedAt });
}

/** An error about a row. */
interface Complaint {
  id?: string | undefined;
  code: string;
  message: string;
  errors: readonly FieldError[];
}

function list(world: World, job: BulkJob, { id, code, message, errors }: Complaint): void {
  const row = job.processed;
  world.rows(ERRORS).insert({
    id: `${job.id}/${row}`,
    jobId: job.id,
    correlationId: id ?? `row_${row}`,
    code,
    message,
    details: { row, ...(errors.length > 0 ? { errors } : {}) },
  });
}

/** Creates one row's customer, or returns what is wrong with the row. A row that fails leaves no trace. */
function importRow(world: World, columns: Header, cells: readonly string[]): Complaint | undefined {
  const sent = customerFrom(columns, cells);
  const shape = CustomerCreate();
  // Cells are text that no schema transforms, in the order of the request: a valid row is used as it is.
  if (missingFrom(sent).length > 0 || !hasShape(shape, sent)) return complaintAbout(shape, sent);
  try {
    world.transact(() => importCustomer(world, sent));
    return undefined;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const found = (error.details?.['errors'] ?? []) as readonly FieldError[];
    return {
      id: idIn(sent),
      code: error.code === 'INVALID_INPUT' ? 'INVALID_FIELD' : error.code,
      message: error.message,
      errors: found.map((e) => ({ ...e, field: columnOf(e.field) })),
    };
  }
}

const idIn = (sent: Readonly<Record<string, unknown>>) => sent['platformCustomerId'] as string | undefined;

/** Returns what is wrong with the cells of a row: missing ones first, then invalid ones. */
function complaintAbout(shape: z.ZodType, sent: Readonly<Record<string, unknown>>): Complaint {
  const missing = missingFrom(sent);
  const errors = [...missing];
  for (const issue of shape.safeParse(sent).error?.issues ?? []) {
    const field = columnOf(issue.path.join('.'));
    if (!errors.some((e) => e.field === field)) errors.push({ field, message: messageOf(issue) });
  }
  const code = errors.length > missing.length ? 'INVALID_FIELD' : 'MISSING_MANDATORY_USER_INFO';
  const message = errors.map((e) => `${e.field}: ${e.message}`).join('; ');
  return { id: idIn(sent), code, message, errors };
}

function messageOf(issue: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_value') return notOneOf(issue.values.map(String));
  const options = issue.code === 'invalid_union' && 'options' in issue ? issue.options : undefined;
  return Array.isArray(options) ? notOneOf(options.map(String)) : issue.message;
}
