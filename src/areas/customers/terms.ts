import { fail } from '../../contract/errors.ts';
import type { World } from '../../engine/world.ts';
import { type Platform, platformOf } from '../platform/index.ts';
import type { Customer } from './row.ts';

/** The versions of the end-user terms that can be accepted, newest first. */
export const TERMS_VERSIONS = ['V1', '2025-10-13'] as const;

/** Returns the terms to show to end users now: their version and their address. */
export const currentTerms = () => ({
  version: TERMS_VERSIONS[0],
  url: 'https://service.example/legal/end-user-terms',
});

/** Returns a made-up consent to the terms of today, given at that time in virtual milliseconds. */
export const consentAt = (now: number) => ({
  acceptedAt: new Date(now).toISOString(),
  ipAddress: '203.0.113.7',
  termsVersion: TERMS_VERSIONS[0],
  acceptanceMethod: 'CHECKBOX' as const,
});

/** Refuses consent to terms that do not exist: 400 END_USER_TERMS_VERSION_NOT_FOUND. */
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
 * Refuses to move a customer's money until consent is recorded: 403 END_USER_TERMS_NOT_ACCEPTED. Applies only if the
 * scenario says `platform.requireEndUserTerms`; the specification has no such rule.
 */
export function requireTerms(world: World, customer: Customer): void {
  if (awaitsTerms(platformOf(world), customer))
    fail('END_USER_TERMS_NOT_ACCEPTED', `customer ${customer.id} has not accepted the end-user terms`, {
      why: { rule: 'scenario: platform.requireEndUserTerms', expected: 'endUserTermsConsent' },
    });
}
