import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { leaveQuoteWaiting } from '../kit/live.ts';
import { receiver, signedBy } from '../kit/receiver.ts';
import { commandLine } from './command-line.ts';

/** A platform that wants its customers verified: nobody is approved at creation. */
function scenario(): string {
  const folder = mkdtempSync(join(tmpdir(), 'direct-kyb-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'scenario.yaml');
  writeFileSync(file, 'policies: { customer.decide: hold, verification.decide: after PT0.2S }\n');
  return file;
}

const scan = new Blob(['%PDF-1.7\n'], { type: 'application/pdf' });
function document(documentHolder: string, documentType: string): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries({ documentHolder, documentType, country: 'US' })) form.append(name, value);
  form.append('file', scan, `${documentType.toLowerCase()}.pdf`);
  return form;
}

test('a business submits itself: it supplies each missing item, is accepted, and approved by webhook (spec 3.3, 4.4, 6)', async () => {
  const hooks = await receiver();
  const { call, control, webhookPublicKey } = await commandLine(
    '--scenario',
    'default',
    '--scenario',
    scenario(),
    '--webhook-url',
    hooks.url,
  );

  // Something that is due in minutes; nothing below waits for it.
  await leaveQuoteWaiting(call);
  const { body: business } = await call('POST', '/customers', {
    customerType: 'BUSINESS',
    businessInfo: { legalName: 'North Pier Trading LLC', registrationNumber: 'HRB 555' },
  });
  expect(business).toMatchObject({ kybStatus: 'PENDING', beneficialOwners: [] });
  const path = `/customers/${business.id}`;

  const first = await call('POST', '/verifications', { customerId: business.id });
  expect(first).toMatchObject({ status: 200, body: { verificationStatus: 'RESOLVE_ERRORS' } });
  expect((await call('GET', path)).body.kybStatus).toBe('PENDING');

  // What follows does what each error says, and nothing else.
  const answers: Record<string, unknown> = {
    'businessInfo.country': 'US',
    'businessInfo.incorporatedOn': '2019-04-30',
    'businessInfo.entityType': 'LLC',
    'businessInfo.countriesOfOperation': ['US'],
    'businessInfo.businessType': 'WHOLESALE_TRADE',
    'businessInfo.purposeOfAccount': 'SUPPLIER_PAYMENTS',
    'businessInfo.expectedMonthlyTransactionCount': 'COUNT_UNDER_10',
    'businessInfo.expectedMonthlyTransactionVolume': 'VOLUME_UNDER_10K',
    'businessInfo.taxId': '81-5550199',
    'businessInfo.sourceOfFunds': 'sales',
    'address.line1': '40 Dock Rd',
    'address.city': 'Seattle',
    'address.postalCode': '98101',
    'address.country': 'US',
  };
  const change: Record<string, Record<string, unknown>> = {};
  for (const { resourceId, type, field, acceptedDocumentTypes } of first.body.errors) {
    expect(resourceId).toBe(business.id);
    if (type === 'MISSING_FIELD') {
      const [head, name] = field.replace('customer.', '').split('.');
      change[head] = { ...change[head], [name]: answers[`${head}.${name}`] };
    } else if (acceptedDocumentTypes) {
      const made = await call('POST', '/documents', document(business.id, acceptedDocumentTypes[0]));
      expect(made.status).toBe(201);
    } else expect(type).toMatch(/^MISSING_(?:BENEFICIAL_OWNER|CONTROL_PERSON)$/);
  }
  expect((await call('PATCH', path, change)).status).toBe(200);
  const { body: owner } = await call('POST', '/beneficial-owners', {
    customerId: business.id,
    roles: ['UBO', 'CONTROL_PERSON'],
    ownershipPercentage: 60,
    personalInfo: {
      firstName: 'Mara',
      lastName: 'Novak',
      birthDate: '1978-06-15',
      nationality: 'DE',
      address: { line1: 'Hafen 1', postalCode: '28195', country: 'DE' },
      idType: 'NON_US_TAX_ID',
      identifier: 'DE-77',
    },
  });

  const second = await call('POST', '/verifications', { customerId: business.id });
  expect(second.body.errors.map((e: { resourceId: string; type: string }) => [e.resourceId, e.type])).toEqual([
    [owner.id, 'MISSING_IDENTITY_DOCUMENT'],
    [owner.id, 'MISSING_IDENTITY_DOCUMENT'],
  ]);
  for (const { acceptedDocumentTypes } of second.body.errors)
    await call('POST', '/documents', document(owner.id, acceptedDocumentTypes[0]));

  // Nothing is decided while the clock stands, however long the next call takes.
  await control('POST', '/clock', { mode: 'held' });
  const third = await call('POST', '/verifications', { customerId: business.id });
  expect(third.body).toMatchObject({ verificationStatus: 'IN_PROGRESS', errors: [] });
  expect((await call('GET', path)).body.kybStatus).toBe('PENDING');
  await control('POST', '/clock', { mode: 'live' });

  await hooks.until(5);
  expect(hooks.types().filter((type) => type.startsWith('CUSTOMER'))).toEqual([
    'CUSTOMER.KYB_PENDING',
    'CUSTOMER.KYB_APPROVED',
  ]);
  const told = hooks.received.find(({ event }) => event.type === 'CUSTOMER.KYB_APPROVED');
  expect(told && signedBy(webhookPublicKey, told)).toBe(true);
  const { body: now } = await call('GET', path);
  expect(told?.event.data).toEqual(now);
  expect(now).toMatchObject({ kybStatus: 'APPROVED', beneficialOwners: [{ id: owner.id, kycStatus: 'APPROVED' }] });
  const { body: verifications } = await call('GET', `/verifications?customerId=${business.id}`);
  expect(verifications.data.map((v: { verificationStatus: string }) => v.verificationStatus)).toEqual([
    'IN_PROGRESS',
    'RESOLVE_ERRORS',
    'RESOLVE_ERRORS',
  ]);
});
