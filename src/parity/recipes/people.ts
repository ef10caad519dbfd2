import type { Builder, Recipes, Thing } from '../builder.ts';
import { type Json, ref, unique } from '../plan.ts';

export const ADDRESS = { line1: '8 Elm Ct', city: 'Tacoma', state: 'WA', postalCode: '98402', country: 'US' };
const NAMES = ['Ada Keller', 'Omar Diaz', 'Zoë Müller', 'Ben Ito 001', 'Cy Novak 002', 'Ann Lee 003'];
const REGIONS = ['US', 'DE', 'SE'];

const contact = (n: number): { [name: string]: Json } => ({
  email: unique(`user${n}.`).concat('@example.com'),
  phoneNumber: `+1415555${String(1000 + n).slice(0, 4)}`,
});

/** A new individual; `whole` has everything that a payment, a review or a wallet may ask for. */
export function newIndividual(b: Builder, whole = true): Thing {
  const n = b.number();
  const full = whole ? { birthDate: '1990-01-02', ...contact(n) } : b.of<object>([{}, { birthDate: '1978-06-15' }]);
  const more = b.of<object>([
    {},
    {},
    { platformCustomerId: unique(`user-${n}-`), region: b.of(REGIONS) },
    { address: ADDRESS, nationality: 'ES', idType: 'SSN', identifier: '987-65-4320' },
    { umaAddress: unique(`$u${n}`).concat('@pay.example') },
    { currencies: ['USD'] },
  ]);
  const fullName = whole ? 'Ada Keller' : b.of(NAMES);
  const body = { customerType: 'INDIVIDUAL', fullName, ...full, ...more } as Json;
  const call = b.call('createCustomer', { body });
  return b.keep('customer', call, { type: 'INDIVIDUAL', whole: whole ? 'yes' : 'no' });
}

/** A new business, with everything that a review asks for unless told otherwise. */
export function newBusiness(b: Builder, whole = true): Thing {
  const registrationNumber = b.of(['HRB 555', 'HRB 45002', 'HRB 001', 'HRB 002']);
  const known = {
    legalName: 'North Pier Trading LLC',
    country: 'US',
    taxId: '81-5550199',
    registrationNumber,
    incorporatedOn: '2019-04-30',
  };
  const businessInfo = {
    ...known,
    entityType: 'LLC',
    countriesOfOperation: ['US'],
    businessType: 'WHOLESALE_TRADE',
    purposeOfAccount: 'SUPPLIER_PAYMENTS',
    sourceOfFunds: 'sales',
    expectedMonthlyTransactionCount: 'COUNT_UNDER_10',
    expectedMonthlyTransactionVolume: 'VOLUME_UNDER_10K',
  };
  const told = whole
    ? { businessInfo, address: { ...ADDRESS, country: 'US' } }
    : b.of<object>([{}, { businessInfo }, { businessInfo: known }]);
  const call = b.call('createCustomer', { body: { customerType: 'BUSINESS', ...told } as Json });
  return b.keep('customer', call, { type: 'BUSINESS', whole: 'no' });
}

/** A customer who may do everything: one of this walk, or a new one. */
export const customer = (b: Builder): Thing =>
  b.some(
    'customer',
    () => newIndividual(b),
    ({ whole }) => whole === 'yes',
  );

/** Any customer at all. */
const anyone = (b: Builder): Thing => b.some('customer', () => (b.once(3) ? newBusiness(b) : newIndividual(b, false)));
const business = (b: Builder): Thing =>
  b.some(
    'customer',
    () => newBusiness(b),
    ({ type }) => type === 'BUSINESS',
  );

const PERSON = {
  firstName: 'Mara',
  lastName: 'Novak',
  birthDate: '1978-06-15',
  nationality: 'US',
  address: ADDRESS,
  idType: 'SSN',
  identifier: '987-65-4320',
};
const owner = (b: Builder): Thing =>
  b.some('owner', () => {
    const body = { customerId: business(b).id, roles: ['UBO', 'CONTROL_PERSON'], ownershipPercentage: 60 };
    return b.keep('owner', b.call('createBeneficialOwner', { body: { ...body, personalInfo: PERSON } }));
  });

const FILE = { name: 'scan.pdf', type: 'application/pdf', content: '%PDF-1.7\n' };
const described = (b: Builder) => ({
  documentType: b.of(['PASSPORT', 'PROOF_OF_ADDRESS', 'OTHER']),
  country: 'US',
  documentNumber: 'X1',
  issuingAuthority: 'X',
});
const newDocument = (b: Builder, holder = anyone(b)): Thing => {
  const fields = { documentHolder: holder.id, ...described(b) };
  return b.keep('document', b.call('uploadDocument', { form: { fields, file: FILE } }));
};
const document = (b: Builder): Thing => b.some('document', () => newDocument(b));

/** Somebody of whom everything is known that a review asks for. */
function reviewable(b: Builder): Thing {
  const body = {
    customerType: 'INDIVIDUAL',
    fullName: b.of(['Omar Diaz', 'Omar Diaz 001', 'Omar Diaz 002', 'Omar Diaz 003']),
    birthDate: '1990-01-02',
    nationality: 'ES',
    idType: 'SSN',
    identifier: '987-65-4320',
    address: ADDRESS,
  };
  const who = b.keep('customer', b.call('createCustomer', { body }), { type: 'INDIVIDUAL', whole: 'no' });
  const fields = {
    documentHolder: who.id,
    documentType: 'PASSPORT',
    country: 'US',
    documentNumber: 'X1',
    issuingAuthority: 'X',
  };
  b.keep('document', b.call('uploadDocument', { form: { fields, file: FILE } }));
  return who;
}

/** A customer whose email and phone number can be verified. */
const contactable = (b: Builder): Thing => customer(b);

/** What pages of a list are asked for; `more` are the filters of this one. */
export const paged = (b: Builder, more: Readonly<Record<string, string>> = {}): Readonly<Record<string, string>> => ({
  ...more,
  ...b.of<object>([{}, { limit: '1' }, { limit: '2' }, { limit: '100' }]),
});

/** A list, and sometimes the page after it. */
export function list(b: Builder, operation: string, details: Parameters<Builder['call']>[1] = {}): void {
  const query = paged(b, details.query);
  const first = b.call(operation, { ...details, query });
  const limit = Number(query['limit'] ?? 100);
  if (limit < 100 ? !b.once(4) : b.once(8))
    b.call(operation, { ...details, query: { ...query, cursor: ref(first, 'nextCursor') } });
}

const PATCHES: readonly ((b: Builder) => Json)[] = [
  (b) => ({ fullName: b.of(['Ada Lovelace', 'Omar Diaz']) }),
  () => ({ address: { ...ADDRESS, line1: '9 Oak St' } }),
  () => ({ birthDate: '1991-02-03', nationality: 'FR' }),
  (b) => ({ platformCustomerId: unique(`new-${b.number()}-`) }),
  () => ({ customerType: 'INDIVIDUAL' }),
  () => ({ email: null }),
  () => ({ umaAddress: null }),
  () => ({ businessInfo: { doingBusinessAs: 'Pier' } }),
  () => ({ currencies: ['USD'] }),
  () => ({}),
];

export const PEOPLE: Recipes = {
  createCustomer: (b) =>
    void (b.below(3) === 2 ? newBusiness(b, b.below(2) === 0) : newIndividual(b, b.below(2) === 0)),
  listCustomers: (b) => {
    for (let n = b.below(3); n > 0; n -= 1) newIndividual(b, false);
    list(b, 'listCustomers', {
      query: b.of<Record<string, string>>([
        {},
        {},
        { customerType: 'INDIVIDUAL' },
        { customerType: 'BUSINESS' },
        { isIncludingDeleted: 'true' },
        { currency: 'USD' },
        { region: 'US' },
        { createdAfter: '2020-01-01T00:00:00Z' },
        { createdBefore: '2020-01-01T00:00:00Z' },
      ]),
    });
  },
  getCustomerById: (b) => void b.call('getCustomerById', { params: { customerId: anyone(b).id } }),
  updateCustomerById: (b) => {
    const body = b.of(PATCHES)(b);
    b.call('updateCustomerById', { params: { customerId: anyone(b).id }, body });
  },
  deleteCustomerById: (b) => void b.call('deleteCustomerById', { params: { customerId: anyone(b).id } }),
  getEndUserTerms: (b) => void b.call('getEndUserTerms'),
  createCustomerKycLink: (b) => {
    const params = { customerId: anyone(b).id };
    const headers = b.once(2) ? { 'Idempotency-Key': unique(`k${b.number()}-`) } : {};
    const body = b.of<Json | undefined>([undefined, {}, { redirectUri: 'https://app.example/done' }]);
    b.call('createCustomerKycLink', { params, headers, ...(body === undefined ? {} : { body }) });
  },
  createBeneficialOwner: (b) => void owner(b),
  listBeneficialOwners: (b) => list(b, 'listBeneficialOwners', { query: { customerId: business(b).id } }),
  getBeneficialOwner: (b) => void b.call('getBeneficialOwner', { params: { beneficialOwnerId: owner(b).id } }),
  updateBeneficialOwner: (b) => {
    const body = b.of<Json>([
      { ownershipPercentage: 25 },
      { roles: ['DIRECTOR'] },
      { personalInfo: { middleName: 'A' } },
    ]);
    b.call('updateBeneficialOwner', { params: { beneficialOwnerId: owner(b).id }, body });
  },
  uploadDocument: (b) => void newDocument(b),
  listDocuments: (b) => {
    const holder = anyone(b);
    if (b.once(2)) newDocument(b, holder);
    list(b, 'listDocuments', { query: { documentHolder: holder.id } });
  },
  getDocument: (b) => void b.call('getDocument', { params: { documentId: document(b).id } }),
  replaceDocument: (b) => {
    const form = { fields: described(b), file: FILE };
    b.call('replaceDocument', { params: { documentId: document(b).id }, form });
  },
  deleteDocument: (b) => void b.call('deleteDocument', { params: { documentId: document(b).id } }),
  createVerification: (b) => {
    const who = b.once(3) ? reviewable(b) : anyone(b);
    if (b.once(2)) newDocument(b, who);
    b.keep('verification', b.call('createVerification', { body: { customerId: who.id } }));
    if (b.once(3)) b.pause('5s');
  },
  listVerifications: (b) => list(b, 'listVerifications', { query: { customerId: anyone(b).id } }),
  getVerification: (b) => {
    const { id } = b.some('verification', () =>
      b.keep('verification', b.call('createVerification', { body: { customerId: anyone(b).id } })),
    );
    b.call('getVerification', { params: { verificationId: id } });
  },
  uploadCustomersCsv: (b) => {
    const columns = 'platformCustomerId,customerType,fullName,birthDate,addressLine1,city,state,postalCode,country';
    const rows = Array.from({ length: 1 + b.below(3) }, () =>
      unique(`u-${b.number()}-`).concat(',INDIVIDUAL,Ada Keller,1990-01-02,1 Elm St,Tacoma,WA,98402,US'),
    );
    const file = { name: 'customers.csv', type: 'text/csv', content: [columns, ...rows].join('\n') };
    b.keep('job', b.call('uploadCustomersCsv', { form: { fields: {}, file } }), {}, 'jobId');
    b.pause('10s');
  },
  getBulkCustomerImportJob: (b) => {
    if (b.all('job').length === 0) PEOPLE['uploadCustomersCsv']?.(b);
    b.call('getBulkCustomerImportJob', { params: { jobId: b.all('job').at(-1)?.id ?? '' } });
  },
  sendCustomerEmailVerification: (b) =>
    void b.call('sendCustomerEmailVerification', { params: { customerId: contactable(b).id } }),
  sendCustomerPhoneVerification: (b) =>
    void b.call('sendCustomerPhoneVerification', { params: { customerId: contactable(b).id } }),
  confirmCustomerEmailVerification: (b) => confirmContact(b, 'Email'),
  confirmCustomerPhoneVerification: (b) => confirmContact(b, 'Phone'),
};

function confirmContact(b: Builder, what: 'Email' | 'Phone'): void {
  const params = { customerId: contactable(b).id };
  if (!b.once(4)) b.call(`sendCustomer${what}Verification`, { params });
  b.call(`confirmCustomer${what}Verification`, { params, body: { code: b.of(['123456', '000000']) } });
}
