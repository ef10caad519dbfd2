import type { After, Listed } from '../../declare/after.ts';
import { merged, sample, text } from '../../declare/example.ts';

const WAITING_FIRM = merged(sample('waitingFirm'), {
  email: text('customer-{n}@example.com', 'customers'),
  phoneNumber: text('+1206555{nnnn}', 'customers'),
});

/**
 * Returns the steps that take a customer through the hosted identity page; the name keeps the customer undecided until
 * then.
 */
export const hosted = (outcome: 'approve' | 'again' | 'reject' | 'pending', firm = false): readonly Listed[] => [
  firm
    ? { call: 'createCustomer', body: WAITING_FIRM, whole: true, as: 'customer', main: true }
    : { call: 'createCustomer', body: { fullName: 'Ada Keller 003' }, as: 'customer', main: true },
  { call: 'createCustomerKycLink', params: { customerId: '$customer.id' }, as: 'link' },
  { page: '$link.kycUrl', outcome },
];

const decided =
  (fullName: string, outcome: 'approve' | 'reject'): After =>
  (the) =>
    the.platform['regulated'] ? hosted(outcome) : [{ call: 'createCustomer', body: { fullName } }];

/** The calls that lead to each event of a customer. */
export const AFTER_DECISIONS: Readonly<Record<string, After>> = {
  'CUSTOMER.KYC_PENDING': hosted('pending'),
  'CUSTOMER.KYC_APPROVED': decided('Ada Keller', 'approve'),
  'CUSTOMER.KYC_REJECTED': decided('Ada Keller 002', 'reject'),
  'CUSTOMER.KYB_PENDING': hosted('pending', true),
  'CUSTOMER.KYB_APPROVED': hosted('approve', true),
  'CUSTOMER.KYB_REJECTED': hosted('reject', true),
};
