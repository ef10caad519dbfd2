import { describe, expect, test } from 'vitest';
import { kit } from '../kit/sandbox.ts';

/** What `POST /_emulator/scenarios/check` says of a text: `line:column: message`. */
async function mistakesOf(text: string): Promise<string[]> {
  const it = await kit();
  const { body } = await it.control('POST', '/scenarios/check', { text });
  return (body.problems ?? []).map(
    ({ line, column, message }: { line: number; column: number; message: string }) => `${line}:${column}: ${message}`,
  );
}

const BANK =
  'accountInfo: { accountType: USD_ACCOUNT, accountNumber: "123456789", routingNumber: "021000021", beneficiary: { beneficiaryType: INDIVIDUAL, fullName: Ada Keller } }';
const ADA = '- { label: ada, customerType: INDIVIDUAL, fullName: Ada Keller, accounts: { USD: 100 } }';

describe('mistakes of a scenario (W23)', () => {
  test('of form, of references and of funds are reported together, in the order of their lines', async () => {
    const text = `customers:
  ${ADA}
  - { label: bob, customerType: PERSON, fullName: Bob Ito }
externalAccounts:
  - { label: bank, customer: ada, currency: USD, ${BANK} }
  - { label: other, customer: ada, currency: USD, trusted: yes please, ${BANK.replace('123456789', '987654321')} }
transactions:
  - { customer: ada, amount: 50000, currency: USD, to: bank }
  - { customer: bob, amount: 10, currency: USD, to: other }
  - { customer: eve, amount: 10, currency: USD, to: bonk, ago: soon }
cards:
  - { customer: ada, state: MELTED }
  - { customer: bank }
`;
    expect(await mistakesOf(text)).toEqual([
      '3:19: customers.1 (bob).customerType: unknown value PERSON; there are INDIVIDUAL, BUSINESS',
      '6:51: externalAccounts.1 (other).trusted: must be true or false, not a string',
      '8:5: transactions.0: the USD account of ada holds 1.00 USD, less than 500.00 USD',
      '10:7: transactions.2.customer: no customer has the label eve',
      '10:49: transactions.2.to: no external account has the label bonk; did you mean bank?',
      '10:59: transactions.2.ago: must be a duration such as 2h, 90s, 1h30m, 7d or PT15M',
      '12:22: cards.0.state: unknown value MELTED; there are PROCESSING, ACTIVE, FROZEN, CLOSED',
      '13:7: cards.1.customer: bank is the label of an external account, not of a customer',
    ]);
  });

  test('of a customer or an account elsewhere are members that POST would ignore, too', async () => {
    const text = `customers:
  - { label: ada, customerType: INDIVIDUAL, fullNam: Ada Keller, acounts: { USD: 1 }, address: { line1: a, lin2: b, city: c, country: US, postalCode: "1" } }
  - { label: bob, customerType: INDIVIDUAL, fullName: Bob Ito, accounts: { USD: 100 } }
externalAccounts:
  - { custmer: ada, currency: EUR, accountInfo: { accountType: EUR_ACCOUNT, iban: DE89370400440532013000, swift: DEUTDEFF, beneficiary: { beneficiaryType: INDIVIDUAL, fullName: B, countryOfResidence: DE } } }
transactions:
  - { customer: bob, amount: 50000, currency: USD }
`;
    expect(await mistakesOf(text)).toEqual([
      '2:45: customers.0 (ada): unknown key fullNam; did you mean fullName?',
      '2:66: customers.0 (ada): unknown key acounts; did you mean accounts?',
      '2:108: customers.0 (ada).address: unknown key lin2; did you mean line2?',
      '5:7: externalAccounts.0: unknown key custmer; did you mean customer?',
      '5:107: externalAccounts.0.accountInfo: unknown key swift; there are accountType, iban, swiftCode, beneficiary',
      '7:5: transactions.0: say where it went, with to or uma',
    ]);
  });

  test('do not include the rails of an account that was copied from a reply', async () => {
    const text = `externalAccounts:\n  - { currency: USD, ${BANK.replace('{ ', '{ paymentRails: [ACH], ')} }\n`;
    expect(await mistakesOf(text)).toEqual([]);
  });

  test('after an entry that is left out name the places of the file, not those of what is left', async () => {
    const text = `customers:\n  - 5\n  - { label: ada }\n  ${ADA.replace('ada', 'eve')}\ncards:\n  - no card\n  - { customer: nobody }\n  - { customer: ada }\n  - { customer: eve, payments: [{ amount: 5000, merchant: { descriptor: X, mcc: "5411", country: US } }] }\n`;
    expect(await mistakesOf(text)).toEqual([
      '2:5: customers.0: must be an object, not a number',
      '3:5: customers.1 (ada).customerType: required',
      '6:5: cards.0: must be an object, not a string',
      '7:7: cards.1.customer: no customer has the label nobody',
      '9:5: cards.3: the USD account of eve holds 1.00 USD, less than 50.00 USD',
    ]);
  });

  test('of one customer or account are all there: what the API refuses, its balances, what it refers to', async () => {
    const text = `customers:
  - { label: ada, customerType: INDIVIDUAL, fullName: Ada, email: nope, birthDate: 1990-13-01, accounts: { EUR: 1, GBP: 2 } }
externalAccounts:
  - { customer: eve, currency: EUR, accountInfo: { accountType: EUR_ACCOUNT, iban: DE00, beneficiary: { beneficiaryType: INDIVIDUAL } } }
`;
    expect((await mistakesOf(text)).map((line) => line.replace(/^\d+:\d+: /, ''))).toEqual([
      'customers.0 (ada).email: not an email address',
      'customers.0 (ada).birthDate: not a calendar date of the form YYYY-MM-DD',
      'customers.0 (ada).accounts.EUR: the platform has no EUR',
      'customers.0 (ada).accounts.GBP: the platform has no GBP',
      'externalAccounts.0.customer: no customer has the label eve',
      'externalAccounts.0.accountInfo.iban: must have at least 15 characters',
      expect.stringMatching(/^externalAccounts\.0\.accountInfo\.iban: must match \/\^\[A-Z\]/),
      'externalAccounts.0.accountInfo.beneficiary.fullName: required',
    ]);
  });

  test('of the platform do not hide those of its customers', async () => {
    const fee =
      '{ feeType: CROSS_CURRENCY_TRANSACTION, sourceCurrency: USD, variableFeeBps: 5, fixedFee: { amount: 5, currency: EUR } }';
    const text = `platform: { regulated: perhaps }\ncards: [{ customer: ada }]\n`;
    expect(await mistakesOf(text)).toEqual([
      '1:13: platform.regulated: must be true or false, not a string',
      '2:11: cards.0.customer: no customer has the label ada',
    ]);
    expect(await mistakesOf(`platform: { fees: [${fee}] }\ncards: [{ customer: ada }]\n`)).toEqual([
      '1:1: platform: the fixed fee must be in USD, not in EUR',
      '2:11: cards.0.customer: no customer has the label ada',
    ]);
  });

  const BROKEN = [
    'rates: { USDEUR: 1 }',
    'customers: [{ customerType: INDIVIDUAL, fullName: A, credentials: [{ type: PASSKEY }, {}, 5] }]',
    'externalAccounts: [{ currency: USD, accountInfo: { accountType: US_BANK } }, { currency: USD, accountInfo: {} }]',
    'faults: [5, { then: 5 }, { match: { operation: createQuotes }, then: { status: 503 } }, { then: { status: 7 } }]',
    'generate: { customers: -1, outgoing: 0.7, cards: 0.7 }\nclock: 5\npolicies: { card.pull: 5 }',
    'credentials: [{ id: "a:b", secret: "" }]\nplatform: { sca: { x: 1 }, oidcJwks: 5 }',
    'stablecoins: [{}]\nscaFactors: [{ customer: a, type: SMS_OTP }]\nagents: [{ customer: a, policy: {} }]',
    '[1, 2]',
    'just a text',
  ];

  test.each(BROKEN)('never speak in the words of the library: %s', async (text) => {
    const said = await mistakesOf(text);
    expect(said.length).toBeGreaterThan(0);
    for (const one of said) {
      expect(one).not.toMatch(/Invalid (?:input|key|element|option)|expected \w+, received|of the declared form/);
      expect(one).not.toMatch(/:[0-9a-f]{8}-[0-9a-f]{4}-/);
    }
  });
});
