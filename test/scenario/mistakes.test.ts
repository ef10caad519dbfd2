import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { loadScenarios } from '../../src/scenario/load.ts';
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
  test('mistakes of form, of references and of funds are reported together, in the order of their lines', async () => {
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

  test('two credentials of a scenario with one id, and two codes by SMS of one customer, are mistakes at the second', async () => {
    const text = `credentials: [{ id: test, secret: a }, { id: ci, secret: b }, { id: test, secret: c }]
customers:
  - { customerType: INDIVIDUAL, fullName: A B, phoneNumber: "+14155550199", credentials: [{ type: SMS_OTP }, { type: SMS_OTP }] }
`;
    expect(await mistakesOf(text)).toEqual([
      '1:65: credentials.2.id: test is the id of another credential',
      '3:112: customers.0.credentials.1.type: a wallet has one SMS_OTP',
    ]);
  });

  test('a currency that a scenario lists twice is a mistake at the second', async () => {
    const text = 'platform:\n  currencies: [{ code: USD }, { code: EUR }, { code: USD }]\n';
    expect(await mistakesOf(text)).toEqual(['2:48: platform.currencies.2.code: listed twice']);
  });

  test('a currency of a scenario whose smallest amount is more than its largest is a mistake at that amount', async () => {
    const text =
      'platform:\n  currencies:\n    - { code: USD, minAmount: 20, maxAmount: 10 }\n    - { code: EUR, minAmount: 20 }\n';
    expect(await mistakesOf(text)).toEqual(['3:20: platform.currencies.0.minAmount: more than maxAmount']);
  });

  test('unknown members of a customer or an external account are mistakes of a scenario, though POST would ignore them', async () => {
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

  test('the rails of an account that was copied from a reply are not a mistake of a scenario', async () => {
    const text = `externalAccounts:\n  - { currency: USD, ${BANK.replace('{ ', '{ paymentRails: [ACH], ')} }\n`;
    expect(await mistakesOf(text)).toEqual([]);
  });

  test('mistakes after an invalid entry name the places of the file, not those of the remaining entries', async () => {
    const text = `customers:\n  - 5\n  - { label: ada }\n  ${ADA.replace('ada', 'eve')}\ncards:\n  - no card\n  - { customer: nobody }\n  - { customer: ada }\n  - { customer: eve, payments: [{ amount: 5000, merchant: { descriptor: X, mcc: "5411", country: US } }] }\n`;
    expect(await mistakesOf(text)).toEqual([
      '2:5: customers.0: must be an object such as { customerType: … }, not a number',
      '3:5: customers.1 (ada).customerType: required',
      '6:5: cards.0: must be an object such as { customer: … }, not a string',
      '7:7: cards.1.customer: no customer has the label nobody',
      '9:5: cards.3: the USD account of eve holds 1.00 USD, less than 50.00 USD',
    ]);
  });

  test('all mistakes of one customer or account are reported: what the API refuses, balances, references', async () => {
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

  test('mistakes of the platform do not hide those of its customers', async () => {
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

  const PERSON = 'customerType: INDIVIDUAL, fullName: Ada Keller';
  const UMA = 'currency: USD, uma: $pat@wallet.example';

  test.each<[what: string, text: string, mistakes: string[]]>([
    [
      'a misspelt key in place of a required one is one mistake',
      `customers:\n  - { label: ada, customerTyp: INDIVIDUAL, fullName: Ada }\ntransactions:\n  - { amout: 5, type: INCOMING, ${UMA} }\n`,
      [
        '2:19: customers.0 (ada): unknown key customerTyp; did you mean customerType?',
        '4:7: transactions.0: unknown key amout; did you mean amount?',
      ],
    ],
    [
      'the value of a misspelt key is checked, under its name in the file',
      'customers:\n  - { label: ada, customerTyp: PERSON }\nplatfrom: { regulatd: 1 }\n',
      [
        '2:19: customers.0 (ada): unknown key customerTyp; did you mean customerType?',
        '2:19: customers.0 (ada).customerTyp: unknown value PERSON; there are INDIVIDUAL, BUSINESS',
        '3:1: unknown key platfrom; did you mean platform?',
        '3:13: unknown key regulatd; did you mean regulated?',
        '3:13: platfrom.regulatd: must be true or false, not a number',
      ],
    ],
    [
      'a misspelt value gets the nearest one in any case, several that are equally near, or a list of all',
      `transactions:
  - { label: rent, amount: 5, type: incoming, status: PROCESING, currency: USDD, uma: $pat@wallet.example }
  - { amount: 5, type: IN, status: DONE, currency: XYZ, uma: $pat@wallet.example }
`,
      [
        '2:31: transactions.0 (rent).type: unknown value incoming; did you mean INCOMING?',
        '2:47: transactions.0 (rent).status: unknown value PROCESING; did you mean PROCESSING?',
        '2:66: transactions.0 (rent).currency: unknown value USDD; did you mean USD, USDC, USDT or USDB?',
        '3:18: transactions.1.type: unknown value IN; there are OUTGOING, INCOMING',
        '3:28: transactions.1.status: unknown value DONE; there are COMPLETED, PROCESSING, PENDING, FAILED, RETURNED, REJECTED',
        '3:42: transactions.1.currency: unknown value XYZ; there are USD, EUR, GBP, BRL, MXN, INR and 35 more: scenario.schema.json',
      ],
    ],
    [
      'a misspelt currency as a key gets the nearest ones',
      `customers:\n  - { label: ada, ${PERSON}, accounts: { USDD: 5, EURO: 0 } }\n`,
      [
        '2:79: customers.0 (ada).accounts: unknown key USDD; did you mean USD, USDC, USDT or USDB?',
        '2:88: customers.0 (ada).accounts: unknown key EURO; did you mean EUR?',
        '2:88: customers.0 (ada).accounts.EURO: the platform has no EUR',
      ],
    ],
    [
      'the members of an account of an unknown type are not mistakes',
      `externalAccounts:
  - { label: bank, currency: USD, accountInfo: { accountType: US_ACCOUNT, routing: "021000021" } }
  - { label: till, currency: USD, accountInfo: { accountTyp: USD_ACCOUNT, ${BANK.slice(BANK.indexOf('accountNumber'))} }
  - { customerId: "Customer:1", currency: USD, ${BANK} }
`,
      [
        '2:50: externalAccounts.0 (bank).accountInfo.accountType: unknown value US_ACCOUNT; did you mean USD_ACCOUNT?',
        '3:50: externalAccounts.1 (till).accountInfo: unknown key accountTyp; did you mean accountType?',
        '4:7: externalAccounts.2: unknown key customerId; did you mean customer?',
        '4:7: externalAccounts.2.customerId: no customer has the label Customer:1',
      ],
    ],
    [
      'an amount with a decimal point is refused, and checked as the author meant it',
      `platform: { accounts: { USD: 70.00 } }
customers: [{ label: ada, ${PERSON}, accounts: { USD: 10 } }]
transactions:
  - { amount: 70.0, ${UMA} }
  - { amount: 0.01, ${UMA} }
  - { amount: 1.001, ${UMA} }
  - { amount: 1.0, currency: VND, type: INCOMING }
cards: [{ customer: ada, payments: [{ amount: 0.05, cleared: 0.050 }] }]
rates: { USD/MXN: 18.00 }
generate: { outgoing: 1.0 }
`,
      [
        '1:25: platform.accounts.USD: amounts are in minor units: 70.00 USD is 7000',
        '4:7: transactions.0.amount: amounts are in minor units: 70.0 USD is 7000',
        "5:5: transactions.1: the platform's USD account holds 0.00 USD, less than 0.01 USD",
        '5:7: transactions.1.amount: amounts are in minor units: 0.01 USD is 1',
        '6:7: transactions.2.amount: amounts are in minor units, without a decimal point',
        '7:7: transactions.3.amount: amounts are in minor units: 1.0 VND is 1',
        '7:20: transactions.3.currency: there is no account in VND',
        '8:39: cards.0.payments.0.amount: amounts are in minor units: 0.05 USD is 5',
        '8:53: cards.0.payments.0.cleared: amounts are in minor units: 0.050 USD is 5',
      ],
    ],
    [
      'an amount with a decimal point is refused in JSON as well',
      '{"transactions": [{"type": "INCOMING", "currency": "USDC", "amount": 0.5}, {"type": "INCOMING", "currency": "USD", "amount": 7e1}]}',
      ['1:60: transactions.0.amount: amounts are in minor units: 0.5 USDC is 500000'],
    ],
    [
      'a reference to a row with a mistake is not a mistake',
      `customers:
  - { label: ada, customerType: INDIVIDUAL, fullName: Ada, email: nope }
  - { label: ben, ${PERSON}, qqqqqqqqqq: 1 }
  - { label: cat, ${PERSON}, kycStatus: 7 }
externalAccounts: [{ label: bank, customer: ada, currency: USD, ${BANK} }]
transactions:
  - { customer: ada, amount: 5, currency: USD, to: bank }
  - { customer: ben, amount: 5, ${UMA} }
  - { customer: cat, amount: 5, ${UMA} }
cards: [{ label: card, customer: cat, payments: [{ amount: 5 }] }]
delegatedKeys: [{ card: card }]
`,
      [
        '2:60: customers.0 (ada).email: not an email address',
        expect.stringMatching(/^3:67: customers\.1 \(ben\): unknown key qqqqqqqqqq; there are label, id, accounts, /),
        '4:67: customers.2 (cat).kycStatus: unknown value 7; there are APPROVED, PENDING, REJECTED',
      ],
    ],
    [
      'an unknown label is a mistake only where all labels are known',
      `customers: { ada: { ${PERSON} } }
externalAccounts: [{ label: bank, customer: ada, currency: USD, ${BANK} }]
cards: [{ customer: bank }]
`,
      [
        '1:1: customers: must be a list, not an object',
        '3:11: cards.0.customer: bank is the label of an external account, not of a customer',
      ],
    ],
    [
      'a misspelt key of a label is the only mistake, though a card refers to that label',
      `customers: [{ qqqqqqqqqq: ada, ${PERSON} }]\ncards: [{ customer: ada }]\n`,
      [expect.stringMatching(/^1:15: customers\.0: unknown key qqqqqqqqqq; there are label, id, /)],
    ],
    [
      'a balance that is too low because of a mistake is not a mistake',
      `platform: { accounts: { USD: plenty } }
customers: [{ label: ada, ${PERSON} }, { label: ben, ${PERSON} }]
transactions:
  - { amount: 5, ${UMA} }
  - { label: pay, customer: ada, type: INCOMING, amount: 5, currency: USD, from: nobody, ago: 2h }
  - { customer: ada, amount: 5, ${UMA}, ago: 1h }
  - { customer: bem, type: INCOMING, amount: 5, currency: USD, ago: 2h }
  - { customer: ben, amount: 5, ${UMA}, ago: 1h }
cards: [{ label: card, customer: ada, payments: [{ amount: 5 }] }]
`,
      [
        '1:25: platform.accounts.USD: must be a number, not a string',
        '5:76: transactions.1 (pay).from: no external account has the label nobody',
        '7:7: transactions.3.customer: no customer has the label bem; did you mean ben?',
      ],
    ],
    [
      'a balance that is too low for another reason is a mistake',
      `customers: [{ label: ada, ${PERSON} }, { label: ben, ${PERSON} }]
transactions:
  - { label: pay, customer: ada, type: INCOMING, amount: 5, currency: USD, from: nobody, ago: 2h }
  - { label: rent, customer: ben, amount: 5, ${UMA}, ago: 1h }
`,
      [
        '3:76: transactions.0 (pay).from: no external account has the label nobody',
        '4:5: transactions.1 (rent): the USD account of ben holds 0.00 USD, less than 0.05 USD',
      ],
    ],
    [
      'misspelt members of objects within a row get the nearest ones',
      `platform: { fees: [{ feeType: CROSS_CURRENCY_TRANSACTION, sourceCurrency: USD, variableFeeBps: 5, fixedFee: { amount: 5, curency: USD } }] }
customers: [{ label: ada, ${PERSON} }]
agents:
  - { label: pay, name: Payroll, customer: ada, policy: { permissions: [CREATE_TRANSFERS], defaultExecutionMod: AUTO, spendingLimits: { currency: USD, perTransactionLimt: 1 } } }
faults: [{ match: { operaton: createQuote }, then: { statuss: 503 } }]
`,
      [
        '1:122: platform.fees.0.fixedFee: unknown key curency; did you mean currency?',
        '4:92: agents.0 (pay).policy: unknown key defaultExecutionMod; did you mean defaultExecutionMode?',
        '4:152: agents.0 (pay).policy.spendingLimits: unknown key perTransactionLimt; did you mean perTransactionLimit?',
        '5:21: faults.0.match: unknown key operaton; did you mean operation?',
        '5:54: faults.0.then: unknown key statuss; did you mean status?',
      ],
    ],
    [
      'a long label is cut in the place, and a label that is not text does not name its row',
      `customers:\n  - { label: ${'x'.repeat(60)}, customerType: PERSON }\n  - { label: 5, ${PERSON} }\n`,
      [
        `2:76: customers.0 (${'x'.repeat(40)}…).customerType: unknown value PERSON; there are INDIVIDUAL, BUSINESS`,
        '3:7: customers.1.label: must be a string, not a number; write it in quotes',
      ],
    ],
    [
      'a value of another type gets a hint: without quotes, an object, or false for no',
      `platform: { regulated: no, currencies: [USD] }
customers: [{ label: ada, customerType: BUSINESS, phoneNumber: 12065550147, accounts: { USD: "5" }, businessInfo: Acme }]
`,
      [
        '1:13: platform.regulated: unknown value no; did you mean false?',
        '1:41: platform.currencies.0: must be an object such as { code: … }, not a string',
        '2:89: customers.0 (ada).accounts.USD: must be a number, not a string; write it without quotes',
      ],
    ],
    [
      'a number that has to be in quotes gets that hint, within an account as well',
      `customers: [{ label: ada, customerType: BUSINESS, phoneNumber: 12065550147 }]
externalAccounts: [{ label: bank, currency: USD, ${BANK.replace('"021000021"', '21000021')} }]
`,
      [
        '1:51: customers.0 (ada).phoneNumber: must be a string, not a number; write it in quotes',
        '2:119: externalAccounts.0 (bank).accountInfo.routingNumber: must be a string, not a number; write it in quotes',
      ],
    ],
    [
      'a key at a wrong level, or with another word for the right key, gets the right one',
      `customers:
  - { label: ada, type: individual, name: Ada, city: Bonn, balance: { USD: 5 } }
  - { label: acme, customerType: BUSINESS, name: Acme, country: DE }
externalAccounts: [{ label: bank, currency: USD, type: USD_ACCOUNT, iban: x }]
faults: [{ operation: createQuote, status: 503 }]
`,
      [
        '2:19: customers.0 (ada): unknown key type; did you mean customerType?',
        '2:19: customers.0 (ada).type: unknown value individual; did you mean INDIVIDUAL?',
        '2:37: customers.0 (ada): unknown key name; did you mean fullName?',
        '2:48: customers.0 (ada): unknown key city; did you mean address.city?',
        '2:60: customers.0 (ada): unknown key balance; did you mean accounts?',
        '3:44: customers.1 (acme): unknown key name; did you mean businessInfo.legalName?',
        '3:56: customers.1 (acme): unknown key country; did you mean address.country or businessInfo.country?',
        '4:20: externalAccounts.0 (bank).accountInfo: required',
        '4:50: externalAccounts.0 (bank): unknown key type; did you mean accountInfo.accountType?',
        '4:69: externalAccounts.0 (bank): unknown key iban; did you mean accountInfo.iban?',
        '5:10: faults.0.then: required',
        '5:12: faults.0: unknown key operation; did you mean match.operation?',
        '5:36: faults.0: unknown key status; did you mean then.status?',
      ],
    ],
    [
      'a wrong side of a payment gets the right members, and a fault with a mistake is checked as a whole',
      `transactions:
  - { from: ada, uma: $pat@wallet.example, amount: 1, currency: USD }
  - { type: INCOMING, to: ada, amount: 1, currency: USD }
faults: [{ match: { webhook: OUTGOING_PAYMENT.COMPLETE }, then: { fail: true } }]
live: { paymentsPerHour: 0 }
resetEvery: daily
`,
      [
        '2:7: transactions.0.from: an OUTGOING payment has customer, whose account it is, and to or uma for the other side',
        '3:23: transactions.1.to: an INCOMING payment has customer, whose account it is, and from or uma for the other side',
        '4:21: faults.0.match.webhook: no event has the type OUTGOING_PAYMENT.COMPLETE; did you mean OUTGOING_PAYMENT.COMPLETED?',
        '4:67: faults.0.then: unknown key fail; there are status, drop, delayMs, duplicate, reorder, wrongSignature, alteredBody',
        '5:9: live.paymentsPerHour: must be at least 0.01',
        '6:1: resetEvery: must be a duration such as 2h, 90s, 1h30m, 7d or PT15M',
      ],
    ],
  ])('mistakes of a scenario are reported with their places: %s', async (_, text, mistakes) => {
    expect(await mistakesOf(text)).toEqual(mistakes);
  });

  const ALIKE = 'keys that belong together are indented alike';
  test.each([
    ['customers:\n- label: ada\n   type: x\n', `2:10: a value with a colon in it has to be in quotes, and ${ALIKE}`],
    ['title: my: title\n', `1:8: a value with a colon in it has to be in quotes, and ${ALIKE}`],
    ['customers:\n  - label:ada\n    type: x\n', `2:5: a key is followed by a colon and a space, and ${ALIKE}`],
    ['clock:\n  mode: held\n now: x\n', `3:1: ${ALIKE}, and an open [ or { is closed`],
    ['customers: [', `1:13: ${ALIKE}, and an open [ or { is closed`],
    ['customers:\n  - { label: a\n  - { label: b }\n', `3:3: ${ALIKE}, and an open [ or { is closed`],
    ['customers:\n  - label: ada\n   type: x\n', '3:1: Sequence item without - indicator'],
    ['customers:\n  -label: ada\n', '1:1: customers: must be a list, not an object; a dash is followed by a space'],
    ['customers: [{ label: ada fullName: x }]\n', '1:22: a comma or a closing bracket is missing here'],
    ['title: "mine\n', '2:1: Missing closing "quote'],
    ['{ "title": "x"\n', '2:1: Flow map must end with a }'],
    ['clock:\n\tmode: held\n', '2:1: indent with spaces, not with tabs'],
    ['title: @mine\n', '1:8: a value that begins with this sign has to be in quotes'],
    ['{\n  // mine\n  "title": "x"\n}\n', '2:3: a comment begins with #, not with //'],
  ])("mistakes of punctuation are reported in the words of a scenario's author: %j", async (text, mistake) => {
    expect(await mistakesOf(text)).toEqual([mistake]);
  });

  test('mistakes in several scenarios together name a row by its label, because its number counts all of them', async () => {
    const row = (label: string) => ({
      customers: [{ label, customerType: 'INDIVIDUAL', fullName: 'Ada', email: label }],
    });
    await expect(loadScenarios([row('ada@pay.example'), row('ben')])).resolves.toBeTruthy();
    await expect(kit({ scenario: [row('ada@pay.example'), row('ben')] })).rejects.toThrow(
      'customers.1 (ben).email: not an email address',
    );
  });

  test('docs/scenarios.md shows the mistakes of its example as the emulator reports them', async () => {
    const text = `# yaml-language-server: $schema=node_modules/sandbox-emulator/scenario.schema.json
customers:
  - { label: ada, fulName: Ada Keller, customerType: INDIVIDUAL }
  - { label: ben, customerType: INDVIDUAL, fullName: Ben Ito }
transactions:
  - { customer: bne, currency: USD, amount: 70.00, uma: $pat@wallet.example }
`;
    const page = readFileSync('docs/scenarios.md', 'utf8');
    const shown = [...page.matchAll(/^sandbox\.yaml:(.*)$/gm)].map(([, line]) => line);
    expect(shown).toEqual(await mistakesOf(text));
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

  test.each(BROKEN)('mistakes of a scenario are never reported in the words of the library: %s', async (text) => {
    const said = await mistakesOf(text);
    expect(said.length).toBeGreaterThan(0);
    for (const one of said) {
      expect(one).not.toMatch(/Invalid (?:input|key|element|option)|expected \w+, received|of the declared form/);
      expect(one).not.toMatch(/:[0-9a-f]{8}-[0-9a-f]{4}-/);
    }
  });
});
