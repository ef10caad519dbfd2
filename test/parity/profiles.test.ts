import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { CustomerPage, CustomerShape } from '../../src/areas/customers/schema.ts';
import { OPERATIONS } from '../../src/areas.ts';
import { STARTS } from '../../src/parity/scenarios.ts';
import { walkBoth } from '../../src/parity/session.ts';
import { effort } from '../kit/effort.ts';
import { tampered } from './sides.ts';

const FEES = 'rateDetails\\.(?:service|grid)Api\\w+';
const QUOTED = '(?:createQuote|getQuoteById|executeQuote|authorizeQuote|agentCreateQuote|agentGetQuote)';
const PERSON = '(?:kycStatus|kybStatus): (?:PENDING|APPROVED) -> UNVERIFIED';
/** Every operation that shows customers, by the shapes of its replies. */
const CUSTOMERS = `(?:${OPERATIONS.filter(({ replies }) =>
  Object.values(replies).some((shape) => shape === CustomerShape || shape === CustomerPage),
)
  .map(({ id }) => id)
  .join('|')}) value (?:data\\[\\]\\.)?`;
const SUBMITTED = '(?:createVerification|getVerification|listVerifications)';

/** The causes by which each row of `docs/profiles.md` shows in replies. */
const SHOWN: Readonly<Record<string, RegExp>> = {
  'KYC provider of a hosted link': /^createCustomerKycLink value provider: KYC_PROVIDER_1 -> /,
  'provider of a stablecoin provider account':
    / value (?:data\[\]\.)?(?:provider|details\.errors\[\]\.constraint\.enum\[\]): (?:STABLECOIN_PROVIDER_1|‹text›) -> /,
  "the service's own member of a stablecoin":
    /^(?:registerStablecoin|getStablecoin|listStablecoins) (?:missing|added) (?:data\[\]\.)?(?:service|grid)OperationsStatus$/,
  "the service's own account as a source of a stablecoin operation": /SERVICE_INTERNAL_ACCOUNT -> /,
  "an agent's device code and access token begin with":
    /^(?:createAgent|regenerateAgentDeviceCode|getAgentDeviceCodeStatus|redeemAgentDeviceCode) value (?:deviceCode\.)?(?:code|accessToken): /,
  "the service's own members of rateDetails": new RegExp(
    `(?:missing|added) (?:data\\[\\]\\.|quote\\.|transaction\\.)*${FEES}$`,
  ),
  'a new customer who is decided on later': new RegExp(`^${CUSTOMERS}${PERSON}$`),
  'a new individual whose name ends in 003': new RegExp(`^${CUSTOMERS}${PERSON}$`),
  'a new business': new RegExp(`^${CUSTOMERS}kybStatus: (?:PENDING|APPROVED) -> UNVERIFIED$`),
  'a new beneficial owner':
    /^(?:\w+BeneficialOwners? value (?:data\[\]\.)?|\w+ value (?:data\[\]\.)?beneficialOwners\[\]\.)kycStatus: PENDING -> UNVERIFIED$/,
  'creating a business of which nothing else is said':
    /^createCustomer (?:status: 201 -> 400 INVALID_INPUT|code: INVALID_UMA_ADDRESS -> INVALID_INPUT)$/,
  'submitting a customer who is approved already': /^createVerification status: 200 -> 400 INVALID_INPUT$/,
  'statuses of a verification: reviewed by hand, approved, rejected': new RegExp(
    // A filter takes the statuses of its own profile.
    `^(?:${SUBMITTED} value (?:data\\[\\]\\.)?verificationStatus: IN_PROGRESS -> |listVerifications status: 400 INVALID_INPUT -> 200$)`,
  ),
  'submitting a business 002 without owners and documents': new RegExp(
    // It decides the customer, too.
    `^(?:${SUBMITTED} value (?:data\\[\\]\\.)?verificationStatus: RESOLVE_ERRORS|${CUSTOMERS}ky[bc]Status: PENDING) -> REJECTED$`,
  ),
  'submitting a business without owners and documents': new RegExp(
    `^${SUBMITTED} (?:value (?:data\\[\\]\\.)?verificationStatus: RESOLVE_ERRORS -> APPROVED|length (?:data\\[\\]\\.)?errors\\[\\])$`,
  ),
  'what a review still asks of a business that gives name, country, tax number, day and registration': new RegExp(
    `^${SUBMITTED} (?:length (?:data\\[\\]\\.)?errors\\[\\]|value (?:data\\[\\]\\.)?errors\\[\\]\\.field: )`,
  ),
  // No event, but its payment is listed.
  'events of sandbox funding':
    /^(?:agentListTransactions|listTransactions) (?:length data\[\]|order data\[\]|added nextCursor|value (?:totalCount|hasMore).*)$/,
  'executing a quote of a wallet without a signature': /^executeQuote status: 202 -> 401 WALLET_SIGNATURE_MISSING$/,
  'the same with the signature and an unknown Request-Id': /^executeQuote status: 401 UNAUTHORIZED -> 200$/,
  'payment instructions of a quote from a wallet': new RegExp(`^${QUOTED} length paymentInstructions\\[\\]$`),
  'paying such a quote by its invoice (sandboxSend)':
    /^sandboxSend (?:status: 400 INVALID_INPUT -> 200|code: INVALID_INPUT -> \w+)$/,
  'a EUR_ACCOUNT of an individual without countryOfResidence':
    /^\w+ExternalAccount status: 400 INVALID_INPUT -> (?:201|409 CONFLICT)$/,
  'executing a quote from a bank account outside': new RegExp(
    `^(?:(?:executeQuote|agentExecuteQuote|createQuote|agentCreateQuote) status: (?:20\\d|40\\d \\w+) -> 400 INVALID_INPUT|${QUOTED} added paymentInstructions)$`,
  ),
};

/** The rows that no reply to a call of the contract can show, and why. */
const UNSEEN: Readonly<Record<string, string>> = {
  'advertised base path (both are always served)': 'an address, and no part of a reply; both are served',
  'header of a wallet signature': 'a header of requests: either side is sent its own',
  'header of a webhook signature': 'a header of webhooks, which are not compared',
  'code of a switch error': 'only a fault of the control API makes a switch fail',
  'reason of a card that the service closed': 'only the control API closes a card as the service does',
  'a customer put on hold (control API)': 'the control API is not part of the contract',
  'email and phone number changed together, neither tied': 'no example changes both in one call',
  'events of a submission that is approved': 'webhooks are not compared',
  'events of a payment that succeeds': 'webhooks are not compared',
  'successes and headers of executeQuote in the document': 'a difference of the documents',
  'types of outgoing payments in the document': 'a difference of the documents',
  'longest pause between two tries of a webhook': 'webhooks are not compared',
  'the older path POST /webhooks/test': 'no operation of the contract: walks call the present path',
  'the older path GET /internal-accounts': 'no operation of the contract: walks call the present path',
};

/** The rows that differ, by their first column. */
function topics(): string[] {
  const page = readFileSync(join(import.meta.dirname, '../../docs/profiles.md'), 'utf8');
  const table = page.split('## Where they differ')[1]?.split('\n## ')[0] ?? '';
  const rows = table.split('\n').filter((line) => line.startsWith('| '));
  return rows.slice(1).map((line) => (line.slice(2).split(' | ')[0] as string).replaceAll('`', '').trim());
}

test('every row of docs/profiles.md is mapped to a difference in replies, or to the reason why none can show it', () => {
  expect([...Object.keys(SHOWN), ...Object.keys(UNSEEN)].sort()).toEqual(topics().sort());
});

test('profile spec against profile grid shows the differences of docs/profiles.md and no other', async () => {
  const [ours, theirs] = [await tampered(), await tampered(undefined, 'grid')];
  const operations = OPERATIONS.map(({ id }) => id);
  const steps = effort(300, 16_000);
  const { causes } = await walkBoth({
    ours,
    theirs,
    scenarios: STARTS,
    operations,
    seed: 7000,
    steps,
    patienceMs: 0,
    long: true,
  });
  const rows = Object.values(SHOWN);
  const others = causes.filter(({ cause }) => !rows.some((row) => row.test(cause)));
  expect(
    others.map(({ cause, walk }) => [cause, walk.map((step) => ('pass' in step ? step.pass : step.operation))]),
    'each needs a row of docs/profiles.md, and of SHOWN here',
  ).toEqual([]);
  if (!process.env['THOROUGH']) return;
  const unseen = Object.keys(SHOWN).filter((topic) => !causes.some(({ cause }) => SHOWN[topic]?.test(cause)));
  expect(unseen, 'rows that no walk has shown').toEqual([]);
});
