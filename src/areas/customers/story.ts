import type { Ability, Moment, Picture } from '../../engine/story.ts';
import type { World } from '../../engine/world.ts';
import { platformOf } from '../platform/index.ts';
import { lackingFor } from './required.ts';
import type { Customer } from './row.ts';
import { awaitsTerms } from './terms.ts';

/** Returns the timeline of a customer, as far as the row knows it; submissions and links add theirs. */
export function customerStory(c: Customer): Moment[] {
  const kind = c.customerType === 'BUSINESS' ? 'KYB' : 'KYC';
  const decided = c.kycStatus === 'APPROVED' || c.kycStatus === 'REJECTED';
  const consent = c.endUserTermsConsent;
  return [
    { at: c.createdAt, what: 'Created', detail: c.platformCustomerId },
    ...(consent ? [{ at: consent.acceptedAt, what: 'Accepted the end-user terms', detail: consent.termsVersion }] : []),
    ...(decided
      ? [
          {
            at: c.updatedAt,
            loose: true as const,
            what: c.kycStatus === 'APPROVED' ? 'Approved' : 'Rejected',
            tone: c.kycStatus === 'APPROVED' ? ('good' as const) : ('bad' as const),
            events: [`${kind}_${c.kycStatus}`],
          },
        ]
      : []),
    ...(c.isDeleted ? [{ at: c.updatedAt, what: 'Deleted', tone: 'bad' as const }] : []),
  ];
}

const STANDS: Readonly<Record<string, string>> = {
  PENDING: 'under review',
  UNVERIFIED: 'not submitted for review yet',
  HOLD: 'on hold',
  REJECTED: 'rejected',
};

/** Returns the picture of a customer for its page: what they may do now, and what is missing. */
export function customerPicture(c: Customer, world: World): Picture {
  if (c.isDeleted) return { may: [{ what: 'Nothing any more', ok: false, because: 'deleted, for good' }] };
  const platform = platformOf(world);
  const missing = [
    c.kycStatus === 'APPROVED' ? undefined : STANDS[c.kycStatus],
    awaitsTerms(platform, c) ? 'has not accepted the end-user terms' : undefined,
  ].filter((one) => one !== undefined);
  const lacking = platform.currencies.flatMap((config) => {
    const fields = lackingFor(config, c);
    return fields.length > 0 ? [`${config.currencyCode} asks for ${fields.join(', ')}`] : [];
  });
  const usable = platform.currencies.length - lacking.length;
  const channels = Object.entries(c.contactVerification ?? {}).map(
    ([channel, is]): Ability => ({
      what: `Be reached by ${channel}`,
      ok: is === 'VERIFIED',
      because: is === 'VERIFIED' ? 'verified' : 'not verified yet',
    }),
  );
  return {
    may: [
      { what: 'Move money', ok: missing.length === 0, because: missing.join('; ') || 'approved' },
      {
        what: `Use ${usable} of ${platform.currencies.length} currencies`,
        ok: lacking.length === 0,
        because: lacking.join('; ') || undefined,
      },
      ...channels,
    ],
    facts: [
      ['Known to the platform as', c.platformCustomerId],
      ['UMA address', c.umaAddress],
      ...(c.email === undefined ? [] : [['Email', c.email] as const]),
      ...(c.phoneNumber === undefined ? [] : [['Phone', c.phoneNumber] as const]),
    ],
  };
}
