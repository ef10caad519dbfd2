import { describe, expect, test } from 'vitest';
import { onboarding } from '../../../src/areas/onboarding/index.ts';
import { type Kit, kit, refusal } from '../../kit/sandbox.ts';
import { form, individual, northPier, owner } from './material.ts';

/** A business with an owner, and a document of each. */
interface Firm {
  readonly id: string;
  readonly ownerId: string;
  readonly ofFirm: string;
  readonly ofOwner: string;
}

const scan = (more: Readonly<Record<string, string>> = {}) =>
  form(
    { documentType: 'PASSPORT', country: 'US', documentNumber: 'X2', issuingAuthority: 'State', ...more },
    { name: 'new.pdf' },
  );

async function firmIn(it: Kit): Promise<Firm> {
  const id = (await it.post('/customers', northPier('HRB 001'))).body.id;
  const ownerId = (await it.post('/beneficial-owners', owner(id))).body.id;
  const upload = async (documentHolder: string) =>
    (await it.post('/documents', undefined, { raw: scan({ documentHolder }) })).body.id;
  return { id, ownerId, ofFirm: await upload(id), ofOwner: await upload(ownerId) };
}

type Call = (it: Kit, firm: Firm) => ReturnType<Kit['post']>;

/** Each operation of the area that writes, as often as it has kinds of holders. */
const WRITES: readonly (readonly [operation: string, what: string, done: number, call: Call])[] = [
  ['createCustomerKycLink', 'a link', 201, (it, { id }) => it.post(`/customers/${id}/kyc-link`, {})],
  ['createBeneficialOwner', 'another owner', 201, (it, { id }) => it.post('/beneficial-owners', owner(id))],
  [
    'updateBeneficialOwner',
    'an owner',
    200,
    (it, f) => it.patch(`/beneficial-owners/${f.ownerId}`, { roles: ['UBO'] }),
  ],
  [
    'updateBeneficialOwner',
    'an owner, with an empty body',
    200,
    (it, f) => it.patch(`/beneficial-owners/${f.ownerId}`, {}),
  ],
  ...(['id', 'ownerId'] as const).map(
    (holder) =>
      [
        'uploadDocument',
        holder === 'id' ? 'a document of the business' : 'a document of its owner',
        201,
        (it: Kit, firm: Firm) => it.post('/documents', undefined, { raw: scan({ documentHolder: firm[holder] }) }),
      ] as const,
  ),
  ...(['ofFirm', 'ofOwner'] as const).flatMap((document) => {
    const what = document === 'ofFirm' ? 'a document of the business' : 'a document of its owner';
    const path = (firm: Firm) => `/documents/${firm[document]}`;
    return [
      ['replaceDocument', what, 200, (it: Kit, firm: Firm) => it.call('PUT', path(firm), undefined, { raw: scan() })],
      ['deleteDocument', what, 204, (it: Kit, firm: Firm) => it.del(path(firm))],
    ] as const;
  }),
  ['createVerification', 'a verification', 200, (it, { id }) => it.post('/verifications', { customerId: id })],
];

describe('the records of a deleted customer (spec 4.1)', () => {
  test('the table of calls holds every onboarding operation that writes', () => {
    const writing = onboarding.operations.filter(({ method }) => method !== 'GET').map(({ id }) => id);
    expect(new Set(WRITES.map(([operation]) => operation))).toEqual(new Set(writing));
  });

  test.each(['spec', 'grid'] as const)(
    'in profile %s, each onboarding operation that writes succeeds before the customer is deleted',
    async (profile) => {
      for (const [operation, what, done, call] of WRITES) {
        const it = await kit({ profile });
        const answer = await call(it, await firmIn(it));
        expect(answer.status, `${operation} of ${what}: ${answer.text}`).toBe(done);
      }
    },
  );

  test.each(WRITES)(
    '%s (%s) is refused with 404 USER_NOT_FOUND once the customer is deleted, and leaves no trace',
    async (_operation, _what, _done, call) => {
      for (const profile of ['spec', 'grid'] as const) {
        const it = await kit({ profile });
        const firm = await firmIn(it);
        expect((await it.del(`/customers/${firm.id}`)).body.isDeleted).toBe(true);
        const shown = async () =>
          JSON.stringify([
            (await it.get('/documents')).body,
            (await it.get('/beneficial-owners', { customerId: firm.id })).body,
            (await it.get('/verifications')).body,
          ]);
        const before = await shown();
        await it.advance('PT1S');
        expect(refusal(await call(it, firm))).toMatchObject({ status: 404, code: 'USER_NOT_FOUND' });
        expect(await shown()).toBe(before);
      }
    },
  );

  test('the deletion of a submitted document is refused with 404 rather than 409 once its customer is deleted', async () => {
    const it = await kit();
    const { id } = (await it.post('/customers', { ...individual, fullName: 'Omar Diaz 001' })).body;
    const document = (await it.post('/documents', undefined, { raw: scan({ documentHolder: id }) })).body.id;
    expect((await it.post('/verifications', { customerId: id })).body.errors).toEqual([]);
    expect(refusal(await it.del(`/documents/${document}`))).toMatchObject({ status: 409, code: 'CONFLICT' });
    await it.del(`/customers/${id}`);
    expect(refusal(await it.del(`/documents/${document}`))).toMatchObject({ status: 404, code: 'USER_NOT_FOUND' });
    expect((await it.get(`/documents/${document}`)).status).toBe(200);
  });
});
