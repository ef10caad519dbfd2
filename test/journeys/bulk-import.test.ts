import { expect, test } from 'vitest';
import { leaveQuoteWaiting } from '../kit/live.ts';
import { receiver, signedBy } from '../kit/receiver.ts';
import { commandLine } from './command-line.ts';

const HEADER =
  'umaAddress,platformCustomerId,customerType,fullName,birthDate,email,addressLine1,addressLine2,city,state,postalCode,country,businessLegalName,businessRegistrationNumber,businessTaxId,platformAccountId,description';

/** What can be wrong with a row, the code its error has, and how it is made wrong. */
const FAULTS: [string, (row: string) => string][] = [
  ['INVALID_FIELD', (row) => row.replace('1990-01-02', '1990-02-31')],
  ['INVALID_FIELD', (row) => row.replace(/,US$/, ',Utopia')],
  ['MISSING_MANDATORY_USER_INFO', (row) => row.replace('Ada Keller', '')],
  ['INVALID_UMA_ADDRESS', (row) => row.replace('bank.example', 'elsewhere.example')],
  ['UMA_ADDRESS_EXISTS', (row) => row.replace(/^\$[^,]+/, '$taken@bank.example')],
];

test('a platform imports 10,000 customers with 37 mistakes: 9,963 exist, and 37 errors point at their rows (spec 4.1, 2.7)', async () => {
  const hooks = await receiver();
  // Customers of a regulated platform are approved quietly: the only event is the end of the import.
  const { call, webhookPublicKey } = await commandLine('--scenario', 'regulated', '--webhook-url', hooks.url);
  // Something that is due in minutes; nothing below waits for it.
  await leaveQuoteWaiting(call);
  await call('POST', '/customers', { customerType: 'INDIVIDUAL', umaAddress: '$taken@bank.example' });

  const wrong = new Map<string, { row: number; code: string }>();
  const rows = Array.from({ length: 10_000 }, (_, i) => {
    const row =
      i % 3 === 0
        ? `$firm${i}@bank.example,id-${i},BUSINESS,,,,"${i} Main St, Suite ""A""",,Austin,TX,78701,US,Firm ${i} LLC,,,,`
        : `$person${i}@bank.example,id-${i},INDIVIDUAL,Ada Keller,1990-01-02,ada${i}@example.com,${i} Elm St,,Tacoma,WA,98402,US`;
    if (i % 273 !== 1) return row;
    const [code, spoil] = FAULTS[wrong.size % FAULTS.length] as (typeof FAULTS)[number];
    wrong.set(`id-${i}`, { row: i + 1, code });
    return spoil(row);
  });
  expect(wrong.size).toBe(37);

  const form = new FormData();
  form.append('file', new Blob([[HEADER, ...rows].join('\r\n')], { type: 'text/csv' }), 'customers.csv');
  const accepted = await call('POST', '/customers/bulk/csv', form);
  expect(accepted).toMatchObject({ status: 202, body: { progress: { total: 10_000 } } });

  // Progress can be watched, and other requests are answered in between.
  const path = `/customers/bulk/jobs/${accepted.body.jobId}`;
  const seen = new Set<number>();
  let job = (await call('GET', path)).body;
  while (job.status !== 'COMPLETED') {
    seen.add(job.progress.processed);
    expect((await call('GET', '/config')).status).toBe(200);
    job = (await call('GET', path)).body;
  }
  expect(seen.size).toBeGreaterThan(2);
  expect(job.progress).toEqual({ total: 10_000, processed: 10_000, successful: 9963, failed: 37 });

  expect(job.errors).toHaveLength(37);
  for (const { correlationId, code, details } of job.errors)
    expect({ row: details.row, code }, correlationId).toEqual(wrong.get(correlationId));

  // Every other row is a customer, and only those.
  expect((await call('GET', '/customers')).body.totalCount).toBe(9964);
  const [firm] = (await call('GET', '/customers?platformCustomerId=id-9999')).body.data;
  expect(firm).toMatchObject({
    businessInfo: { legalName: 'Firm 9999 LLC' },
    address: { line1: '9999 Main St, Suite "A"' },
  });
  expect((await call('GET', '/customers?platformCustomerId=id-1')).body.totalCount).toBe(0);

  await hooks.until(1);
  expect(hooks.received.map((r) => r.event)).toMatchObject([{ type: 'BULK_UPLOAD.COMPLETED', data: job }]);
  expect(signedBy(webhookPublicKey, hooks.received[0] as (typeof hooks.received)[number])).toBe(true);
});
