import { type InternalAccount, showAccount } from '../areas/accounts/index.ts';
import { type ExternalAccount, showExternalAccount } from '../areas/external-accounts/index.ts';
import { balanceOf } from '../kernel/ledger.ts';
import type { Row } from '../kernel/table.ts';
import { moneyText } from './text.ts';
import type { Visit } from './visit.ts';

/** A row of any table, its members not yet looked at. */
export type AnyRow = Row & Readonly<Record<string, unknown>>;

export interface Column {
  readonly name: string;
  readonly of: (row: AnyRow, visit: Visit) => unknown;
  /** Numbers stand at the right; a status is a badge; a moment is a time. */
  readonly as?: 'id' | 'status' | 'time' | 'number' | 'money';
}

/** How one table is shown. */
export interface Kind {
  readonly table: string;
  readonly title: string;
  /** One of them. */
  readonly one: string;
  readonly about: string;
  /** What its ids begin with. */
  readonly prefix?: string;
  /** A name that a person would know it by. */
  readonly name?: (row: AnyRow) => string | undefined;
  readonly columns: readonly Column[];
  /** The operation that shows one, with the name of its path parameter; and the one that makes one. */
  readonly read?: readonly [operation: string, parameter: string];
  readonly made?: string;
  /** How one is shown when no operation reads it. */
  readonly show?: (row: AnyRow, visit: Visit) => unknown;
}

const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
const at = (row: AnyRow, ...path: string[]): unknown =>
  path.reduce<unknown>((value, step) => (value as Record<string, unknown> | undefined)?.[step], row);
const col = (name: string, member: string, as?: Column['as']): Column => ({
  name,
  of: (row) => row[member],
  ...(as ? { as } : {}),
});
export const created = col('Created', 'createdAt', 'time');
const customer = col('Customer', 'customerId', 'id');
const account = col('Account', 'accountId', 'id');

const amount = (row: AnyRow, member: string): string | undefined => {
  const value = row[member] as { amount: number; currency: string } | undefined;
  return value && `${value.amount} ${value.currency}`;
};

/** Every table that a person would look at, in the order in which they are listed. */
export const KINDS: readonly Kind[] = [
  {
    table: 'customers',
    title: 'Customers',
    one: 'Customer',
    about: 'People and businesses of the platform',
    prefix: 'Customer',
    name: (row) => text(at(row, 'details', 'fullName')) ?? text(at(row, 'details', 'businessInfo', 'legalName')),
    columns: [
      { name: 'Status', of: (row) => (row['isDeleted'] ? 'DELETED' : row['kycStatus']), as: 'status' },
      col('Type', 'customerType'),
      col('Platform id', 'platformCustomerId'),
      created,
    ],
    read: ['getCustomerById', 'customerId'],
    made: 'createCustomer',
  },
  {
    table: 'accounts',
    title: 'Internal accounts',
    one: 'Internal account',
    about: 'Balances that the platform and its customers hold',
    prefix: 'InternalAccount',
    name: (row) => `${row['currency']} ${row['type'] === 'EMBEDDED_WALLET' ? 'wallet' : 'account'}`,
    columns: [
      { name: 'Balance', of: (row, v) => balance(row, v), as: 'money' },
      col('Status', 'status', 'status'),
      { name: 'Owner', of: (row) => row['customerId'] ?? 'the platform', as: 'id' },
      col('Type', 'type'),
    ],
    show: (row, { world }) => showAccount(world, row as unknown as InternalAccount),
  },
  {
    table: 'external-accounts',
    title: 'External accounts',
    one: 'External account',
    about: 'Bank accounts and wallets elsewhere',
    prefix: 'ExternalAccount',
    name: (row) =>
      text(at(row, 'accountInfo', 'accountType'))
        ?.replaceAll('_', ' ')
        .toLowerCase(),
    columns: [
      { name: 'Status', of: (row) => (row['isDeleted'] ? 'DELETED' : row['status']), as: 'status' },
      col('Currency', 'currency'),
      { name: 'Owner', of: (row) => row['customerId'] ?? 'the platform', as: 'id' },
      created,
    ],
    show: (row) => showExternalAccount(row as unknown as ExternalAccount),
    made: 'createCustomerExternalAccount',
  },
  {
    table: 'quotes',
    title: 'Quotes',
    one: 'Quote',
    about: 'Offers to pay at a fixed price',
    prefix: 'Quote',
    columns: [col('Transaction', 'transactionId', 'id'), created, col('Expires', 'expiresAt', 'time')],
    read: ['getQuoteById', 'quoteId'],
    made: 'createQuote',
  },
  {
    table: 'transactions',
    title: 'Transactions',
    one: 'Transaction',
    about: 'Payments in and out',
    prefix: 'Transaction',
    name: (row) => {
      const sent = amount(row, 'sent');
      return sent && moneyText(sent);
    },
    columns: [
      col('Status', 'status', 'status'),
      col('Type', 'type'),
      customer,
      { name: 'Received', of: (row) => amount(row, 'received'), as: 'money' },
      created,
    ],
    read: ['getTransactionById', 'transactionId'],
  },
  {
    table: 'verifications',
    title: 'Verifications',
    one: 'Verification',
    about: 'Submissions for review',
    prefix: 'Verification',
    columns: [col('Status', 'verificationStatus', 'status'), customer, created],
    read: ['getVerification', 'verificationId'],
    made: 'createVerification',
  },
  {
    table: 'owners',
    title: 'Beneficial owners',
    one: 'Beneficial owner',
    about: 'People who own or direct a business',
    prefix: 'BeneficialOwner',
    columns: [col('Status', 'kycStatus', 'status'), customer, created],
    read: ['getBeneficialOwner', 'beneficialOwnerId'],
    made: 'createBeneficialOwner',
  },
  {
    table: 'documents',
    title: 'Documents',
    one: 'Document',
    about: 'Uploaded papers',
    prefix: 'Document',
    columns: [col('Type', 'documentType'), col('Holder', 'documentHolder', 'id'), created],
    read: ['getDocument', 'documentId'],
  },
  {
    table: 'kyc-links',
    title: 'Hosted links',
    one: 'Hosted link',
    about: 'Links to the hosted identity check',
    prefix: 'KycLink',
    columns: [customer, col('Expires', 'expiresAt', 'time'), col('Used', 'usedAt', 'time')],
    made: 'createCustomerKycLink',
  },
  {
    table: 'credentials',
    title: 'Wallet credentials',
    one: 'Wallet credential',
    about: 'Ways to log in to an embedded wallet',
    prefix: 'AuthMethod',
    name: (row) => text(row['nickname']),
    columns: [col('Type', 'type'), account, created],
    show: (row, v) => listed(v, 'listAuthCredentials', row),
    made: 'createAuthCredential',
  },
  {
    table: 'sessions',
    title: 'Wallet sessions',
    one: 'Wallet session',
    about: 'Keys that sign for a wallet for a while',
    prefix: 'Session',
    columns: [account, created, col('Expires', 'expiresAt', 'time')],
    show: (row, v) => listed(v, 'listAuthSessions', row),
  },
  {
    table: 'invitations',
    title: 'Invitations',
    one: 'Invitation',
    about: 'Invitations by UMA address',
    columns: [col('Status', 'status', 'status'), col('From', 'inviterUma'), created],
    read: ['getInvitation', 'invitationCode'],
    made: 'createInvitation',
  },
  {
    table: 'tokens',
    title: 'API tokens',
    one: 'API token',
    about: 'Who may log in',
    prefix: 'Token',
    name: (row) => text(row['name']),
    columns: [col('Client id', 'clientId'), created],
    read: ['getTokenById', 'tokenId'],
    made: 'createToken',
  },
  {
    table: 'bulk.jobs',
    title: 'Bulk imports',
    one: 'Bulk import',
    about: 'Customers from CSV files',
    columns: [
      col('Status', 'status', 'status'),
      col('Rows', 'total', 'number'),
      col('Failed', 'failed', 'number'),
      col('Completed', 'completedAt', 'time'),
    ],
    read: ['getBulkCustomerImportJob', 'jobId'],
    made: 'uploadCustomersCsv',
  },
  {
    table: 'platform',
    title: 'Platform',
    one: 'Platform',
    about: 'The configuration of this platform',
    prefix: 'PlatformConfig',
    name: (row) => text(row['umaDomain']),
    columns: [col('Webhook endpoint', 'webhookEndpoint'), created],
    show: (_row, v) => v.shows('getPlatformConfig', {}),
  },
  {
    table: 'postings',
    title: 'Ledger postings',
    one: 'Posting',
    about: 'Every movement of money; the lines of each sum to zero',
    prefix: 'Posting',
    name: (row) => text(row['reason']),
    columns: [col('Cause', 'cause', 'id'), col('At', 'at', 'time')],
  },
];

function balance(row: AnyRow, { world }: Visit): string {
  const { available } = balanceOf(world, row.id);
  return `${available} ${row['currency']}`;
}

/** One of a list of the API, for resources that have no reading operation of their own. */
function listed(visit: Visit, operation: string, row: AnyRow): unknown {
  const page = visit.shows(operation, {}, { accountId: row['accountId'] }) as { data?: AnyRow[] } | undefined;
  return page?.data?.find(({ id }) => id === row.id);
}
