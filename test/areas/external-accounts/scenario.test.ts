import { describe, expect, test } from 'vitest';
import { kit } from '../../kit/sandbox.ts';
import { PERSON, usd } from './material.ts';

const customers = [{ label: 'alice', customerType: 'INDIVIDUAL', fullName: 'Alice Doe' }];

describe('externalAccounts of a scenario', () => {
  test('external accounts of a scenario are there from the start, of a customer by label or of the platform, and emit no event', async () => {
    const { get, events } = await kit({
      scenario: {
        customers,
        externalAccounts: [
          { label: 'alice-bank', customer: 'alice', ...usd('555'), defaultUmaDepositAccount: true },
          { ...usd('555') },
        ],
      },
    });
    const { data } = (await get('/customers/external-accounts')).body;
    const { data: people } = (await get('/customers')).body;
    expect(data).toMatchObject([
      {
        customerId: people[0].id,
        status: 'ACTIVE',
        defaultUmaDepositAccount: true,
        accountInfo: { accountNumber: '555' },
      },
    ]);
    expect((await get('/platform/external-accounts')).body.totalCount).toBe(1);
    expect(events()).toEqual([]);
  });

  test('external accounts of a scenario wait for a proof of ownership where the platform is under counterparty rules', async () => {
    const { get } = await kit({
      scenario: {
        platform: { counterpartyRules: true },
        externalAccounts: [
          {
            currency: 'USDC',
            ownershipType: 'FIRST_PARTY',
            accountInfo: { accountType: 'BASE_WALLET', address: '0x52908400098527886E0F7030069857D2E4169EE7' },
          },
        ],
      },
    });
    expect((await get('/platform/external-accounts')).body.data[0].status).toBe('PENDING_OWNERSHIP_VERIFICATION');
  });

  const one = { currency: 'USD', accountInfo: usd().accountInfo };
  test.each([
    ['an unknown label', [{ ...one, customer: 'bob' }], /no customer has the label bob/],
    ['a label that is taken', [{ ...one, label: 'alice' }], /alice is the label of something else/],
    ['an unknown type', [{ ...one, accountInfo: { accountType: 'US_ACCOUNT' } }], /externalAccounts\.0\.accountInfo/],
    ['an account that is given twice', [one, one], /externalAccounts\.1: this account is registered already/],
    [
      'an identifier that ends in 105',
      [{ ...usd('105') }],
      /externalAccounts\.0\.accountInfo\.accountNumber: no such account/,
    ],
    [
      'a bad member',
      [{ ...one, accountInfo: { ...one.accountInfo, routingNumber: '1', beneficiary: PERSON } }],
      /externalAccounts\.0\.accountInfo\.routingNumber/,
    ],
  ])('external accounts of a scenario are refused with %s', async (_, externalAccounts, message) => {
    await expect(kit({ scenario: { customers, externalAccounts } })).rejects.toThrow(message);
  });

  test('the request log shows which magic value of an external account took effect', async () => {
    const { post, control } = await kit();
    await post('/platform/external-accounts', usd('777103'));
    expect((await control('GET', '/requests')).text).toContain(
      'identifier ends in 103: beneficiary check PARTIAL_MATCH',
    );
  });
});
