import type { Moment } from '../../engine/story.ts';
import type { IssuerOperation, Stablecoin } from './row.ts';

const words = (status: string): string => status.replaceAll('_', ' ').toLowerCase();

/** Returns the timeline of a coin, as far as it is stored. */
export const coinStory = ({
  id,
  createdAt,
  updatedAt,
  issuanceStatus,
  serviceOperationsStatus,
}: Stablecoin): Moment[] => [
  { at: createdAt, what: 'Registered', about: id },
  { at: updatedAt, what: `Issuance: ${words(issuanceStatus)}`, loose: true, about: id },
  { at: updatedAt, what: `Use as a currency: ${words(serviceOperationsStatus)}`, loose: true, about: id },
];

const TONES: Readonly<Record<string, Moment['tone']>> = { COMPLETED: 'good', FAILED: 'bad', EXPIRED: 'bad' };

/** Returns the timeline of a mint or a burn, with its expiry while it waits for funds. */
export function issuerStory(operation: IssuerOperation): Moment[] {
  const { id, operationType, createdAt, updatedAt, status, failureReason, expiresAt } = operation;
  return [
    { at: createdAt, what: operationType === 'MINT' ? 'Mint requested' : 'Burn requested', about: id },
    ...(status === 'CREATED'
      ? []
      : [{ at: updatedAt, what: `Now ${words(status)}`, tone: TONES[status], detail: failureReason, about: id }]),
    ...(status === 'PENDING_FUNDING' && expiresAt !== undefined
      ? [{ at: expiresAt, what: 'Expires', due: true as const }]
      : []),
  ];
}
