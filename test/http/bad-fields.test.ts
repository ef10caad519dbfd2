import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { agentKit } from '../areas/agents/material.ts';
import { owner } from '../areas/onboarding/material.ts';
import { type Answer, type Kit, kit, refusal } from '../kit/sandbox.ts';
import { unbroken } from '../kit/sane.ts';
import { change, changed, type Path, places } from '../kit/spoilt.ts';

/** One thing that is wrong with a body: the value at a place, or none at all. */
interface Fault {
  at: string;
  to?: unknown;
  /** Other places that decide whether this is wrong. */
  by?: string[];
}

/** A call whose body is right, and what can be wrong with it. */
interface Case {
  name: string;
  /** Of the right body. */
  status: number;
  made(): Promise<{ it: Kit; body: object; send(body: unknown): Promise<Answer> }>;
  faults: Fault[];
}

const ADDRESS = { line1: '1 Pier Rd', city: 'Tacoma', state: 'WA', postalCode: '98402', country: 'US' };
const EMAIL = { email: 'mara@example.com' };
const idOf = async (it: Kit, customerType: string) => (await it.post('/customers', { customerType })).body.id as string;
const person = 'personalInfo';
const OWNER_FAULTS: Fault[] = [
  { at: 'roles', to: [] },
  { at: 'roles.1', to: 'CLERK' },
  { at: 'ownershipPercentage', to: 101 },
  { at: `${person}.birthDate`, to: '2030-01-01' },
  { at: `${person}.birthDate`, to: 'long ago' },
  { at: `${person}.email`, to: 'x' },
  { at: `${person}.address`, to: 5 },
  { at: `${person}.address.country`, to: 'XX' },
  { at: `${person}.idType`, to: 'CARD' },
  { at: person, to: [] },
];

const info = 'accountInfo';
const external = (
  side: 'customers' | 'platform',
  currency: string,
  accountInfo: Record<string, unknown>,
  faults: Fault[],
): Case => ({
  name: `POST /${side}/external-accounts with a ${accountInfo['accountType']}`,
  status: 201,
  made: async () => {
    const it = await kit({ scenario: { platform: { counterpartyRules: true } } });
    const beneficiary = { beneficiaryType: 'INDIVIDUAL', fullName: 'Nora Lind', countryOfResidence: 'DE' };
    const body = {
      currency,
      ...(side === 'customers' ? { customerId: await idOf(it, 'INDIVIDUAL'), defaultUmaDepositAccount: true } : {}),
      ownershipType: 'THIRD_PARTY',
      platformAccountId: 'acc-1',
      accountInfo: { ...accountInfo, beneficiary },
    };
    return { it, body, send: (sent) => it.post(`/${side}/external-accounts`, sent) };
  },
  faults: [
    { at: 'currency', to: 5 },
    { at: 'currency', to: 'GBP', by: [`${info}.accountType`] },
    { at: 'platformAccountId', to: '' },
    { at: 'ownershipType', to: 'MINE' },
    { at: `${info}.beneficiary`, to: 'me', by: ['ownershipType'] },
    { at: `${info}.beneficiary.fullName` },
    { at: `${info}.beneficiary.countryOfResidence`, to: 'XX' },
    { at: info, to: 5 },
    ...faults,
  ],
});
const BORN: Fault[] = [
  { at: `${info}.beneficiary.birthDate`, to: '2030-01-01' },
  { at: `${info}.beneficiary.birthDate`, to: 'long ago' },
];

const quoteOf = (from: string, to: string) => ({
  source: { sourceType: 'ACCOUNT', accountId: from },
  destination: { destinationType: 'ACCOUNT', accountId: to },
  lockedCurrencySide: 'SENDING',
  lockedCurrencyAmount: 1000,
  purposeOfPayment: 'GIFT',
});
const QUOTE_FAULTS: Fault[] = [
  { at: 'source', to: 5 },
  { at: 'source.accountId', to: 'InternalAccount:none' },
  { at: 'source.accountId', to: 'ExternalAccount:none' },
  { at: 'destination.accountId', to: 'ExternalAccount:none' },
  { at: 'destination.accountId', to: 5 },
  { at: 'lockedCurrencySide', to: 'BOTH' },
  { at: 'lockedCurrencyAmount', to: 0 },
  { at: 'purposeOfPayment', to: 'x' },
];

const CASES: Case[] = [
  {
    name: 'POST /customers',
    status: 201,
    made: async () => {
      const it = await kit();
      const body = {
        customerType: 'INDIVIDUAL',
        email: 'ada@example.com',
        birthDate: '1990-01-02',
        sourceOfFundsCategories: ['SALARY'],
        address: ADDRESS,
        nationality: 'US',
        idType: 'SSN',
        identifier: '987-65-4320',
      };
      return { it, body, send: (sent) => it.post('/customers', sent) };
    },
    faults: [
      { at: 'email', to: 'x' },
      { at: 'birthDate', to: '2030-01-01' },
      { at: 'sourceOfFundsCategories', to: ['x', 'OTHER'] },
      { at: 'address.country', to: 'XX' },
      { at: 'address.line1' },
      { at: 'idType', to: 'EIN', by: ['nationality'] },
      { at: 'identifier', to: '1', by: ['idType', 'nationality'] },
      { at: 'nationality', to: 'XX' },
    ],
  },
  {
    name: 'POST /beneficial-owners',
    status: 201,
    made: async () => {
      const it = await kit();
      const body = owner(await idOf(it, 'BUSINESS'), EMAIL);
      return { it, body, send: (sent) => it.post('/beneficial-owners', sent) };
    },
    faults: [...OWNER_FAULTS, { at: 'customerId', to: 'an individual' }, { at: `${person}.lastName` }],
  },
  {
    name: 'PATCH /beneficial-owners/{beneficialOwnerId}',
    status: 200,
    made: async () => {
      const it = await kit();
      const { customerId, ...rest } = owner(await idOf(it, 'BUSINESS'), EMAIL);
      const { body } = await it.post('/beneficial-owners', { customerId, ...rest });
      return { it, body: rest, send: (sent) => it.patch(`/beneficial-owners/${body.id}`, sent) };
    },
    faults: OWNER_FAULTS,
  },
  external('customers', 'EUR', { accountType: 'EUR_ACCOUNT', iban: 'DE89370400440532013000' }, [
    { at: `${info}.iban` },
    { at: `${info}.swiftCode`, to: 'x' },
    { at: `${info}.beneficiary.countryOfResidence` },
    { at: 'customerId', to: 5 },
    { at: 'customerId', by: ['defaultUmaDepositAccount'] },
    { at: 'defaultUmaDepositAccount', to: 'yes' },
    ...BORN,
  ]),
  external(
    'customers',
    'COP',
    { accountType: 'COP_ACCOUNT', bankName: 'B', accountNumber: '1', bankAccountType: 'SAVINGS' },
    [
      { at: `${info}.bankName` },
      { at: `${info}.accountNumber`, to: '' },
      { at: `${info}.bankAccountType` },
      { at: `${info}.beneficiary.documentType`, to: 'x' },
      ...BORN,
    ],
  ),
  external('platform', 'USDC', { accountType: 'BASE_WALLET', address: '0x52908400098527886E0F7030069857D2E4169EE7' }, [
    { at: `${info}.address`, to: 'x' },
    { at: `${info}.vaspName`, to: ' ' },
    { at: 'ownershipType', by: [`${info}.accountType`] },
    { at: `${info}.beneficiary`, by: ['ownershipType'] },
  ]),
  {
    name: 'PATCH /config',
    status: 200,
    made: async () => {
      const it = await kit();
      const body = {
        umaDomain: 'bank.example',
        supportedCurrencies: [
          { currencyCode: 'USD', minAmount: 1, maxAmount: 10 },
          { currencyCode: 'EUR', minAmount: 1, maxAmount: 10, requiredCounterpartyFields: [] },
          { currencyCode: 'GBP' },
        ],
        feeConfigs: [],
        embeddedWalletConfig: { appName: 'Pier' },
      };
      return { it, body, send: (sent) => it.patch('/config', sent) };
    },
    faults: [
      { at: 'umaDomain', to: '!' },
      { at: 'supportedCurrencies.0', to: 5 },
      { at: 'supportedCurrencies.0.minAmount', to: 11, by: ['supportedCurrencies.0.maxAmount'] },
      { at: 'supportedCurrencies.0.currencyCode', to: 'XYZ' },
      { at: 'supportedCurrencies.1.maxAmount', to: 0, by: ['supportedCurrencies.1.minAmount'] },
      { at: 'supportedCurrencies.1.minAmount', to: -1 },
      { at: 'supportedCurrencies.1.requiredCounterpartyFields', to: [5] },
      { at: 'supportedCurrencies.2.currencyCode', to: 'EUR', by: ['supportedCurrencies.1.currencyCode'] },
      { at: 'supportedCurrencies.2', to: null },
      { at: 'feeConfigs', to: 5 },
      { at: 'embeddedWalletConfig.otpLength', to: 99 },
    ],
  },
  {
    name: 'POST /agents',
    status: 201,
    made: async () => {
      const it = await kit();
      const customerId = await idOf(it, 'INDIVIDUAL');
      const { data } = (await it.get('/customers/internal-accounts', { customerId })).body;
      const policy = {
        permissions: ['CREATE_QUOTES', 'CREATE_QUOTES'],
        defaultExecutionMode: 'AUTO',
        spendingLimits: { currency: 'USD', perTransactionLimit: 1, dailyLimit: null },
        approvalThresholds: { currency: 'USD', amount: 5 },
        accountRestrictions: {
          allowedAccountIds: [data[0].id, data[1].id],
          accountRules: [{ accountId: data[0].id, perTransactionLimit: 1 }, { accountId: data[1].id }],
        },
      };
      return { it, body: { name: 'Buyer', customerId, policy }, send: (sent) => it.post('/agents', sent) };
    },
    faults: [
      { at: 'name', to: '' },
      { at: 'customerId', to: 'Customer:none' },
      { at: 'policy', to: 5 },
      { at: 'policy.permissions.0', to: 'FLY' },
      { at: 'policy.spendingLimits.currency', to: 'XXX' },
      { at: 'policy.spendingLimits.currency', to: 'usd' },
      { at: 'policy.spendingLimits', to: [] },
      { at: 'policy.approvalThresholds.currency', by: ['policy.approvalThresholds.amount'] },
      { at: 'policy.approvalThresholds.currency', to: 'XXX' },
      { at: 'policy.approvalThresholds.amount', to: -1 },
      { at: 'policy.accountRestrictions.allowedAccountIds.0', to: 5 },
      { at: 'policy.accountRestrictions.allowedAccountIds.1', to: 'x', by: ['customerId'] },
      { at: 'policy.accountRestrictions.accountRules.0', to: null },
      { at: 'policy.accountRestrictions.accountRules.1.accountId', to: 'x', by: ['customerId'] },
    ],
  },
  {
    name: 'PATCH /agents/{agentId}/policy',
    status: 200,
    made: async () => {
      const it = await agentKit();
      const { id } = await it.agent();
      const body = {
        permissions: ['CREATE_QUOTES'],
        spendingLimits: { currency: 'EUR', dailyLimit: null },
        approvalThresholds: { currency: 'USD', amount: 5 },
        accountRestrictions: { allowedAccountIds: [it.usd.id], accountRules: [{ accountId: it.usd.id }] },
      };
      return { it, body, send: (sent) => it.patch(`/agents/${id}/policy`, sent) };
    },
    faults: [
      { at: 'permissions.0', to: 'FLY' },
      { at: 'spendingLimits.currency', to: 'XXX' },
      { at: 'spendingLimits.dailyLimit', to: -1 },
      { at: 'approvalThresholds.currency', by: ['approvalThresholds.amount'] },
      { at: 'approvalThresholds.currency', to: 'XXX' },
      { at: 'accountRestrictions.allowedAccountIds.0', to: 'x' },
      { at: 'accountRestrictions.accountRules.0.accountId', to: 'x' },
      { at: 'accountRestrictions.accountRules.0.executionMode', to: 'x' },
    ],
  },
  {
    name: 'POST /agents/me/external-accounts',
    status: 201,
    made: async () => {
      const it = await agentKit();
      const agent = await it.agent();
      const beneficiary = { beneficiaryType: 'INDIVIDUAL', fullName: 'Nora Lind', countryOfResidence: 'DE' };
      const body = {
        currency: 'EUR',
        customerId: it.customer.id,
        defaultUmaDepositAccount: true,
        accountInfo: { accountType: 'EUR_ACCOUNT', iban: 'DE89370400440532013000', beneficiary },
      };
      return { it, body, send: (sent) => agent.post('/external-accounts', sent) };
    },
    faults: [
      { at: 'customerId', to: 'Customer:none' },
      { at: 'customerId', to: 5 },
      { at: 'currency', to: 'GBP', by: [`${info}.accountType`] },
      { at: 'defaultUmaDepositAccount', to: 'yes' },
      { at: `${info}.iban` },
      ...BORN,
    ],
  },
  {
    name: 'POST /quotes',
    status: 201,
    made: async () => {
      const it = await agentKit();
      return { it, body: quoteOf(it.usd.id, it.bank('EUR').id), send: (sent) => it.post('/quotes', sent) };
    },
    faults: QUOTE_FAULTS,
  },
  {
    name: 'POST /agents/me/quotes',
    status: 201,
    made: async () => {
      const it = await agentKit();
      const agent = await it.agent();
      const body = { ...quoteOf(it.usd.id, it.bank('EUR').id), immediatelyExecute: false };
      return { it, body, send: (sent) => agent.post('/quotes', sent) };
    },
    faults: [
      ...QUOTE_FAULTS,
      { at: 'immediatelyExecute', to: true },
      { at: 'source.customerId', to: 'Customer:none' },
      { at: 'source.customerId', to: 5 },
    ],
  },
];

/** Whether one place lies in another, or is the same. */
const isWithin = (one: string, other: string): boolean => one === other || one.startsWith(`${other}.`);
const touch = (one: string, other: string): boolean => isWithin(one, other) || isWithin(other, one);
/** Whether two faults say nothing of each other, so that each is wrong whatever the other. */
const areApart = (a: Fault, b: Fault): boolean =>
  !touch(a.at, b.at) &&
  ![...(a.by ?? []).map((at) => [at, b.at]), ...(b.by ?? []).map((at) => [at, a.at])].some(([one = '', other = '']) =>
    touch(one, other),
  );
function apart(faults: readonly Fault[]): Fault[] {
  const kept: Fault[] = [];
  for (const one of faults) if (kept.every((other) => areApart(one, other))) kept.push(one);
  return kept;
}

const pathOf = (at: string): Path => at.split('.').map((step) => (/^\d+$/.test(step) ? Number(step) : step));

async function started({ made }: Case) {
  const { it, body, send } = await made();
  const individual = await idOf(it, 'INDIVIDUAL');
  const spoilt = (faults: readonly Fault[]): unknown =>
    faults.reduce<unknown>(
      (sent, { at, to }) =>
        changed(sent, pathOf(at), to === undefined ? 'drop' : { to: to === 'an individual' ? individual : to }),
      body,
    );
  return { body, send, spoilt };
}

describe('bad fields of a body', () => {
  test.each(CASES.map((one) => [one.name, one] as const))(
    '%s names every bad field of a body in one refusal (reference 3.4)',
    async (_, one) => {
      const { body, send, spoilt } = await started(one);
      const alone = new Map<Fault, string[]>();
      for (const fault of one.faults) {
        const answer = refusal(await send(spoilt([fault])));
        expect(answer, JSON.stringify(fault)).toMatchObject({ status: 400, code: 'INVALID_INPUT' });
        alone.set(fault, answer.fields);
      }
      await fc.assert(
        fc.asyncProperty(fc.shuffledSubarray(one.faults, { minLength: 2 }).map(apart), async (faults) => {
          const answer = refusal(await send(spoilt(faults)));
          expect(answer).toMatchObject({ status: 400, code: 'INVALID_INPUT' });
          expect(answer.fields).toEqual(expect.arrayContaining(faults.flatMap((fault) => alone.get(fault) ?? [])));
          expect(new Set(answer.fields).size).toBe(answer.fields.length);
        }),
        { numRuns: 60 },
      );
      expect((await send(body)).status).toBe(one.status);
    },
  );

  test.each(CASES.map((one) => [one.name, one] as const))(
    '%s answers bodies with several random changes without a failure',
    async (_, one) => {
      const { body, send } = await started(one);
      await fc.assert(
        fc.asyncProperty(fc.array(fc.tuple(fc.nat(), change), { minLength: 1, maxLength: 6 }), async (spoils) => {
          let sent: unknown = body;
          for (const [n, how] of spoils) {
            const all = places(sent).slice(1);
            if (all.length > 0) sent = changed(sent, all[n % all.length] as Path, how);
          }
          unbroken((await send(sent)).status, JSON.stringify(sent));
        }),
        { numRuns: 150 },
      );
    },
  );
});
