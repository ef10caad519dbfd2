import { RULE_TEXTS } from '../areas.ts';
import type { RuleText } from '../declare/area.ts';

/** Sections by their place, in order: the subject of each, and its text. */
const TEXTS: Readonly<Record<string, readonly [about: string, says: string]>> = {
  'spec 2.1': ['Customers', 'What a customer is and what it always has: a type that never changes, and a UMA address.'],
  'spec 2.1 (1)': [
    'Customers',
    'Each currency of the platform lists the fields that a customer who is to use it must have (GET /config, providerRequiredCustomerFields). They come with the create, or with a later PATCH.',
  ],
  'spec 2.1 (3)': [
    'Customers',
    'Two active customers cannot share a platformCustomerId and a UMA address: 409. The same platformCustomerId with another UMA address is fine.',
  ],
  'spec 2.1 (4)': [
    'Customers',
    'The request must be valid: the fields of its type, a real birth date, an address with a country. Every mistake is listed at once, with 400.',
  ],
  'spec 2.2': ['Hosted links', 'A hosted link works once and until its expiresAt; ask for a fresh one after that.'],
  'spec 2.3': [
    'Owners and documents',
    'A beneficial owner belongs to a business and names its roles and its share of it.',
  ],
  'spec 2.4': [
    'Wallet credentials',
    'The nickname of a one-time-code credential is the address that the code goes to: the email or phone number of the customer.',
  ],
  'spec 2.7': ['Lists', 'A cursor is the nextCursor of the previous page; anything else is refused.'],
  'spec 2.8': [
    'UMA addresses',
    'An address is $name@domain, the domain being that of the platform; the name has letters, digits, - _ . + and at most 64 characters with its $.',
  ],
  'spec 3.1': [
    'Verification of customers',
    'A customer is PENDING until a decision makes it APPROVED or REJECTED; only an approved one moves money.',
  ],
  'spec 3.2': [
    'Contact verification',
    'An email or phone that the provider asks to be verified is verified by its code, before identity is submitted.',
  ],
  'spec 3.2, 7 condition rule 2': [
    'Contact verification',
    'Until every required email and phone number is verified, no hosted link is created: 409.',
  ],
  'spec 3.4': [
    'Payments',
    'A payment goes from PENDING through PROCESSING to COMPLETED, FAILED or EXPIRED. It can be stopped until it settles, and a bank can return it afterwards.',
  ],
  'spec 4': ['Requests', 'Bodies are JSON, unless the operation takes a file.'],
  'spec 4.1': [
    'Customers',
    'A deleted customer stays deleted. An email and a phone number that wallet logins depend on are changed one at a time, each signed.',
  ],
  'spec 4.2': [
    'Idempotency',
    'A key names one request: sent again, it is answered as the first time; another request with the same key is a 409.',
  ],
  'spec 4.3': [
    'Contact verification',
    'A code that was sent is confirmed once, in time; in the sandbox it is always the same.',
  ],
  'spec 4.3, 7 condition rule 3': [
    'Contact verification',
    'A code is sent only for a channel that the provider asks to be verified: else 409.',
  ],
  'spec 4.5': [
    'Wallet credentials',
    'Credentials belong to an embedded wallet; each type has its own body for create, challenge and verify.',
  ],
  'spec 4.5 (2), 7 (6)': [
    'Wallet credentials',
    'A wallet keeps at least one credential: the last one cannot be revoked, 400.',
  ],
  'spec 4.5 (3)': [
    'Wallet credentials',
    'An OAuth credential is verified with a fresh token and has no challenge; codes and passkeys are challenged first.',
  ],
  'spec 4.6': [
    'Sessions',
    'Active sessions are listed, refreshed and revoked; one that never existed, or has ended, is not found.',
  ],
  'spec 4.7': [
    'Signed operations',
    'Exporting a wallet, its privacy and executing a quote from it are signed with a session of the wallet.',
  ],
  'spec 5 (1)': [
    'Authentication',
    'Calls of the platform carry HTTP Basic credentials: the token id as the user, its secret as the password.',
  ],
  'spec 5 (3-5), 7 status 401': [
    'Wallet signatures',
    'The retry of a signed call carries the signature over exactly the payloadToSign of the 202, and its requestId, which counts once and until expiresAt. A check that fails is 401, and the message names it.',
  ],
  'spec 7, status 401': [
    'Errors',
    'The credentials, the access token or the proof of a login were not right; the message says which.',
  ],
  'spec 5.1 (3)': [
    'OIDC tokens',
    'An OIDC token names a supported issuer, one audience and a subject, was issued within the last 60 seconds and has not expired. In the sandbox its signature is not checked by default.',
  ],
  'spec 5.1 (5)': [
    'Logins',
    'A login that fails is 401 with the check that failed; what cannot be read at all, such as a token that is not a JWT, is 400.',
  ],
  'spec 5.1 (9)': ['Balances', 'An account cannot send more than it holds: the call is refused, and nothing moves.'],
  'spec 7 (4)': [
    'Wallet credentials',
    'A wallet has one email code and one SMS code at most, and the same passkey once: a second is 400.',
  ],
  'spec 7, status 400': ['Errors', 'The request is not valid; the message names the field and what it should be.'],
  'spec 7, status 404': [
    'Errors',
    'There is nothing with this id in this sandbox, or no operation at this path. Each token id has a sandbox of its own.',
  ],
  'spec 7, status 409': ['Errors', 'The request does not fit the present state; read the resource again.'],
  'spec 8': ['Limits', 'An identity of a provider is registered with a wallet once.'],
  'spec 8, challenges': [
    'Limits',
    'A login code is sent only so often in a minute: limits.challengesPerMinute of the scenario says how often, and Retry-After when the next one is.',
  ],
  'spec 7, status 429': [
    'Errors',
    'A limit is reached; the message names it, and Retry-After says how long to wait if time ends it.',
  ],
  'spec 7, status 501': ['Errors', 'This sandbox does not offer it; the message says what.'],
  'reference 9.6': [
    'Quotes',
    'A quote is executed before its expiresAt, five minutes after it was made unless the scenario says otherwise; then it is EXPIRED.',
  ],
  'reference 9.9': [
    'Quotes',
    'A quote that is paid from outside executes by itself when the money comes; there is no call for it.',
  ],
  'reference 9.9, counterparty': [
    'Counterparties',
    'A quote says of the sender or the receiver what the platform and the provider require for the currency: else 400.',
  ],
  'reference 11.6': ['Payments', 'Only a bank transfer that has not settled can be cancelled.'],
  'reference 11.7': ['Payments', 'Only a completed payment has a receipt.'],
  'reference 15': [
    'Fees',
    'The fixed fees come off first, then the shares of the rest; what is left is exchanged and must be something.',
  ],
  'reference 16.4': ['API tokens', 'The credentials of a deleted token are refused from then on.'],
  'reference: permissions and readiness, status 403': [
    'Permissions',
    'The token may not do this, or the customer is not ready for it: VIEW reads, TRANSACT moves money, MANAGE changes the platform.',
  ],
  'scenario: limits.dailyVolume': [
    'Limits',
    'The scenario limits what leaves on one UTC day of the virtual clock, by currency or corridor.',
  ],
  'scenario: limits.transactionSize': [
    'Limits',
    'The scenario limits what one payment may send, by currency or corridor.',
  ],
  'scenario: platform.requireEndUserTerms': [
    'Terms',
    'The scenario asks for endUserTermsConsent of the customer before accounts are opened and money moves.',
  ],
  'sandbox: identifiers that end in 105': [
    'Magic values',
    'A bank account whose number ends in 105 is refused when it is added.',
  ],
  'RFC 7578': ['Files', 'Files are sent as multipart/form-data.'],
  'RFC 9112': ['HTTP', 'The request is not valid HTTP.'],
};

/** Every place that a refusal cites, in order; a test checks that none is missing or superfluous. */
export const RULES: readonly RuleText[] = [
  ...RULE_TEXTS,
  ...Object.entries(TEXTS).map(([place, [about, says]]) => ({ place, about, says })),
];

/**
 * Returns the place that a rule cites, without the words that follow it. A sentence that cites nothing is its own
 * place.
 */
export function placeOf(text: string): string {
  const cut = text.indexOf(':');
  return /^(?:spec|reference \d|RFC)/.test(text) && cut > 0 ? text.slice(0, cut) : text;
}

const BY_PLACE = new Map(RULES.map((one) => [one.place, one]));

/** Returns the text of a rule that a refusal cites, if it cites one. */
export const ruleOf = (text: string): RuleText | undefined => BY_PLACE.get(placeOf(text));

/** Returns the anchor of a place on the page of rules. */
export const anchorOf = (place: string): string => place.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
