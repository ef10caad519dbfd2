/**
 * Onboarding: from a new customer to a decision, by the hosted link or by direct submission.
 * Chosen where the specification is silent or the public contract is newer:
 * - `POST /verifications` returns `IN_PROGRESS` for a complete submission whatever the policy: the customer is stored
 *   as `PENDING`, and the decision is a job of its own (`verification.decide`). "at once" runs it right after the
 *   reply, so reply, row and events agree: `VERIFICATION.IN_PROGRESS`, `CUSTOMER.*_PENDING`, then
 *   `CUSTOMER.*_APPROVED`. Every submission is a new verification; a decision ends all that are open.
 * - The specification has two statuses of a verification: one that ended, or waits for a person, stays `IN_PROGRESS`,
 *   and the customer shows the outcome. Profile `grid` shows and emits the end (`VERIFICATION.APPROVED` and the like).
 * - A blocked submission (`RESOLVE_ERRORS`) does not count: the customer stays as it was, its documents can be deleted.
 * - A decided customer may be submitted again (spec 3.1, "any"); profile `grid` refuses with 400.
 * - Missing data is requested before a suffix counts. Suffixes 001 and 003 of a registration number, and 001 of a name,
 *   wait for `POST /_emulator/customers/{id}/decision`; 002 rejects; 003 of a name finds the picture poor. Profile
 *   `grid` decides on a business in the reply, whatever is missing: 002 is rejected, one without a suffix approved.
 * - Owners are decided with their business, each by its own suffix. A rejection carries one `APPLICANT_REJECTED`.
 * - `idType` and `identifier` are required of individuals, SSN or ITIN of US persons, any type of others
 *   (`platform.verification.identifier` in the scenario turns that off); only non-US owners need documents, a passport
 *   and one more (spec 2.3).
 * - A review requires of a business what spec 2.3 names, and accepts the rest; profile `grid` requires trade, purpose,
 *   funds and volume.
 * - The first bytes of a file determine its type, not its name or declared type; a replaced document stays submitted.
 *   `sandbox-refuse-*` and `sandbox-review-*` are file names with an outcome (`documents/magic.ts`).
 * - A link lives 24 virtual hours (`limits.kycLinkHours`), works for decided customers, too, and is on the emulator's
 *   own address. Its page suggests what the suffix would do; the person chooses. "Ask again" does not use up the link.
 * - Owners, documents and verifications that do not exist are 404 `REFERENCE_NOT_FOUND`. Those of a deleted customer
 *   are shown, and every change of them is 404 `USER_NOT_FOUND`.
 * Not emulated: the contents and the age of a document, the selfie, sanctions lists; the shares of owners are not added
 * up.
 */

import { area, on } from '../../declare/area.ts';
import { CUSTOMER_DELETED, hosted } from '../customers/index.ts';
import { decisions } from './decisions.ts';
import { MAGIC as FILE_MAGIC } from './documents/magic.ts';
import { routes as documentRoutes } from './documents/routes.ts';
import { DOCUMENTS } from './documents/rules.ts';
import { routes as linkRoutes } from './kyc-link/routes.ts';
import { KYC_LINKS, LINK_HOURS } from './kyc-link/rules.ts';
import { OWNER } from './owners/machine.ts';
import { MAGIC as OWNER_MAGIC } from './owners/magic.ts';
import { routes as ownerRoutes } from './owners/routes.ts';
import { OWNERS } from './owners/rules.ts';
import { jobs } from './verifications/jobs.ts';
import { VERIFICATION } from './verifications/machine.ts';
import { routes as verificationRoutes } from './verifications/routes.ts';
import { dropReviews, VERIFICATIONS } from './verifications/rules.ts';
import { VerificationShape } from './verifications/schema.ts';

export {
  CHOICES,
  type Choice,
  completeLink,
  KYC_LINKS,
  type KycLink,
  type LinkState,
  linkState,
  renewLinks,
  suggestedChoice,
} from './kyc-link/rules.ts';

export const onboarding = area('onboarding', {
  machines: [VERIFICATION, OWNER],
  magic: () => [...OWNER_MAGIC(), ...FILE_MAGIC()],
  tables: [VERIFICATIONS, KYC_LINKS, OWNERS, DOCUMENTS],
  operations: [...linkRoutes, ...ownerRoutes, ...documentRoutes, ...verificationRoutes],
  jobs,
  decisions,
  limits: [LINK_HOURS],
  reactions: [on(CUSTOMER_DELETED, (world, { id }) => dropReviews(world, id))],
  events: [
    {
      name: 'verification-update',
      summary: 'A verification moved on',
      types: [
        'VERIFICATION.IN_PROGRESS',
        'VERIFICATION.PENDING_MANUAL_REVIEW',
        'VERIFICATION.RESOLVE_ERRORS',
        'VERIFICATION.APPROVED',
        'VERIFICATION.REJECTED',
      ],
      data: VerificationShape,
      after: {
        'VERIFICATION.IN_PROGRESS': hosted('approve'),
        'VERIFICATION.PENDING_MANUAL_REVIEW': hosted('pending'),
        'VERIFICATION.RESOLVE_ERRORS': hosted('again'),
        'VERIFICATION.APPROVED': hosted('approve'),
        'VERIFICATION.REJECTED': hosted('reject'),
      },
    },
  ],
});
