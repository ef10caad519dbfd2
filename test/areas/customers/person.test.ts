import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Kit, kit, refusal } from '../../kit/sandbox.ts';
import { northPier, owner } from '../onboarding/material.ts';

const person = (more: object) => ({ customerType: 'INDIVIDUAL', ...more });
const address = (country: string) => ({ line1: '1 Main St', postalCode: '1000', country });

describe('fullName', () => {
  test.each([
    "Bridget O'Hara",
    'Seán Ó Súilleabháin',
    "'t Hooft",
    'Jean‑Luc Picard',
    'Anne–Marie',
    'Gal·la Placídia',
    'トーマス・マン',
    'علی‌رضا حسینی',
    'क्ष‍मा',
    'ר׳ יוסף',
    'Տ՚Արք',
    'བསྟན་འཛིན་རྒྱ་མཚོ',
    '山田　太郎',
    'Sammy Davis, Jr.',
    'Nguyễn Thị Minh Khai',
    'Kahoʻolawe',
    'D’Angelo',
    'Ada Keller 001',
    'Kpɔ́nmɛ̀',
  ])('the name %s is accepted (S17)', async (fullName) => {
    const it = await kit();
    const answer = await it.post('/customers', person({ fullName }));
    expect([answer.status, answer.body.fullName]).toEqual([201, fullName]);
  });

  test.each([
    '<b>Ada</b>',
    'Ada; DROP',
    'Ada  Keller',
    ' Ada',
    'Ada ',
    'Ada@Keller',
    'Ada_Keller',
    'Ada/Keller',
    'Ada\u0000',
    '😀 Ada',
    '-',
    "'",
    'Ada#1',
    'A & B',
    '\u202eadA',
  ])('the name %j is refused with 400: special characters or excessive spaces (S17, spec 2.1)', async (fullName) => {
    const it = await kit();
    expect(refusal(await it.post('/customers', person({ fullName })))).toEqual({
      status: 400,
      code: 'INVALID_INPUT',
      fields: ['fullName'],
    });
  });

  test('a bad name of 150 to 200 characters is refused with 400, whatever it repeats: its pattern does not backtrack (S17)', async () => {
    const it = await kit();
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom('a', ' ', '.', "'", '・', '\u200c', '!'), { minLength: 150, maxLength: 200 }),
        async (parts) => {
          const fullName = `${parts.join('')}!`;
          expect((await it.overlapping('POST', '/customers', person({ fullName }))).status).toBe(400);
        },
      ),
      { numRuns: 50 },
    );
  });
});

describe('birthDate', () => {
  test.each(['0000-01-01', '1899-12-31', '2026-01-06', '2999-01-01'])(
    'the birth date %s is refused with 400, of customers and of owners (S17)',
    async (birthDate) => {
      const it = await kit();
      expect(refusal(await it.post('/customers', person({ birthDate })))).toEqual({
        status: 400,
        code: 'INVALID_INPUT',
        fields: ['birthDate'],
      });
      const { id } = (await it.post('/customers', northPier())).body;
      const fields = ['personalInfo.birthDate'];
      expect(refusal(await it.post('/beneficial-owners', owner(id, { birthDate })))).toEqual({
        status: 400,
        code: 'INVALID_INPUT',
        fields,
      });
      const made = (await it.post('/beneficial-owners', owner(id))).body;
      expect(refusal(await it.patch(`/beneficial-owners/${made.id}`, { personalInfo: { birthDate } })).fields).toEqual(
        fields,
      );
    },
  );

  test('the birth date of a beneficiary has the same bounds, and a business that is founded in the future is refused (S17)', async () => {
    const it = await kit();
    const account = (birthDate: string) =>
      it.post('/platform/external-accounts', {
        currency: 'MXN',
        accountInfo: {
          accountType: 'MXN_ACCOUNT',
          clabeNumber: '646180157000004501',
          beneficiary: { beneficiaryType: 'INDIVIDUAL', fullName: 'Nora Lind', birthDate },
        },
      });
    for (const bad of ['1899-12-31', '2026-01-06'])
      expect(refusal(await account(bad)).fields).toEqual(['accountInfo.beneficiary.birthDate']);
    expect((await account('1990-01-02')).status).toBe(201);
    const { businessInfo } = northPier();
    const later = { ...northPier(), businessInfo: { ...businessInfo, incorporatedOn: '2026-01-06' } };
    expect(refusal(await it.post('/customers', later)).fields).toEqual(['businessInfo.incorporatedOn']);
  });

  test('a birth date may be the first day of 1900, and today of the virtual clock (S17)', async () => {
    const it = await kit();
    for (const birthDate of ['1900-01-01', '2026-01-05'])
      expect((await it.post('/customers', person({ birthDate }))).status).toBe(201);
    await it.advance('P1D');
    expect((await it.post('/customers', person({ birthDate: '2026-01-06' }))).status).toBe(201);
  });
});

describe('the identification of a person, by country (S12, spec 2.3)', () => {
  const ids = { SSN: '123-45-6789', ITIN: '912-34-5678', EIN: '12-3456789', NON_US_TAX_ID: 'DE 811/907' } as const;
  const accepted = async (it: Kit, who: object) => {
    const taken: string[] = [];
    for (const [idType, identifier] of Object.entries(ids))
      if ((await it.overlapping('POST', '/customers', person({ ...who, idType, identifier }))).status === 201)
        taken.push(idType);
    return taken;
  };

  test.each([
    ['a US national', { nationality: 'US' }, ['SSN', 'ITIN']],
    ['a US national abroad', { nationality: 'US', address: address('DE') }, ['SSN', 'ITIN']],
    ['a resident of the US without a nationality', { address: address('US') }, ['SSN', 'ITIN']],
    ['a person without any other data', {}, ['SSN', 'ITIN']],
    ['a foreign national in the US', { nationality: 'ES', address: address('US') }, Object.keys(ids)],
    ['a resident of another country', { address: address('FR') }, Object.keys(ids)],
    ['a person of another region', { region: 'BR' }, Object.keys(ids)],
  ])('%s, known by %j, may be identified by %j', async (_, who, types) => {
    expect(await accepted(await kit(), who)).toEqual(types);
  });

  test('a number of identification has the form of its type, and is issued in a country of its type', async () => {
    const it = await kit();
    const fields = async (sent: object) =>
      refusal(await it.post('/customers', person({ nationality: 'DE', ...sent }))).fields;
    expect(await fields({ idType: 'SSN', identifier: 'x' })).toEqual(['identifier']);
    expect(await fields({ idType: 'EIN', identifier: 'x' })).toEqual(['identifier']);
    expect(await fields({ idType: 'NON_US_TAX_ID', countryOfIssuance: 'US' })).toEqual(['countryOfIssuance']);
    expect(await fields({ idType: 'ITIN', countryOfIssuance: 'DE' })).toEqual(['countryOfIssuance']);
    expect(await fields({ idType: 'NON_US_TAX_ID', countryOfIssuance: 'DE', identifier: 'x' })).toEqual([]);
  });
});
