/** Names of one edition of the contract. Applied at the edge only; the inside speaks the specification's words. */
export interface Profile {
  readonly name: 'spec' | 'grid';
  /** Where the API is advertised. Both places are always served. */
  readonly basePath: string;
  readonly walletSignatureHeader: string;
  readonly webhookSignatureHeader: string;
  /** Enum values renamed on the way out (and back on the way in), by field. */
  readonly values: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Members renamed on the way out. */
  readonly members: Readonly<Record<string, string>>;
  /** Newer behaviour of the public contract, named switch by switch (`docs/profiles.md`). */
  readonly newer: boolean;
}

export const PROFILES: Readonly<Record<'spec' | 'grid', Profile>> = {
  spec: {
    name: 'spec',
    basePath: '/2025-10-13',
    walletSignatureHeader: 'Service-Wallet-Signature',
    webhookSignatureHeader: 'X-Service-Signature',
    values: {},
    members: {},
    newer: false,
  },
  grid: {
    name: 'grid',
    basePath: '/grid/2025-10-13',
    walletSignatureHeader: 'Grid-Wallet-Signature',
    webhookSignatureHeader: 'X-Grid-Signature',
    values: { provider: { KYC_PROVIDER_1: 'SUMSUB' }, code: { SERVICE_SWITCH_ERROR: 'GRID_SWITCH_ERROR' } },
    members: {
      serviceApiMultiplier: 'gridApiMultiplier',
      serviceApiFixedFee: 'gridApiFixedFee',
      serviceApiVariableFeeRate: 'gridApiVariableFeeRate',
      serviceApiVariableFeeAmount: 'gridApiVariableFeeAmount',
    },
    newer: true,
  },
};

/** JSON text in the names of a profile. The default profile renames nothing and pays nothing. */
export function render(profile: Profile, value: unknown): string {
  if (profile.name === 'spec') return JSON.stringify(value);
  return JSON.stringify(value, (key, member) => {
    if (typeof member === 'string') return profile.values[key]?.[member] ?? member;
    return key === RENAMED_IN ? renamed(profile, member) : member;
  });
}

/** The one member whose own members are renamed. */
const RENAMED_IN = 'rateDetails';

const renamed = (profile: Profile, value: unknown): unknown =>
  typeof value === 'object' && value !== null
    ? Object.fromEntries(Object.entries(value).map(([name, member]) => [profile.members[name] ?? name, member]))
    : value;
