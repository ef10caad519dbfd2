import { describe, expect, test } from 'vitest';
import { lookupIdOf } from '../../../src/areas/lookups/index.ts';
import { type MoneyKit, moneyKit } from '../../kit/money.ts';
import { refusal } from '../../kit/sandbox.ts';

const FIELDS = ['FULL_NAME', 'BIRTH_DATE', 'EMAIL', 'TAX_ID', 'COMPANY_LEGAL_NAME', 'FI_ADDRESS'];
const asked = (profile?: 'spec' | 'grid'): Promise<MoneyKit> =>
  moneyKit({
    ...(profile ? { profile } : {}),
    scenario: {
      platform: {
        currencies: [
          { code: 'USD' },
          { code: 'EUR', providerRequiredCounterpartyCustomerFields: FIELDS },
          { code: 'USDC', providerRequiredCounterpartyCustomerFields: ['FULL_NAME'] },
        ],
      },
    },
  });
const account = (accountId: string) => ({ sourceType: 'ACCOUNT', accountId });
const to = (accountId: string) => ({ destinationType: 'ACCOUNT', accountId });

/** An account in euros of somebody of whom so much is known. */
const known = (it: MoneyKit, beneficiary: object, currency = 'EUR') => {
  const { accountInfo } = it.bank(currency);
  return it.bank(currency, '999', { accountInfo: { ...accountInfo, beneficiary } as typeof accountInfo }).id;
};
const PAT = { beneficiaryType: 'INDIVIDUAL', fullName: 'Pat Doe' };
const pay = async (it: MoneyKit, destination: object, more: object = {}) => {
  const answer = await it.quote(account((await it.account('USD')).id), destination, more);
  return answer.status === 201 ? 201 : refusal(answer);
};
const lacks = (...fields: string[]) => ({ status: 400, code: 'MISSING_MANDATORY_USER_INFO', fields });

describe('a quote in a currency whose provider wants to know of the counterparty (reference 9.9)', () => {
  test.each(['spec', 'grid'] as const)(
    'a quote is refused with 400 MISSING_MANDATORY_USER_INFO, which names all that the beneficiary of an account lacks: profile %s',
    async (profile) => {
      const it = await asked(profile);
      const birthDate = '1990-01-02';
      expect(await pay(it, to(known(it, PAT)))).toEqual(
        lacks('accountInfo.beneficiary.birthDate', 'accountInfo.beneficiary.email'),
      );
      expect(await pay(it, to(known(it, { ...PAT, birthDate })))).toEqual(lacks('accountInfo.beneficiary.email'));
      expect(await pay(it, to(known(it, { ...PAT, birthDate, email: 'pat@example.com' })))).toBe(201);
      const firm = { beneficiaryType: 'BUSINESS', legalName: 'Pat Ltd', email: 'pat@example.com' };
      expect(await pay(it, to(known(it, firm)))).toEqual(lacks('accountInfo.beneficiary.taxId'));
      expect(await pay(it, to(known(it, { ...firm, taxId: 'T1' })))).toBe(201);
      expect(await pay(it, to(known(it, PAT, 'USD')))).toBe(201);
    },
  );

  test('a quote to a wallet without a named owner is refused with 400 MISSING_MANDATORY_USER_INFO', async () => {
    const it = await asked();
    expect(await pay(it, to(it.wallet().id))).toEqual(lacks('accountInfo.beneficiary.fullName'));
  });

  test('a quote needs the required data of another customer, by account and by UMA address, but not of the payer', async () => {
    const it = await asked();
    const sent = {
      customerType: 'INDIVIDUAL',
      fullName: 'Bo Lind',
      umaAddress: '$bo@pay.example',
      birthDate: '1990-01-02',
    };
    const bo = (await it.post('/customers', { ...sent, currencies: ['USD', 'EUR'] })).body;
    await it.settle();
    const uma = { destinationType: 'UMA_ADDRESS', umaAddress: '$bo@pay.example', currency: 'EUR' };
    const lookup = { lookupId: lookupIdOf(uma.umaAddress) };
    const home = to((await it.account('EUR', bo.id)).id);
    expect(await pay(it, home)).toEqual(lacks('email', 'identifier'));
    expect(await pay(it, uma, lookup)).toEqual(lacks('email', 'identifier'));
    await it.patch(`/customers/${bo.id}`, { email: 'bo@example.com', idType: 'SSN', identifier: '123-45-6789' });
    expect(await pay(it, home)).toBe(201);
    expect(await pay(it, uma, lookup)).toBe(201);
    expect(await pay(it, to((await it.account('EUR')).id))).toBe(201);
    expect(await pay(it, to((await it.account('EUR', 'platform')).id))).toBe(201);
  });

  test('a quote to a receiver that the sandbox simulates needs no data of the counterparty', async () => {
    const it = await asked();
    const uma = { destinationType: 'UMA_ADDRESS', umaAddress: '$success.eur@sandbox.uma.money' };
    expect(await pay(it, uma, { lookupId: lookupIdOf(uma.umaAddress) })).toBe(201);
  });
});
