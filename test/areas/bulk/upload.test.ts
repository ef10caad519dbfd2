import { describe, expect, test } from 'vitest';
import { pack } from '../../../src/areas/bulk/pack.ts';
import { BULK_JOBS, importPiece } from '../../../src/areas/bulk/rules.ts';
import { receiver } from '../../kit/receiver.ts';
import { type Kit, kit, refusal } from '../../kit/sandbox.ts';

const COLUMNS =
  'umaAddress,platformCustomerId,customerType,fullName,birthDate,addressLine1,city,state,postalCode,country,businessLegalName';
const row = (n: number, over: Partial<Record<string, string>> = {}): string => {
  const cells: Record<string, string> = {
    umaAddress: `$u${n}@pay.example`,
    platformCustomerId: `u-${n}`,
    customerType: 'INDIVIDUAL',
    fullName: 'Ada Keller',
    birthDate: '1990-01-02',
    addressLine1: '1 Elm St',
    city: 'Tacoma',
    state: 'WA',
    postalCode: '98402',
    country: 'US',
    ...over,
  };
  return COLUMNS.split(',')
    .map((name) => cells[name] ?? '')
    .join(',');
};
const form = (text: string | Uint8Array, part = 'file'): FormData => {
  const data = new FormData();
  data.append(
    part,
    new Blob([typeof text === 'string' ? text : new Uint8Array(text)], { type: 'text/csv' }),
    'customers.csv',
  );
  return data;
};
const upload = (k: Kit, text: string | Uint8Array) =>
  k.call('POST', '/customers/bulk/csv', undefined, { raw: form(text) });
/** One turn of the event loop, which without a socket no call brings about. */
const turn = () => new Promise((resolve) => setImmediate(resolve));
/** Upload, let the import come to its end, and read the job. */
async function imported(k: Kit, text: string | Uint8Array) {
  const { body } = await upload(k, text);
  await k.sandbox.world.scheduler.settle();
  return (await k.get(`/customers/bulk/jobs/${body.id}`)).body;
}
const file = (...rows: string[]): string => [COLUMNS, ...rows].join('\n');

describe('POST /customers/bulk/csv, 202', () => {
  test('an upload returns a job with its id under both names and its progress, PROCESSING before any work is done (S8, spec 4.1, 2.7)', async () => {
    const k = await kit();
    const answer = await upload(k, file(row(1), row(2)));
    expect(answer.status).toBe(202);
    expect(answer.body).toEqual({
      id: expect.stringMatching(/^Job:/),
      jobId: answer.body.id,
      status: 'PROCESSING',
      progress: { total: 2, processed: 0, successful: 0, failed: 0 },
      errors: [],
    });
  });

  test('a receiver that hangs, with all deliveries that it may have under way, does not hold up an import (spec 6)', async () => {
    const hooks = await receiver();
    hooks.react = () => 'hang';
    const k = await kit({ webhookUrl: hooks.url, compares: false });
    for (let i = 0; i < 40; i += 1) await k.post('/customers', { customerType: 'INDIVIDUAL', fullName: `Bo ${i}` });
    await hooks.until(32);
    const { body } = await upload(k, file(...Array.from({ length: 1500 }, (_, i) => row(i))));
    const job = async () => (await k.get(`/customers/bulk/jobs/${body.id}`)).body;
    await expect.poll(async () => (await job()).status, { timeout: 20_000 }).toBe('COMPLETED');
    expect((await job()).progress).toEqual({ total: 1500, processed: 1500, successful: 1500, failed: 0 });
  });

  test('an import of three rows, one with an impossible date, makes two customers, one INVALID_FIELD at its row and one event (reference 18.6)', async () => {
    const k = await kit();
    const job = await imported(k, file(row(1), row(2, { birthDate: '1990-02-31' }), row(3)));
    expect(job).toMatchObject({
      status: 'COMPLETED',
      progress: { total: 3, processed: 3, successful: 2, failed: 1 },
      errors: [{ correlationId: 'u-2', code: 'INVALID_FIELD', details: { row: 2, errors: [{ field: 'birthDate' }] } }],
      completedAt: '2026-01-05T09:00:00.000Z',
    });
    expect(k.events('BULK_UPLOAD.COMPLETED')).toMatchObject([{ data: job }]);
    expect((await k.get('/customers')).body.totalCount).toBe(2);
  });

  test('every column of an import arrives in its member of the customer, and a UMA address gets its $ (reference 14.1)', async () => {
    const k = await kit();
    const job = await imported(
      k,
      [
        'description,umaAddress,platformCustomerId,customerType,fullName,birthDate,email,addressLine1,addressLine2,city,state,postalCode,country,businessLegalName,businessRegistrationNumber,businessTaxId,platformAccountId,unknown',
        'x,ada@pay.example,p,INDIVIDUAL,Ada Keller,1990-01-02,ada@example.com,1 Elm St,Flat 2,Tacoma,WA,98402,US,Ignored,,,acc,?',
        'x,$acme@pay.example,b,BUSINESS,Ignored,,,1 Oak St,,Austin,TX,78701,US,Acme Corp,R-1,12-3456789,acc,?',
      ].join('\n'),
    );
    expect(job.errors).toEqual([]);
    const address = {
      line1: '1 Elm St',
      line2: 'Flat 2',
      city: 'Tacoma',
      state: 'WA',
      postalCode: '98402',
      country: 'US',
    };
    const [business, person] = (await k.get('/customers')).body.data;
    expect(person).toMatchObject({
      umaAddress: '$ada@pay.example',
      platformCustomerId: 'p',
      fullName: 'Ada Keller',
      birthDate: '1990-01-02',
      email: 'ada@example.com',
      address,
    });
    expect(person.businessInfo).toBeUndefined();
    expect(business.businessInfo).toEqual({ legalName: 'Acme Corp', registrationNumber: 'R-1', taxId: '12-3456789' });
    expect(business.fullName).toBeUndefined();
  });

  test('an import reads quotes, line breaks in quotes, CRLF, a byte order mark, spaces, blank lines and empty rows (RFC 4180)', async () => {
    const k = await kit();
    const quoted = row(1).replace('Ada Keller', '"O\'Neil, Ada"').replace('1 Elm St', '"1 ""Elm"" St\r\nFlat 2"');
    const job = await imported(k, `\uFEFF"umaAddress", ${COLUMNS.slice(11)}\r\n\r\n${quoted}\r\n,,,\r\n${row(2)}`);
    expect(job).toMatchObject({ status: 'COMPLETED', progress: { total: 2, processed: 2, successful: 2, failed: 0 } });
    const [, first] = (await k.get('/customers')).body.data;
    expect(first).toMatchObject({ fullName: "O'Neil, Ada", address: { line1: '1 "Elm" St\r\nFlat 2' } });
  });

  test.each([1, 7, 1000])(
    'rows that end in a carriage return alone are read, in chunks of %i bytes (S16)',
    async (size) => {
      const text = `${COLUMNS}\r${row(1).replace('1 Elm St', '"1 Elm St\rFlat 2"')}\r\r${row(2)}\r`;
      const bytes = Buffer.from(text);
      const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) =>
        bytes.subarray(i * size, (i + 1) * size),
      );
      const packed = await pack(
        (async function* () {
          yield* chunks;
        })(),
      );
      expect([packed.header, packed.rows, packed.problem]).toEqual([COLUMNS, 2, undefined]);
      const k = await kit();
      const job = await imported(k, text);
      expect(job).toMatchObject({ status: 'COMPLETED', progress: { total: 2, successful: 2, failed: 0 }, errors: [] });
    },
  );

  test('an import reads the phone number from its column where the provider verifies phones; a row with a bad one or none fails (S10)', async () => {
    const k = await kit({ scenario: 'contact-verification' });
    const text = `${COLUMNS},email,phoneNumber\n${row(1)},a@example.com,+12065550100\n${row(2)},b@example.com,12\n${row(3)},c@example.com,\n`;
    const job = await imported(k, text);
    expect(job.progress).toMatchObject({ successful: 1, failed: 2 });
    expect(job.errors.map((e: { details: { errors: { field: string }[] } }) => e.details.errors[0]?.field)).toEqual([
      'phoneNumber',
      'phoneNumber',
    ]);
    const [made] = (await k.get('/customers')).body.data;
    expect(made).toMatchObject({
      phoneNumber: '+12065550100',
      contactVerification: { email: 'PENDING', phone: 'PENDING' },
    });
  });

  test("a short row is filled up: the person of the service's example imports, and the firm fails without its legal name (reference 14.1)", async () => {
    const k = await kit();
    const job = await imported(
      k,
      `${COLUMNS}\njohn.doe@pay.example,customer123,INDIVIDUAL,John Doe,1990-01-15,123 Main St,San Francisco,CA,94105,US\nacme@pay.example,biz456,BUSINESS,,,400 Commerce Way,Austin,TX,78701,US\n`,
    );
    expect(job.progress).toEqual({ total: 2, processed: 2, successful: 1, failed: 1 });
    expect(job.errors).toMatchObject([
      {
        correlationId: 'biz456',
        code: 'MISSING_MANDATORY_USER_INFO',
        details: { row: 2, errors: [{ field: 'businessLegalName' }] },
      },
    ]);
  });

  describe.each(['spec', 'grid'] as const)('imports of businesses in profile %s', (profile) => {
    const firm = { customerType: 'BUSINESS', fullName: '', birthDate: '' };

    test('a row of a business imports with its legal name alone; PATCH then adds what has no column (reference 14.1)', async () => {
      const k = await kit({ profile });
      const job = await imported(k, file(row(1, { ...firm, businessLegalName: 'North Pier Ltd' })));
      expect([job.progress.successful, job.errors]).toEqual([1, []]);
      const [{ id, businessInfo }] = (await k.get('/customers')).body.data;
      expect(businessInfo).toEqual({ legalName: 'North Pier Ltd' });
      const facts = { country: 'US', incorporatedOn: '2019-04-30' };
      expect((await k.patch(`/customers/${id}`, { email: 'a@pier.example' })).status).toBe(200);
      const patched = await k.patch(`/customers/${id}`, { businessInfo: facts });
      expect([patched.status, patched.body.businessInfo]).toEqual([200, { ...businessInfo, ...facts }]);
    });

    test('a row of a business without its legal name fails with MISSING_MANDATORY_USER_INFO (reference 14.1)', async () => {
      const job = await imported(await kit({ profile }), file(row(1, firm)));
      expect(job.errors).toMatchObject([
        { code: 'MISSING_MANDATORY_USER_INFO', details: { errors: [{ field: 'businessLegalName' }] } },
      ]);
    });
  });

  test('a bad row of an import never stops a good one, whatever is wrong with it, and each error names its row', async () => {
    const k = await kit();
    await k.post('/customers', {
      customerType: 'INDIVIDUAL',
      platformCustomerId: 'there',
      umaAddress: '$there@pay.example',
    });
    const bad: [string, string, string[]][] = [
      [row(2, { umaAddress: '$u2@elsewhere.example' }), 'INVALID_UMA_ADDRESS', ['umaAddress']],
      [row(3, { umaAddress: '$there@pay.example' }), 'UMA_ADDRESS_EXISTS', []],
      [row(4, { umaAddress: '$there@pay.example', platformCustomerId: 'there' }), 'CONFLICT', ['platformCustomerId']],
      [row(1), 'CONFLICT', ['platformCustomerId']],
      [row(5, { fullName: '', country: '' }), 'MISSING_MANDATORY_USER_INFO', ['fullName', 'country']],
      [row(6, { platformCustomerId: '' }), 'MISSING_MANDATORY_USER_INFO', ['platformCustomerId']],
      [row(7, { customerType: 'PERSON' }), 'INVALID_FIELD', ['customerType']],
      [row(8, { customerType: '__proto__' }), 'INVALID_FIELD', ['customerType']],
      [row(9, { country: 'XX', birthDate: '' }), 'INVALID_FIELD', ['birthDate', 'country']],
      [row(10, { fullName: 'A"d"a' }), 'INVALID_FIELD', ['fullName']],
      ['garbage', 'MISSING_MANDATORY_USER_INFO', ['platformCustomerId', 'customerType']],
    ];
    const rows = [row(1), ...bad.map(([text]) => text), row(20)];
    const job = await imported(k, file(...rows));
    expect(job.progress).toEqual({ total: 13, processed: 13, successful: 2, failed: 11 });
    bad.forEach(([text, code, fields], i) => {
      const entry = job.errors[i];
      expect(entry, text).toMatchObject({
        code,
        details: { row: i + 2 },
        correlationId: text.split(',')[1] || `row_${i + 2}`,
      });
      expect(
        (entry.details.errors ?? []).map((e: { field: string }) => e.field),
        text,
      ).toEqual(fields);
    });
    expect((await k.get('/customers')).body.totalCount).toBe(3);
  });

  test('two rows of an import may share a platformCustomerId when their UMA addresses differ (spec 2.1 rule 3)', async () => {
    const k = await kit();
    expect((await imported(k, file(row(1), row(2, { platformCustomerId: 'u-1' })))).progress.successful).toBe(2);
  });

  test('a magic suffix decides about an imported customer as it does for POST /customers, and on a regulated platform the customer is APPROVED (spec 3.1, 5.1)', async () => {
    const k = await kit();
    await imported(k, file(row(1, { fullName: 'Ada 002' })));
    expect((await k.get('/customers')).body.data[0].kycStatus).toBe('REJECTED');
    expect(k.events().map((e) => e.type)).toEqual(['CUSTOMER.KYC_REJECTED', 'BULK_UPLOAD.COMPLETED']);
    const regulated = await kit({ scenario: { platform: { regulated: true } } });
    await imported(regulated, file(row(1, { fullName: 'Ada 002' })));
    expect((await regulated.get('/customers')).body.data[0].kycStatus).toBe('APPROVED');
    expect(regulated.events().map((e) => e.type)).toEqual(['BULK_UPLOAD.COMPLETED']);
  });

  test('requests are answered while a large file is imported, and show its job PROCESSING with growing progress, then COMPLETED (spec 4.1)', async () => {
    const k = await kit();
    const { body } = await upload(k, file(...Array.from({ length: 2000 }, (_, i) => row(i))));
    const seen = new Set<string>();
    const counts: number[] = [];
    for (let status = ''; status !== 'COMPLETED'; ) {
      await turn();
      const job = (await k.get(`/customers/bulk/jobs/${body.id}`)).body;
      status = job.status;
      seen.add(status);
      if (job.progress.processed !== counts.at(-1)) counts.push(job.progress.processed);
      expect(job.progress.total).toBe(2000);
    }
    expect([...seen]).toEqual(['PROCESSING', 'COMPLETED']);
    expect(counts.length).toBeGreaterThan(2);
    expect(counts).toEqual([...counts].sort((a, b) => a - b));
  });

  test('a saved state holds an import that is half done, and the import goes on from there', async () => {
    const text = file(...Array.from({ length: 1000 }, (_, i) => row(i, i % 100 === 7 ? { birthDate: 'x' } : {})));
    const k = await kit();
    const { body } = await upload(k, text);
    while ((await k.get(`/customers/bulk/jobs/${body.id}`)).body.progress.processed === 0) await turn();
    const half = k.sandbox.world.snapshot();
    await k.sandbox.world.scheduler.settle();
    const whole = (await k.get(`/customers/bulk/jobs/${body.id}`)).body;
    const other = await kit();
    await other.sandbox.begin({ from: 'state', state: JSON.parse(JSON.stringify(half)) });
    await other.sandbox.world.scheduler.settle();
    expect((await other.get(`/customers/bulk/jobs/${body.id}`)).body).toEqual(whole);
    expect(whole.progress).toEqual({ total: 1000, processed: 1000, successful: 990, failed: 10 });
  });

  test('two imports at the same time take turns and complete, each with its own progress and errors', async () => {
    const k = await kit();
    const rows = (from: number) =>
      Array.from({ length: 1000 }, (_, i) => row(from + i, i === 300 ? { country: 'XX' } : {}));
    k.sandbox.world.scheduler.sleep();
    const first = (await upload(k, file(...rows(0)))).body.id;
    const second = (await upload(k, file(...rows(2000)))).body.id;
    k.sandbox.world.scheduler.wake();
    const processed = (id: string) => k.sandbox.world.rows(BULK_JOBS).get(id)?.processed;
    while (processed(second) === 0) await turn();
    expect(processed(first)).toBeLessThan(1000);
    await k.sandbox.world.scheduler.settle();
    for (const [id, bad] of [
      [first, 'u-300'],
      [second, 'u-2300'],
    ])
      expect((await k.get(`/customers/bulk/jobs/${id}`)).body).toMatchObject({
        progress: { total: 1000, successful: 999, failed: 1 },
        errors: [{ correlationId: bad, details: { row: 301 } }],
      });
  });

  test('the policy bulk.import delays the work of an import', async () => {
    const k = await kit({ scenario: { policies: { 'bulk.import': 'after PT5S' } } });
    expect((await imported(k, file(row(1)))).status).toBe('PROCESSING');
    await k.control('POST', '/clock', { advance: 'PT5S' });
    expect((await k.get('/customers')).body.totalCount).toBe(1);
  });

  test('an import with more than 10,000 errors lists 10,000 of them and counts all', async () => {
    const k = await kit();
    const job = await imported(k, file(...Array.from({ length: 10_002 }, () => 'x,y')));
    expect(job.errors.length).toBe(10_000);
    expect(job.progress.failed).toBe(10_002);
  });
});

describe('files that are unusable as a whole (reference 14.2)', () => {
  const without = (column: string) =>
    COLUMNS.split(',')
      .filter((c) => c !== column)
      .join(',');
  test.each([
    [
      'no umaAddress column',
      `${without('umaAddress')}\n${row(1)}`,
      { reason: 'missing_required_column', column: 'umaAddress' },
      1,
    ],
    [
      'no customerType column',
      `${without('customerType')}\n${row(1)}`,
      { reason: 'missing_required_column', column: 'customerType' },
      1,
    ],
    ['a duplicate column', `${COLUMNS},fullName\n${row(1)}`, { reason: 'duplicate_column', column: 'fullName' }, 1],
    ['no content', '', { reason: 'empty_file' }, 0],
    ['blank lines only', '\r\n\n', { reason: 'empty_file' }, 0],
    ['text that is not UTF-8', Buffer.from(file(row(1, { fullName: 'Zoë' })), 'latin1'), { reason: 'not_utf8' }, 1],
    ['an unclosed quote', file(row(1), '"', row(2)), { reason: 'unclosed_quote' }, 2],
    ['an unclosed quote in its header row', `${COLUMNS},"note\n${row(1)}`, { reason: 'unclosed_quote' }, 0],
    ['a lone quote', '"', { reason: 'unclosed_quote' }, 0],
    ['a row beyond the length limit', file(row(1), `"${'x'.repeat(300_000)}`), { reason: 'record_too_long' }, 1],
  ])(
    'a file with %s ends its import FAILED with INVALID_CSV_FORMAT and creates no customer',
    async (_name, text, details, total) => {
      const k = await kit();
      const job = await imported(k, text);
      expect(job).toMatchObject({
        status: 'FAILED',
        progress: { total, processed: total, successful: 0, failed: total },
        errors: [{ correlationId: 'file', code: 'INVALID_CSV_FORMAT', details }],
        completedAt: expect.any(String),
      });
      expect(k.events()).toMatchObject([{ type: 'BULK_UPLOAD.FAILED', data: job }]);
      expect((await k.get('/customers')).body.totalCount).toBe(0);
    },
  );

  test('a file with a header and no rows completes its import with no customers', async () => {
    expect(await imported(await kit(), COLUMNS)).toMatchObject({
      status: 'COMPLETED',
      progress: { total: 0 },
      errors: [],
    });
  });
});

describe('POST /customers/bulk/csv, 400', () => {
  test('an upload without the file part is refused with 400 INVALID_INPUT naming the part (reference 14.1)', async () => {
    const k = await kit();
    const answer = await k.call('POST', '/customers/bulk/csv', undefined, { raw: form(file(row(1)), 'csv') });
    expect(refusal(answer)).toEqual({ status: 400, code: 'INVALID_INPUT', fields: ['file'] });
  });

  test('an upload whose body is not a form is refused with 400 INVALID_REQUEST_FORMAT', async () => {
    const { post } = await kit();
    expect(refusal(await post('/customers/bulk/csv', {}))).toMatchObject({
      status: 400,
      code: 'INVALID_REQUEST_FORMAT',
    });
  });

  test('an upload beyond the size limit is refused with 400 INVALID_INPUT naming the limit (spec 8)', async () => {
    const k = await kit();
    const answer = await k.call('POST', '/customers/bulk/csv', undefined, {
      raw: form('x'),
      headers: { 'content-length': '200000000' },
    });
    expect(refusal(answer)).toMatchObject({ status: 400, code: 'INVALID_INPUT' });
    expect(answer.body.message).toContain('105906176');
  });
});

test('an import that has ended refuses a further piece with CONFLICT (spec 2.7)', async () => {
  const k = await kit();
  const { id } = await imported(k, file(row(1)));
  const { world } = k.sandbox;
  const again = () => world.transact(() => importPiece(world, id, 0, COLUMNS.split(','), [COLUMNS.split(',')]));
  expect(again).toThrow(
    expect.objectContaining({ code: 'CONFLICT', why: { rule: 'spec 2.7', seen: 'COMPLETED' } }) as Error,
  );
});

test('an upload is refused with 401 without credentials, and with 403 for a token that has VIEW alone', async () => {
  const { call, post } = await kit();
  const { clientId, clientSecret } = (await post('/tokens', { name: 'T', permissions: ['VIEW'] })).body;
  expect((await call('POST', '/customers/bulk/csv', undefined, { raw: form('x'), as: null })).status).toBe(401);
  expect(
    (await call('POST', '/customers/bulk/csv', undefined, { raw: form('x'), as: `${clientId}:${clientSecret}` }))
      .status,
  ).toBe(403);
});
