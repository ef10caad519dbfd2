import { a, sample } from '../../declare/example.ts';
import { operationsOf, reply } from '../../declare/operation.ts';
import { pack } from './pack.ts';
import { acceptFile, bulkJobOf, showBulkJob } from './rules.ts';
import { BulkAcceptedShape, BulkJobShape } from './schema.ts';

const operation = operationsOf('Customers');

/** The largest upload: the file may have 100 MB (spec 4.1), and the form around it needs a little. */
const MAX_BYTES = 101 * 1024 * 1024;

export const routes = [
  operation({
    id: 'uploadCustomersCsv',
    endpoint: 'POST /customers/bulk/csv',
    summary: 'Create customers from a CSV file',
    description:
      'Answers at once; GET /customers/bulk/jobs/{jobId} shows how far it is, and an event tells the end. Required columns: umaAddress, platformCustomerId, customerType; phoneNumber is optional, for platforms whose provider verifies it. UTF-8, with a header row.',
    upload: { maxBytes: MAX_BYTES, files: { file: { required: true, description: 'The CSV file' } }, stream: true },
    example: { body: { file: sample('customers.csv') } },
    makes: { 'bulk.jobs': { id: 'jobId' } },
    replies: { 202: BulkAcceptedShape },
    wait: ({ incoming }) => pack(incoming),
    write: ({ world }, _none, file) => {
      const { completedAt, ...job } = showBulkJob(world, acceptFile(world, file));
      return reply(202, { ...job, jobId: job.id });
    },
  }),
  operation({
    id: 'getBulkCustomerImportJob',
    endpoint: 'GET /customers/bulk/jobs/{jobId}',
    summary: 'Read how far a bulk import is',
    example: { params: { jobId: a('bulk.jobs', {}, 'uploadCustomersCsv') } },
    replies: { 200: BulkJobShape },
    refuses: ['BULK_UPLOAD_JOB_NOT_FOUND'],
    load: ({ world, params }) => bulkJobOf(world, params.jobId),
    read: ({ world }, job) => reply(200, showBulkJob(world, job)),
  }),
];
