import { bySuffix, suffixOf } from '../../../contract/suffix.ts';
import type { Customer } from '../../customers/index.ts';

/**
 * The consequence of a complete submission. `immediately` decides in the reply, without asking for missing data;
 * `decide` follows the policy `verification.decide`; `manual` and `wait` wait for a decision by hand.
 */
export type ReviewPath =
  | { readonly kind: 'decide' | 'immediately'; readonly decision: 'approve' | 'reject' }
  | { readonly kind: 'manual' | 'wait' | 'poor quality' };

const INDIVIDUAL: Readonly<Record<string, ReviewPath>> = {
  '001': { kind: 'manual' },
  '002': { kind: 'decide', decision: 'reject' },
  '003': { kind: 'poor quality' },
};
const BUSINESS: Readonly<Record<string, ReviewPath>> = {
  '001': { kind: 'wait' },
  '002': { kind: 'immediately', decision: 'reject' },
  '003': { kind: 'wait' },
};

/**
 * Returns the path that the present name or registration number chooses. With `approvesAtOnce`, businesses are decided
 * in the reply, and approved if they have no suffix.
 */
export function reviewPathOf(
  customer: Customer,
  approvesAtOnce: boolean,
): { path: ReviewPath; suffix?: string; magicField?: string } {
  const business = customer.customerType === 'BUSINESS';
  const magicField = business ? 'businessInfo.registrationNumber' : 'fullName';
  const text = business ? customer.details.businessInfo?.registrationNumber : customer.details.fullName;
  const suffix = suffixOf(text ?? '');
  const chosen = bySuffix(business ? BUSINESS : INDIVIDUAL, text);
  const path = chosen?.kind === 'immediately' && !approvesAtOnce ? { ...chosen, kind: 'decide' as const } : chosen;
  if (path) return { path, suffix, magicField };
  return { path: { kind: business && approvesAtOnce ? 'immediately' : 'decide', decision: 'approve' } };
}
