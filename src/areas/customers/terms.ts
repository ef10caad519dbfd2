import { fail } from '../../contract/errors.ts';
import type { World } from '../../engine/world.ts';
import { type Platform, platformOf } from '../platform/index.ts';
import type { Customer } from './row.ts';

/** Versions of the end-user terms that can be accepted; the newest first. */
export const TERMS_VERSIONS = ['V1', '2025-10-13'] as const;

/** The terms to be shown to end users now: their version, and where they are written. */
export const currentTerms = () => ({
  version: TERMS_VERSIONS[0],
  url: 'https://service.example/legal/end-user-terms',
});

/** Refuse consent to terms that do not exist: 400 `END_USER_TERMS_VERSION_NOT_FOUND`. */
export function checkConsent(consent: Customer['endUserTermsConsent']): void {
  if (consent && !(TERMS_VERSIONS as readonly string[]).includes(consent.termsVersion))
    fail('END_USER_TERMS_VERSION_NOT_FOUND', `there are no end-user terms of version ${consent.termsVersion}`, {
      details: {
        errors: [
          {
            field: 'endUserTermsConsent.termsVersion',
            message: 'unknown version',
            constraint: { enum: TERMS_VERSIONS },
          },
        ],
      },
    });
}

/** Returns whether a customer still has to accept the terms. Regulated platforms have terms of their own. */
export const awaitsTerms = (platform: Platform, customer: Pick<Customer, 'endUserTermsConsent'>): boolean =>
  platform.requireEndUserTerms && !platform.regulated && customer.endUserTermsConsent === undefined;

/**
 * The gate for whatever moves a customer's money: 403 `END_USER_TERMS_NOT_ACCEPTED` until consent is recorded. Open
 * unless the scenario says `platform.requireEndUserTerms`; the specification has no such gate.
 */
export function requireTerms(world: World, customer: Customer): void {
  if (awaitsTerms(platformOf(world), customer))
    fail('END_USER_TERMS_NOT_ACCEPTED', `customer ${customer.id} has not accepted the end-user terms`, {
      why: { rule: 'scenario: platform.requireEndUserTerms', expected: 'endUserTermsConsent' },
    });
}
