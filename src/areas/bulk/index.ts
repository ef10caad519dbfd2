/**
 * Bulk import: customers from a CSV file.
 * The file is split at row ends while it arrives, and stored as packed text in the world. A saved state can thus hold
 * an unfinished import and resume it. Work is done in chunks of at most 500 rows, one job of kind `bulk.import` each.
 * Chosen where the specification is silent:
 * - Row numbers (`row_7`, `details.row`) count data rows from 1, without the header, blank lines and rows of empty
 *   cells.
 * - Required cells: the three required columns; an address (line 1, postal code, country); name and birth date of an
 *   individual; legal name of a business. Cells of the other type are ignored.
 * - Creating a business by API requires its country, tax id and day of incorporation. A file need not have them: two
 *   have no column, and the tax id's is optional (reference 14.1). `PATCH` adds them.
 * - A job is `PROCESSING` from the upload on (spec 2.7). `phoneNumber` is a column, too: a provider may verify phones.
 * - Rows end in LF, CRLF or CR alone, as the header does.
 * - `platformAccountId` and `description` do not exist on a customer and are ignored, like unknown columns.
 * - A row conflicts as in `POST /customers`, with earlier rows too: the same id with a different UMA address is
 *   allowed.
 * - A file that is not valid CSV (not UTF-8, no header, a required column missing or doubled, an open quote) creates
 *   nothing: `FAILED`, one error `INVALID_CSV_FORMAT` about `file`. A header alone is `COMPLETED` with no rows.
 * - 10,000 errors are listed; `progress.failed` counts all. `progress.total` is final once the job is.
 */

import { area } from '../../declare/area.ts';
import { jobs } from './jobs.ts';
import { BULK_IMPORT } from './machine.ts';
import { routes } from './routes.ts';
import { BULK_JOBS, ERRORS, PIECES } from './rules.ts';
import { BulkJobShape } from './schema.ts';

const BROKEN = { name: 'broken.csv', type: 'text/csv', text: 'customerType,fullName\n"never closed' };

export { READING } from './jobs.ts';
export { packedText, unpack } from './pack.ts';
export type { BulkJob, Piece as BulkPiece } from './row.ts';
export { BULK_JOBS, ERRORS as BULK_ERRORS, PIECES as BULK_PIECES } from './rules.ts';

export const bulk = area('bulk', {
  machines: [BULK_IMPORT],
  tables: [BULK_JOBS, ERRORS, PIECES],
  operations: routes,
  jobs,
  events: [
    {
      name: 'bulk-upload',
      summary: 'A bulk import ended',
      types: ['BULK_UPLOAD.COMPLETED', 'BULK_UPLOAD.FAILED'],
      after: {
        'BULK_UPLOAD.COMPLETED': ['uploadCustomersCsv'],
        'BULK_UPLOAD.FAILED': [{ call: 'uploadCustomersCsv', body: { file: BROKEN } }],
      },
      data: BulkJobShape,
    },
  ],
});
