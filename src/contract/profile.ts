/** The differences between two editions of the contract. Each switch is read in one place of the area it concerns. */
export interface Rules {
  /**
   * A customer or owner without a submission is `UNVERIFIED`, not `PENDING`, and a business always is. `HOLD` exists,
   * and the reply to the submission of a business without a suffix approves it (public onboarding guides).
   */
  readonly unverifiedFirst: boolean;
  /**
   * A verification is reviewed by hand, approved and rejected, each with an event; the reply to the submission of a
   * business decides on it (public schema). The specification has only `IN_PROGRESS` and `RESOLVE_ERRORS` (2.3): the
   * customer's status then shows the result.
   */
  readonly verificationEnds: boolean;
  /** Creating a business requires `businessInfo` with legal name, country, tax id and day of incorporation. */
  readonly businessInfoRequired: boolean;
  /**
   * A review of a business also requires its trade, purpose, funds and expected volume, which the specification does
   * not name (2.3).
   */
  readonly businessFactsRequired: boolean;
  /** An approved or rejected customer cannot be submitted again: 400. The specification allows any state (3.1). */
  readonly decisionIsFinal: boolean;
  /** The event type `OUTGOING_PAYMENT` also exists without a suffix (spec 6). */
  readonly bareOutgoingPayment: boolean;
  /** Funding an account in the sandbox is an incoming payment with an event of its own, not only a new balance. */
  readonly fundingIsPayment: boolean;
  /**
   * An unsigned execution of a wallet's quote gets a 202 with a challenge (spec 5.4). Otherwise it is 401
   * `WALLET_SIGNATURE_MISSING`: the payload was already in the quote, and `Request-Id` means nothing.
   */
  readonly quoteChallenge: boolean;
  /** A quote from an embedded wallet can also be paid by an invoice, without a signature. */
  readonly walletInvoice: boolean;
  /** An individual with an `EUR_ACCOUNT` as payee needs a country of residence; otherwise it may be unknown. */
  readonly residenceRequired: boolean;
  /**
   * The service never collects a quote from an external bank account: its funds have to be pushed, and no call executes
   * it.
   */
  readonly bankSourcePushed: boolean;
  /** Email and phone number are changed in separate calls, whether or not a wallet's owner logs in with one. */
  readonly contactsApart: boolean;
  /**
   * The longest pause between two attempts of a webhook, in milliseconds; `undefined` spreads 160 retries over 7 days
   * (spec 6).
   */
  readonly longestWebhookPauseMs: number | undefined;
}

/** An older path that existing clients still call: served as the operation at `path`, and in no document. */
export interface Alias {
  readonly method: string;
  readonly from: string;
  /** The declared path that serves it. */
  readonly path: string;
}

/**
 * Names and rules of one edition of the contract. Names are translated at the edge; the inside uses the
 * specification's.
 */
export interface Profile {
  readonly name: 'spec' | 'grid';
  /** The path under which the API is advertised. Both paths are always served. */
  readonly basePath: string;
  readonly walletSignatureHeader: string;
  readonly webhookSignatureHeader: string;
  /** Enum values renamed in replies, and back in requests, by field. */
  readonly values: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /**
   * Members of `rateDetails`, of replies and of the rows of a list that are renamed in replies; queries use the same
   * names.
   */
  readonly members: Readonly<Record<string, string>>;
  /** Enum values and event types that never occur, by the name of their schema; the document does not list them. */
  readonly absent: Readonly<Record<string, readonly string[]>>;
  /**
   * Members that a rule of the profile requires, or that it always shows, by the name of their schema; elsewhere they
   * are optional.
   */
  readonly required: Readonly<Record<string, readonly string[]>>;
  readonly aliases: readonly Alias[];
  /** The prefixes of secrets and codes that people see. */
  readonly prefixes: { readonly agentToken: string; readonly deviceCode: string };
  /** Newer behaviour of the public contract, switch by switch (`docs/profiles.md`). */
  readonly rules: Rules;
}

export const PROFILES: Readonly<Record<'spec' | 'grid', Profile>> = {
  spec: {
    name: 'spec',
    basePath: '/2025-10-13',
    walletSignatureHeader: 'Service-Wallet-Signature',
    webhookSignatureHeader: 'X-Service-Signature',
    values: {},
    members: {},
    absent: {
      KycStatus: ['UNVERIFIED', 'HOLD'],
      VerificationStatus: ['PENDING_MANUAL_REVIEW', 'APPROVED', 'REJECTED', 'READY_FOR_VERIFICATION'],
      VerificationErrorType: [
        'APPLICANT_REJECTED',
        'APPLICANT_SANCTIONED',
        'APPLICANT_FRAUD',
        'APPLICANT_CRIMINAL_RECORD',
      ],
      events: ['VERIFICATION.PENDING_MANUAL_REVIEW', 'VERIFICATION.APPROVED', 'VERIFICATION.REJECTED'],
    },
    required: {
      EurIndividualBeneficiary: ['countryOfResidence'],
      CreateEurIndividualBeneficiary: ['countryOfResidence'],
    },
    aliases: [],
    prefixes: { agentToken: 'sat_', deviceCode: 'SERVICE-AGENT-' },
    rules: {
      unverifiedFirst: false,
      verificationEnds: false,
      businessInfoRequired: false,
      businessFactsRequired: false,
      decisionIsFinal: false,
      bareOutgoingPayment: true,
      fundingIsPayment: false,
      quoteChallenge: true,
      walletInvoice: false,
      residenceRequired: true,
      bankSourcePushed: false,
      contactsApart: false,
      longestWebhookPauseMs: undefined,
    },
  },
  grid: {
    name: 'grid',
    basePath: '/grid/2025-10-13',
    walletSignatureHeader: 'Grid-Wallet-Signature',
    webhookSignatureHeader: 'X-Grid-Signature',
    values: {
      provider: { KYC_PROVIDER_1: 'SUMSUB', STABLECOIN_PROVIDER_1: 'BRALE' },
      code: { SERVICE_SWITCH_ERROR: 'GRID_SWITCH_ERROR' },
      type: { SERVICE_INTERNAL_ACCOUNT: 'GRID_INTERNAL_ACCOUNT' },
      stateReason: { CLOSED_BY_SERVICE: 'CLOSED_BY_GRID' },
    },
    members: {
      serviceApiMultiplier: 'gridApiMultiplier',
      serviceApiFixedFee: 'gridApiFixedFee',
      serviceApiVariableFeeRate: 'gridApiVariableFeeRate',
      serviceApiVariableFeeAmount: 'gridApiVariableFeeAmount',
      serviceOperationsStatus: 'gridOperationsStatus',
    },
    absent: { events: ['OUTGOING_PAYMENT'] },
    required: {
      BusinessCustomerCreateRequest: ['businessInfo'],
      BusinessInfo: ['legalName', 'country', 'taxId', 'incorporatedOn'],
      BusinessInfoResponse: ['legalName'],
    },
    aliases: [
      { method: 'POST', from: '/webhooks/test', path: '/sandbox/webhooks/test' },
      { method: 'GET', from: '/internal-accounts', path: '/customers/internal-accounts' },
    ],
    prefixes: { agentToken: 'gat_', deviceCode: 'GRID-AGENT-' },
    rules: {
      unverifiedFirst: true,
      verificationEnds: true,
      businessInfoRequired: true,
      businessFactsRequired: true,
      decisionIsFinal: true,
      bareOutgoingPayment: false,
      fundingIsPayment: true,
      quoteChallenge: false,
      walletInvoice: true,
      residenceRequired: false,
      bankSourcePushed: true,
      contactsApart: true,
      longestWebhookPauseMs: 30 * 60 * 1000,
    },
  },
};

type Values = Profile['values'];

/** Returns JSON text in the names of a profile. The default profile renames nothing, at no cost. */
export function render(profile: Profile, value: unknown): string {
  return JSON.stringify(profile.name === 'spec' ? value : toProfile(value, profile.values, profile.members));
}

/** Returns a refusal as JSON text; its sentences and lists of allowed values contain names, too. */
export function renderRefusal(profile: Profile, value: unknown): string {
  const text = render(profile, value);
  if (profile.name === 'spec') return text;
  const names: Readonly<Record<string, string>> = Object.assign({}, ...Object.values(profile.values), profile.members);
  return text.replaceAll(new RegExp(`\\b(?:${Object.keys(names).join('|')})\\b`, 'g'), (name) => names[name] ?? name);
}

/** Returns a value that a client sent, in the specification's words. */
export function fromProfile(profile: Profile, sent: unknown): unknown {
  if (profile.name === 'spec') return sent;
  const { values, members } = inverseOf(profile);
  return toProfile(sent, values, members);
}

type Names = Pick<Profile, 'values' | 'members'>;
const inverses = new WeakMap<Profile, Names>();

function inverseOf(profile: Profile): Names {
  let inverse = inverses.get(profile);
  if (!inverse) {
    const turned = (names: Readonly<Record<string, string>>) =>
      Object.fromEntries(Object.entries(names).map(([ours, theirs]) => [theirs, ours]));
    const values = Object.fromEntries(Object.entries(profile.values).map(([field, names]) => [field, turned(names)]));
    inverses.set(profile, (inverse = { values, members: turned(profile.members) }));
  }
  return inverse;
}

/** Places in which members are renamed: in this member, at the top, and in the rows of a list. */
const RENAMED_IN: ReadonlySet<string> = new Set(['rateDetails', '', 'data']);
const NOTHING: Readonly<Record<string, string>> = {};
/** No renamed member is deeper; a client's value may be of any depth. */
const DEEPEST = 64;

/** Returns an own member of a record: clients send names such as `constructor`. */
const own = <T>(record: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(record, name) ? record[name] : undefined;

/**
 * Returns the same value in other words; the items of a list belong to the list's field. Unchanged parts are not
 * copied.
 */
function toProfile(value: unknown, values: Values, members: Values[string], field = '', depth = 0): unknown {
  if (typeof value === 'string') return own(own(values, field) ?? NOTHING, value) ?? value;
  if (typeof value !== 'object' || value === null || depth > DEEPEST) return value;
  if (Array.isArray(value)) {
    let list: unknown[] | undefined;
    for (const [i, item] of value.entries()) {
      const said = toProfile(item, values, members, field, depth + 1);
      if (said !== item) (list ??= [...value])[i] = said;
    }
    return list ?? value;
  }
  const names = RENAMED_IN.has(field) ? members : NOTHING;
  const entries = Object.entries(value);
  let changed = false;
  for (const entry of entries) {
    const said = toProfile(entry[1], values, members, entry[0], depth + 1);
    const name = own(names, entry[0]) ?? entry[0];
    if (said === entry[1] && name === entry[0]) continue;
    [entry[0], entry[1], changed] = [name, said, true];
  }
  return changed ? Object.fromEntries(entries) : value;
}
