import { describe, expect, test } from 'vitest';
import { type Kit, kit, refusal } from '../../kit/sandbox.ts';
import { form, northPier, owner, PDF } from './material.ts';

const customer = async ({ post }: Kit) =>
  (await post('/customers', { customerType: 'INDIVIDUAL', fullName: 'Omar Diaz 001' })).body.id as string;
const upload = (world: Kit, parts: Parameters<typeof form>[0], file?: Parameters<typeof form>[1]) =>
  world.post('/documents', undefined, { raw: form(parts, file) });
const passport = (documentHolder: string) => ({ documentHolder, documentType: 'PASSPORT', country: 'ES' });

describe('POST /documents, 201', () => {
  test('an upload is answered with 201 and the record of the document, never its bytes (spec 4.4)', async () => {
    const world = await kit();
    const id = await customer(world);
    const answer = await upload(world, {
      ...passport(id),
      documentNumber: 'X1234567',
      issuingAuthority: 'Policía',
      side: 'FRONT',
    });
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      id: expect.stringMatching(/^Document:/),
      documentHolder: id,
      documentType: 'PASSPORT',
      side: 'FRONT',
      country: 'ES',
      documentNumber: 'X1234567',
      issuingAuthority: 'Policía',
      fileName: 'scan.pdf',
      createdAt: '2026-01-05T09:00:00.000Z',
      updatedAt: '2026-01-05T09:00:00.000Z',
    });
    expect((await world.get(`/documents/${answer.body.id}`)).body).toEqual(answer.body);
  });

  test.each([
    ['PDF', PDF],
    ['JPEG', Uint8Array.of(0xff, 0xd8, 0xff, 0xe0, 0, 16)],
    ['PNG', Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0)],
  ])(
    'an upload recognizes %s by the content of the file, whatever its name and type say (spec 2.3)',
    async (_, bytes) => {
      const world = await kit();
      const answer = await upload(world, passport(await customer(world)), { name: 'x.bin', type: 'text/plain', bytes });
      expect([answer.status, answer.body.fileName]).toEqual([201, 'x.bin']);
    },
  );

  test('a document of exactly 10 MB is stored with 201', async () => {
    const world = await kit();
    const bytes = new Uint8Array(10 * 1024 * 1024);
    bytes.set(PDF);
    expect((await upload(world, passport(await customer(world)), { bytes })).status).toBe(201);
  });
});

describe('POST /documents, refused', () => {
  test.each([
    ['no file', null],
    ['an empty file', { bytes: new Uint8Array() }],
    ['neither PDF nor JPEG nor PNG', { name: 'a.pdf', type: 'application/pdf', bytes: new Uint8Array([71, 73, 70]) }],
  ])('an upload with %s is refused with 400 (spec 4.4)', async (_, file) => {
    const world = await kit();
    const answer = await upload(world, passport(await customer(world)), file);
    expect(refusal(answer)).toEqual({ status: 400, code: 'INVALID_INPUT', fields: ['file'] });
  });

  test('an upload of more than 10 MB is refused with 400, and not cut off', async () => {
    const world = await kit();
    const bytes = new Uint8Array(10 * 1024 * 1024 + 1);
    bytes.set(PDF);
    const answer = await upload(world, passport(await customer(world)), { bytes });
    expect(refusal(answer)).toEqual({ status: 400, code: 'INVALID_INPUT', fields: ['file'] });
  });

  test('an upload with several bad parts is refused with one 400 that names them all (spec 2.1 rule 4)', async () => {
    const world = await kit();
    const answer = await upload(world, { documentType: 'LIBRARY_CARD', side: 'TOP' });
    expect(refusal(answer)).toEqual({
      status: 400,
      code: 'INVALID_INPUT',
      fields: ['documentHolder', 'documentType', 'side', 'country'],
    });
  });

  test('an upload whose body is not a form is refused with 400', async () => {
    const world = await kit();
    expect((await world.post('/documents', passport(await customer(world)))).status).toBe(400);
  });

  test.each([
    ['Customer:none', 'USER_NOT_FOUND'],
    ['BeneficialOwner:none', 'REFERENCE_NOT_FOUND'],
  ])('an upload for the holder %s, who does not exist, is refused with 404 (spec 7)', async (holder, code) => {
    const world = await kit();
    expect(refusal(await upload(world, passport(holder)))).toMatchObject({ status: 404, code });
  });

  test('an upload for an owner whose business is deleted is refused with 404 (spec 7)', async () => {
    const world = await kit();
    const { body: business } = await world.post('/customers', northPier());
    const { body: holder } = await world.post('/beneficial-owners', owner(business.id));
    expect((await upload(world, passport(holder.id))).status).toBe(201);
    await world.del(`/customers/${business.id}`);
    expect((await upload(world, passport(holder.id))).status).toBe(404);
  });

  test.each([
    ['low-quality', 'LOW_QUALITY'],
    ['data-mismatch', 'DATA_MISMATCH'],
    ['expired', 'EXPIRED'],
    ['suspected-fraud', 'SUSPECTED_FRAUD'],
    ['unsuitable', 'UNSUITABLE_DOCUMENT'],
    ['incomplete', 'INCOMPLETE'],
  ])(
    'a file named sandbox-refuse-%s is refused with 400 %s, as an upload and as a replacement (spec 7 rule 7)',
    async (name, code) => {
      const world = await kit();
      const file = { name: `sandbox-refuse-${name}.png`, bytes: PDF };
      expect(refusal(await upload(world, passport(await customer(world)), file))).toMatchObject({ status: 400, code });
      const kept = (await upload(world, passport(await customer(world)))).body;
      const put = await world.call('PUT', `/documents/${kept.id}`, undefined, {
        raw: form({ documentType: 'PASSPORT', country: 'ES' }, file),
      });
      expect(refusal(put)).toMatchObject({ status: 400, code });
    },
  );

  test.each(['constructor', '__proto__', 'hasOwnProperty', 'sandbox-review-'])(
    'a file named %s is not magic: it is stored with 201, and a review of its holder finds only missing fields, nothing in the file',
    async (name) => {
      const world = await kit();
      const id = await customer(world);
      const whole = { ...passport(id), documentNumber: 'X1234567', issuingAuthority: 'State' };
      const { status, body } = await upload(world, whole, { name: `${name}.pdf`, bytes: PDF });
      expect([status, body.fileName]).toEqual([201, `${name}.pdf`]);
      const { status: submitted, body: verification } = await world.post('/verifications', { customerId: id });
      expect(submitted).toBe(200);
      expect(new Set(verification.errors.map((error: { type: string }) => error.type))).toEqual(
        new Set(['MISSING_FIELD']),
      );
    },
  );
});

describe('GET /documents', () => {
  test('the list of documents is newest first, filtered by holder, in pages (spec 2.7)', async () => {
    const world = await kit();
    const id = await customer(world);
    const first = (await upload(world, passport(id))).body;
    await upload(world, passport(await customer(world)));
    const second = (await upload(world, passport(id))).body;
    expect((await world.get('/documents')).body.totalCount).toBe(3);
    const page = await world.get('/documents', { documentHolder: id, limit: 1 });
    expect(page.body).toMatchObject({ data: [second], hasMore: true, totalCount: 2 });
    const rest = await world.get('/documents', { documentHolder: id, limit: 1, cursor: page.body.nextCursor });
    expect(rest.body).toEqual({ data: [first], hasMore: false, totalCount: 2 });
  });

  test('the list of documents is refused with 400 for a limit out of range', async () => {
    const { get } = await kit();
    expect(refusal(await get('/documents', { limit: 0 }))).toMatchObject({ status: 400, fields: ['limit'] });
  });
});

describe('PUT /documents/{documentId}', () => {
  test('the replacement of a document is answered with 200: file and description change, id and holder stay', async () => {
    const world = await kit();
    const id = await customer(world);
    const old = (await upload(world, { ...passport(id), documentNumber: 'X1' })).body;
    await world.control('POST', '/clock', { advance: 'PT1H' });
    const parts = { documentType: 'NATIONAL_ID', country: 'FR', side: 'BACK' };
    const answer = await world.call('PUT', `/documents/${old.id}`, undefined, { raw: form(parts, { name: 'b.png' }) });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      id: old.id,
      documentHolder: id,
      ...parts,
      fileName: 'b.png',
      createdAt: old.createdAt,
      updatedAt: '2026-01-05T10:00:00.000Z',
    });
  });

  test('the replacement of a document is refused with 400 without a file', async () => {
    const world = await kit();
    const { id } = (await upload(world, passport(await customer(world)))).body;
    const raw = form({ documentType: 'PASSPORT', country: 'ES' }, null);
    expect(refusal(await world.call('PUT', `/documents/${id}`, undefined, { raw })).fields).toEqual(['file']);
  });

  test('the replacement of an unknown document is refused with 404 (spec 7)', async () => {
    const world = await kit();
    const raw = form({ documentType: 'PASSPORT', country: 'ES' });
    expect(refusal(await world.call('PUT', '/documents/Document:none', undefined, { raw }))).toMatchObject({
      status: 404,
      code: 'REFERENCE_NOT_FOUND',
    });
  });
});

describe('GET and DELETE /documents/{documentId}', () => {
  test('the deletion of a document is answered with 204; reading or deleting it afterwards is refused with 404', async () => {
    const world = await kit();
    const { id } = (await upload(world, passport(await customer(world)))).body;
    const answer = await world.del(`/documents/${id}`);
    expect([answer.status, answer.text]).toEqual([204, '']);
    for (const gone of [await world.get(`/documents/${id}`), await world.del(`/documents/${id}`)])
      expect(refusal(gone)).toMatchObject({ status: 404, code: 'REFERENCE_NOT_FOUND' });
  });

  test('the deletion of a document is refused with 409 after an accepted submission, and allowed after a blocked one (spec 3.3)', async () => {
    const world = await kit();
    const id = await customer(world);
    const identity = { documentNumber: 'X1', issuingAuthority: 'Policía' };
    const early = (await upload(world, { ...passport(id), ...identity })).body;
    expect((await world.post('/verifications', { customerId: id })).body.verificationStatus).toBe('RESOLVE_ERRORS');
    expect((await world.del(`/documents/${early.id}`)).status).toBe(204);
    const late = (await upload(world, { ...passport(id), ...identity })).body;
    await world.patch(`/customers/${id}`, {
      birthDate: '1990-01-02',
      nationality: 'ES',
      idType: 'SSN',
      identifier: '987-65-4320',
      address: { line1: 'Gran Via 1', postalCode: '28013', country: 'ES' },
    });
    expect((await world.post('/verifications', { customerId: id })).body.errors).toEqual([]);
    expect(refusal(await world.del(`/documents/${late.id}`))).toMatchObject({ status: 409, code: 'CONFLICT' });
  });
});
