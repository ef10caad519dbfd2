/** Every error code and its one HTTP status (spec 7; codes below a comment are from the public contract). */
export const ERRORS = {
  INVALID_INPUT: 400,
  MISSING_MANDATORY_USER_INFO: 400,
  INVITATION_ALREADY_CLAIMED: 400,
  INVITATIONS_NOT_CONFIGURED: 400,
  INVALID_UMA_ADDRESS: 400,
  INVITATION_CANCELLED: 400,
  QUOTE_REQUEST_FAILED: 400,
  INVALID_PAYREQ_RESPONSE: 400,
  INVALID_RECEIVER: 400,
  PARSE_PAYREQ_RESPONSE_ERROR: 400,
  CERT_CHAIN_INVALID: 400,
  CERT_CHAIN_EXPIRED: 400,
  INVALID_PUBKEY_FORMAT: 400,
  MISSING_REQUIRED_UMA_PARAMETERS: 400,
  SENDER_NOT_ACCEPTED: 400,
  AMOUNT_OUT_OF_RANGE: 400,
  INVALID_CURRENCY: 400,
  INVALID_TIMESTAMP: 400,
  INVALID_NONCE: 400,
  INVALID_REQUEST_FORMAT: 400,
  INVALID_BANK_ACCOUNT: 400,
  SELF_PAYMENT: 400,
  LOOKUP_REQUEST_FAILED: 400,
  PARSE_LNURLP_RESPONSE_ERROR: 400,
  INVALID_AMOUNT: 400,
  WEBHOOK_ENDPOINT_NOT_SET: 400,
  WEBHOOK_DELIVERY_ERROR: 400,
  LOW_QUALITY: 400,
  DATA_MISMATCH: 400,
  EXPIRED: 400,
  SUSPECTED_FRAUD: 400,
  UNSUITABLE_DOCUMENT: 400,
  INCOMPLETE: 400,
  EMAIL_OTP_CREDENTIAL_ALREADY_EXISTS: 400,
  SMS_OTP_CREDENTIAL_ALREADY_EXISTS: 400,
  PASSKEY_CREDENTIAL_ALREADY_EXISTS: 400,
  STABLECOIN_PROVIDER_ACCOUNT_INVALID: 400,
  STABLECOIN_PROVIDER_ACCOUNT_REVOKED: 400,
  STABLECOIN_PROVIDER_ACCOUNT_SELECTION_REQUIRED: 400,
  UNAUTHORIZED: 401,
  INVALID_SIGNATURE: 401,
  WALLET_SIGNATURE_MISSING: 401,
  WALLET_SIGNATURE_MALFORMED: 401,
  WALLET_SIGNATURE_BODY_MISMATCH: 401,
  WALLET_SIGNATURE_INVALID: 401,
  REQUEST_ID_MISSING: 401,
  TRANSACTION_NOT_FOUND: 404,
  INVITATION_NOT_FOUND: 404,
  USER_NOT_FOUND: 404,
  QUOTE_NOT_FOUND: 404,
  LOOKUP_REQUEST_NOT_FOUND: 404,
  TOKEN_NOT_FOUND: 404,
  BULK_UPLOAD_JOB_NOT_FOUND: 404,
  REFERENCE_NOT_FOUND: 404,
  UMA_NOT_FOUND: 404,
  STABLECOIN_PROVIDER_ACCOUNT_NOT_FOUND: 404,
  TRANSACTION_NOT_PENDING_PLATFORM_APPROVAL: 409,
  TRANSACTION_NOT_CANCELLABLE: 409,
  UMA_ADDRESS_EXISTS: 409,
  EMAIL_OTP_EMAIL_ALREADY_EXISTS: 409,
  EMAIL_OTP_CREDENTIAL_SET_CHANGED: 409,
  PASSKEY_ALREADY_ENROLLED: 409,
  CONFLICT: 409,
  SERVICE_SWITCH_ERROR: 500,
  INTERNAL_ERROR: 500,
  // The public contract adds these; the specification neither names nor contradicts them.
  END_USER_TERMS_VERSION_NOT_FOUND: 400,
  CARDHOLDER_KYC_NOT_APPROVED: 400,
  TRANSACTION_SIZE_LIMIT_EXCEEDED: 400,
  EXTERNAL_ACCOUNT_VERIFICATION_REQUIRED: 400,
  FORBIDDEN: 403,
  USER_NOT_READY: 403,
  COUNTERPARTY_NOT_ALLOWED: 403,
  VELOCITY_LIMIT_EXCEEDED: 403,
  END_USER_TERMS_NOT_ACCEPTED: 403,
  METHOD_NOT_ALLOWED: 405,
  SCA_SESSION_REQUIRED: 409,
  BENEFICIARY_TRUSTED: 409,
  INVALID_STATE_TRANSITION: 409,
  CARD_ALREADY_CLOSED: 409,
  CARD_NOT_MUTABLE: 409,
  CUSTOMER_DELETED: 410,
  UNSUPPORTED_UMA_VERSION: 412,
  ACCOUNT_LOCKED: 423,
  PAYREQ_REQUEST_FAILED: 424,
  COUNTERPARTY_PUBKEY_FETCH_ERROR: 424,
  NO_COMPATIBLE_UMA_VERSION: 424,
  LNURLP_REQUEST_FAILED: 424,
  EMAIL_OTP_CREDENTIAL_SYNC_FAILED: 424,
  RATE_LIMITED: 429,
  DAILY_VOLUME_LIMIT_EXCEEDED: 429,
  UNRECOGNIZED_MANDATORY_PAYEE_DATA_KEY: 501,
  NOT_IMPLEMENTED: 501,
  SERVICE_UNAVAILABLE: 503,
  // Named by the guides only, in no enumeration; spec 5.1 (9) requires the case.
  INSUFFICIENT_BALANCE: 400,
  // Named by the text of the card operations only.
  FUNDING_SOURCE_INELIGIBLE: 400,
} as const;

export type ErrorCode = keyof typeof ERRORS;

/**
 * Codes of refusals that a repeated request meets again. Clients retry statuses such as 409 and 501 by themselves;
 * these codes tell them not to, unless a refusal `passes`.
 */
export const NO_RETRY: ReadonlySet<ErrorCode> = new Set([
  'TRANSACTION_NOT_PENDING_PLATFORM_APPROVAL',
  'TRANSACTION_NOT_CANCELLABLE',
  'UMA_ADDRESS_EXISTS',
  'EMAIL_OTP_EMAIL_ALREADY_EXISTS',
  'EMAIL_OTP_CREDENTIAL_SET_CHANGED',
  'PASSKEY_ALREADY_ENROLLED',
  'CONFLICT',
  'BENEFICIARY_TRUSTED',
  'CARD_ALREADY_CLOSED',
  'CARD_NOT_MUTABLE',
  'CUSTOMER_DELETED',
  'UNRECOGNIZED_MANDATORY_PAYEE_DATA_KEY',
  'NOT_IMPLEMENTED',
]);

/** The reason for a refusal, for the request log only; the API reply never carries it. */
export interface Why {
  /** The rule, as a section of the specification or a sentence. */
  rule?: string | undefined;
  expected?: unknown;
  seen?: unknown;
  /** The message, if the reply has none because it is a page for people. */
  message?: string | undefined;
  /** The checks of a signature or proof in their order, up to the one that failed. */
  steps?: readonly { readonly step: string; readonly ok: boolean; readonly note?: string }[] | undefined;
  /** The request whose first reply this repeats, because it had the same `Idempotency-Key`. */
  repeats?: string | undefined;
}

export interface FailureOptions {
  /** Free-form `details` of the error body (spec 7). */
  details?: Record<string, unknown> | undefined;
  why?: Why | undefined;
  /** Seconds for a `Retry-After` header. */
  retryAfter?: number | undefined;
  /** A status other than the table's: for faults, and for refusals before there is a request. */
  status?: number | undefined;
  /** True if waiting or another call can resolve it, although most refusals with its code are permanent. */
  passes?: boolean | undefined;
  /** A write that outlives the refusal, in a transaction of its own; everything else is undone. */
  onRefusal?: (() => void) | undefined;
}

/** A refusal that the client sees: code, status, sentence and optional details (spec 7). */
export class Failure extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  readonly details: Record<string, unknown> | undefined;
  readonly why: Why | undefined;
  readonly retryAfter: number | undefined;
  readonly passes: boolean;
  readonly onRefusal: (() => void) | undefined;

  constructor(code: ErrorCode, message: string, options: FailureOptions = {}) {
    super(message);
    this.name = 'Failure';
    this.code = code;
    this.status = options.status ?? ERRORS[code];
    this.details = options.details;
    this.why = options.why;
    this.retryAfter = options.retryAfter;
    this.passes = options.passes ?? false;
    this.onRefusal = options.onRefusal;
  }
}

/** Refuses the call. Areas refuse in no other way. */
export function fail(code: ErrorCode, message: string, options?: FailureOptions): never {
  throw new Failure(code, message, options);
}

/** One bad field of a request, as `details.errors[]` shows it. */
export interface FieldError {
  field: string;
  message: string;
  constraint?: {
    format?: string;
    pattern?: string;
    enum?: readonly string[];
    minLength?: number;
    maxLength?: number;
  };
}

const MOST_NAMED = 10;

/** Returns the message about a value that is not among the allowed ones; of many, it names the first. */
export const notOneOf = (values: readonly string[]): string =>
  `not one of ${values.slice(0, MOST_NAMED).join(', ')}${values.length > MOST_NAMED ? ` and ${values.length - MOST_NAMED} more` : ''}`;

/** The most bad fields that a refusal lists, and that its message names: a body may have a hundred thousand. */
const MOST_LISTED = 1000;
const MOST_IN_MESSAGE = 100;

/** Refuses with the list of bad fields, the first thousand of them (spec 2.1 rule 4: validation failures carry error details). */
export function failFields(all: readonly FieldError[], code: ErrorCode = 'INVALID_INPUT', rule?: string): never {
  const [first] = all;
  const errors = all.slice(0, MOST_LISTED);
  const names = errors.slice(0, MOST_IN_MESSAGE).map((e) => e.field || 'request');
  const more = all.length - names.length;
  const message =
    all.length === 1 && first
      ? `${first.field || 'request'}: ${first.message}`
      : `${all.length} fields are invalid: ${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
  throw new Failure(code, message, { details: { errors }, why: { rule } });
}
