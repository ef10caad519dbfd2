import { CUSTOMERS, type Customer } from '../../areas/customers/index.ts';
import { platformOf } from '../../areas/platform/index.ts';
import type { Facts, Match } from './facts.ts';
import { at, type Recipes } from './recipe.ts';
import { ADDRESS, OWNER, PERSON, peopleCsv, SCAN } from './samples.ts';

const DAY_MS = 86_400_000;

/** A moment so many days from now. */
const inDays = ({ world }: Facts, days: number): string =>
  new Date(Math.floor(world.clock.now() / 1000) * 1000 + days * DAY_MS).toISOString();

const anyone = (the: Facts): string => the.who()?.id ?? the.id('customers', 'createCustomer', { isDeleted: false });
const awaiting = (channel: 'email' | 'phone') => (the: Facts) =>
  the.id(
    'customers',
    'createCustomer',
    { isDeleted: false },
    (row) => (row['contactVerification'] as Record<string, string> | undefined)?.[channel] === 'PENDING',
  );
/** Nobody has been asked to decide on them yet. */
const undecided = (row: Readonly<Record<string, unknown>>): boolean =>
  row['kycStatus'] !== 'APPROVED' && row['kycStatus'] !== 'REJECTED';
const customer = (the: Facts, match: Match = {}): string =>
  (
    the.newest('customers', { isDeleted: false, ...match }, undecided) ??
    the.newest('customers', { isDeleted: false, ...match })
  )?.id ?? the.lacks('createCustomer');
const owner = (the: Facts): string => the.id('owners', 'createBeneficialOwner');
const document = (the: Facts): string => the.id('documents', 'uploadDocument');
const SCANNED = {
  documentType: 'PASSPORT',
  country: 'US',
  documentNumber: 'X1234567',
  issuingAuthority: 'Department of State',
};

/** Platform, customers and what is asked of them, tokens, imports and invitations. */
export const PEOPLE: Recipes = {
  updatePlatformConfig: ({ world }) => ({ body: { umaDomain: platformOf(world).umaDomain } }),
  createToken: () => ({ body: { name: 'Reporting', permissions: ['VIEW'] } }),
  getTokenById: at('tokenId', (the) => the.id('tokens', 'createToken')),
  // One that somebody logs in with at this moment stays.
  deleteTokenById: at('tokenId', (the) =>
    the.id('tokens', 'createToken', {}, (row) => 'secretHash' in row && row['secretHash'] !== undefined),
  ),

  createCustomer: (the) => {
    const n = the.world.rows(CUSTOMERS).size + 1;
    const terms = {
      acceptedAt: the.world.clock.iso(),
      ipAddress: '203.0.113.7',
      termsVersion: 'V1',
      acceptanceMethod: 'CHECKBOX',
    };
    return {
      body: {
        ...PERSON,
        region: 'US',
        email: `customer-${n}@example.com`,
        phoneNumber: `+1206555${String(n % 10_000).padStart(4, '0')}`,
        ...(platformOf(the.world).requireEndUserTerms ? { endUserTermsConsent: terms } : {}),
      },
    };
  },
  getCustomerById: at('customerId', anyone),
  updateCustomerById: at('customerId', anyone, () => ({ body: { address: { ...ADDRESS, line1: '9 Elm Ct' } } })),
  deleteCustomerById: at('customerId', (the) => the.id('customers', 'createCustomer', { isDeleted: false })),
  uploadCustomersCsv: ({ world }) => ({ body: { file: peopleCsv(world.rows(CUSTOMERS).size + 1) } }),
  getBulkCustomerImportJob: at('jobId', (the) => the.id('bulk.jobs', 'uploadCustomersCsv')),

  sendCustomerEmailVerification: at('customerId', awaiting('email')),
  confirmCustomerEmailVerification: at('customerId', awaiting('email'), () => ({ body: { code: '123456' } })),
  sendCustomerPhoneVerification: at('customerId', awaiting('phone')),
  confirmCustomerPhoneVerification: at('customerId', awaiting('phone'), () => ({ body: { code: '123456' } })),

  createCustomerKycLink: at(
    'customerId',
    (the) => customer(the),
    () => ({ body: { redirectUri: 'https://app.example/done' } }),
  ),
  createBeneficialOwner: (the) => ({ body: { customerId: customer(the, { customerType: 'BUSINESS' }), ...OWNER } }),
  listBeneficialOwners: (the) => ({ query: { customerId: customer(the, { customerType: 'BUSINESS' }) } }),
  getBeneficialOwner: at('beneficialOwnerId', owner),
  updateBeneficialOwner: at(
    'beneficialOwnerId',
    (the) => the.id('owners', 'createBeneficialOwner', {}, ofSomebody(the)),
    () => ({
      body: { ownershipPercentage: 55 },
    }),
  ),
  uploadDocument: (the) => ({ body: { documentHolder: customer(the), ...SCANNED, file: SCAN } }),
  getDocument: at('documentId', document),
  replaceDocument: at('documentId', document, () => ({ body: { ...SCANNED, file: SCAN } })),
  deleteDocument: at('documentId', (the) => the.id('documents', 'uploadDocument', { submitted: false })),
  createVerification: (the) => ({ body: { customerId: customer(the) } }),
  getVerification: at('verificationId', (the) => the.id('verifications', 'createVerification')),

  createInvitation: (the) => {
    const inviter = the.who(({ umaAddress }) => umaAddress !== '');
    return {
      body: {
        inviterUma: inviter?.umaAddress ?? the.lacks('createCustomer'),
        firstName: 'Joe',
        amountToSend: 500,
        expiresAt: inDays(the, 30),
      },
    };
  },
  getInvitation: at('invitationCode', (the) => the.id('invitations', 'createInvitation')),
  claimInvitation: at(
    'invitationCode',
    (the) => openInvitation(the),
    () => ({ body: { inviteeUma: '$joe@bank.example' } }),
  ),
  cancelInvitation: at('invitationCode', (the) => openInvitation(the)),
};

const openInvitation = (the: Facts): string =>
  the.id(
    'invitations',
    'createInvitation',
    { status: 'PENDING' },
    ({ expiresAt }) => expiresAt === undefined || Date.parse(expiresAt as string) > the.world.clock.now(),
  );

/** Whether the customer of a row is still there. */
export const ofSomebody =
  ({ world }: Facts) =>
  (row: Readonly<Record<string, unknown>>): boolean => {
    const found = world.rows(CUSTOMERS).get(row['customerId'] as string) as Customer | undefined;
    return found !== undefined && !found.isDeleted;
  };
