/**
 * What code that others wrote does for an operation in a test. A library that the emulator itself uses (jose, @noble/curves) is
 * none: it would confirm itself. A program in another language that only sends HTTP is none either.
 */
export interface Foreign {
  readonly id: string;
  readonly by: string;
  /** What it did, as the end of a sentence. */
  readonly did: string;
  readonly operations: readonly string[];
  readonly file: string;
  /** What stands in the file, so that the claim ends with it. */
  readonly uses: string;
  /** The file runs elsewhere (Chromium, a process): the record cannot see its calls, so that each is looked for in its text. */
  readonly calls?: readonly string[];
}

const WALLET = 'test/areas/wallet';
/** Signed operations, by the test file in which the stamper signs for them, with what it is called by there. */
const STAMPED: readonly (readonly [file: string, uses: string, operations: readonly string[]])[] = [
  [`${WALLET}/create-credential.test.ts`, "it.sign(key, 'POST', PATH", ['createAuthCredential']],
  [`${WALLET}/revoke-credential.test.ts`, "it.sign(otpKey, 'DELETE', pathOf(id)", ['revokeAuthCredential']],
  [
    `${WALLET}/sessions.test.ts`,
    "it.sign(key, 'DELETE', pathOf(session.id)",
    ['refreshAuthSession', 'revokeAuthSession'],
  ],
  [`${WALLET}/privacy.test.ts`, "it.sign(key, 'PATCH', path", ['updateInternalAccount']],
  [`${WALLET}/export.test.ts`, 'proof(key, await it.post(pathOf(it)', ['exportInternalAccount']],
  [`${WALLET}/tied-contact.test.ts`, "it.sign(key, 'PATCH', pathOf(it)", ['updateCustomerById']],
  [`${WALLET}/verify-otp.test.ts`, 'stampOf(key, first.body.payloadToSign)', ['verifyAuthCredential']],
  ['test/areas/quotes/execute.test.ts', 'stampOf(key, payload)', ['executeQuote']],
];

export const FOREIGN: readonly Foreign[] = [
  ...STAMPED.map(([file, uses, operations]) => ({
    id: `stamp ${file}`,
    by: '@turnkey/api-key-stamper',
    did: 'signed what it asks for, and the signature was accepted',
    operations,
    file,
    uses,
  })),
  {
    id: 'sealed code',
    by: '@turnkey/crypto',
    did: 'sealed the one-time code to the key of its challenge, and the login succeeded',
    operations: ['challengeAuthCredential', 'verifyAuthCredential'],
    file: 'test/areas/wallet/verify-otp.test.ts',
    uses: 'walletClient',
  },
  {
    id: 'exported wallet',
    by: '@turnkey/crypto',
    did: 'opened the exported wallet',
    operations: ['exportInternalAccount'],
    file: 'test/areas/wallet/export.test.ts',
    uses: 'walletClient.hpkeDecrypt',
  },
  {
    id: 'passkey',
    by: 'Chromium',
    did: 'made the passkey and used it',
    operations: ['createAuthCredential', 'challengeAuthCredential', 'verifyAuthCredential'],
    file: 'test/browser/passkey.test.ts',
    uses: 'navigator.credentials',
    calls: ["'/auth/credentials'", '/challenge`', '/verify`'],
  },
  {
    id: 'generated client',
    by: '@hey-api/openapi-ts',
    did: 'made a client of the public contract that called it and found no fault in the reply (profile grid)',
    operations: [
      'createCustomer',
      'createCustomerExternalAccount',
      'createCustomerKycLink',
      'createQuote',
      'executeQuote',
      'getCustomerById',
      'getTransactionById',
      'listCustomerInternalAccounts',
      'sandboxFundInternalAccount',
    ],
    file: 'test/journeys/generated-client.test.ts',
    uses: 'generatedClient',
    calls: [
      "call('createCustomer'",
      "call('createCustomerExternalAccount'",
      "call('createCustomerKycLink'",
      "call('createQuote'",
      "call('executeQuote'",
      "call('getCustomerById'",
      "call('getTransactionById'",
      "call('listCustomerInternalAccounts'",
      "call('sandboxFundInternalAccount'",
    ],
  },
];

/** The files whose successes are noted for it. */
export const FOREIGN_FILES: ReadonlySet<string> = new Set(FOREIGN.map(({ file }) => file));
