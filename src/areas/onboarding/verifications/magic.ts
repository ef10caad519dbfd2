import type { Customer } from '../../customers/index.ts';

/**
 * What a complete submission leads to. `immediately` decides in the reply, and what is missing is not asked for;
 * `decide` follows by the policy `verification.decide`; `manual` and `wait` stay until somebody decides.
 */
export type Course =
  | { readonly kind: 'decide' | 'immediately'; readonly decision: 'approve' | 'reject' }
  | { readonly kind: 'manual' | 'wait' | 'poor quality' };

const INDIVIDUAL: Readonly<Record<string, Course>> = {
  '001': { kind: 'manual' },
  '002': { kind: 'decide', decision: 'reject' },
  '003': { kind: 'poor quality' },
};
const BUSINESS: Readonly<Record<string, Course>> = {
  '001': { kind: 'wait' },
  '002': { kind: 'immediately', decision: 'reject' },
  '003': { kind: 'wait' },
};

/**
 * The course that the present name or registration number chooses; `trusting`: businesses are decided on in the reply,
 * and approved without a suffix.
 */
export function courseOf(customer: Customer, trusting: boolean): { course: Course; suffix?: string; carrier?: string } {
  const business = customer.customerType === 'BUSINESS';
  const carrier = business ? 'businessInfo.registrationNumber' : 'fullName';
  const text = business ? customer.details.businessInfo?.registrationNumber : customer.details.fullName;
  const suffix = text?.slice(-3) ?? '';
  const chosen = (business ? BUSINESS : INDIVIDUAL)[suffix];
  const course = chosen?.kind === 'immediately' && !trusting ? { ...chosen, kind: 'decide' as const } : chosen;
  if (course) return { course, suffix, carrier };
  return { course: { kind: business && trusting ? 'immediately' : 'decide', decision: 'approve' } };
}
