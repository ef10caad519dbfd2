import { expect, test } from 'vitest';
import { kit } from '../../kit/sandbox.ts';
import { CODE, euKit, ORIGIN } from './eu.ts';

const nora = { label: 'nora', customerType: 'INDIVIDUAL', fullName: 'Nora Lind', region: 'SE' };
const bank = {
  currency: 'EUR',
  accountInfo: {
    accountType: 'EUR_ACCOUNT',
    iban: 'DE89370400440532013000',
    beneficiary: { beneficiaryType: 'INDIVIDUAL', fullName: 'Jonas Weber', countryOfResidence: 'DE' },
  },
};
const scenario = (more: object) => ({
  platform: { sca: {}, currencies: [{ code: 'EUR' }] },
  customers: [nora],
  ...more,
});

test.each<[string, object, RegExp]>([
  [
    'a factor of an unknown customer',
    { scaFactors: [{ customer: 'ben', type: 'TOTP' }] },
    /scaFactors\.0\.customer.*ben/,
  ],
  [
    'a second factor of one type',
    { scaFactors: [1, 2].map(() => ({ customer: 'nora', type: 'PASSKEY' })) },
    /scaFactors\.1\.type.*has one already/,
  ],
  [
    'a passkey with a secret',
    { scaFactors: [{ customer: 'nora', type: 'PASSKEY', secret: '00'.repeat(20) }] },
    /scaFactors\.0\.secret/,
  ],
  [
    'an app with the id of a passkey',
    { scaFactors: [{ customer: 'nora', type: 'TOTP', credentialId: 'x' }] },
    /scaFactors\.0\.credentialId/,
  ],
  [
    'an app whose secret is too short',
    { scaFactors: [{ customer: 'nora', type: 'TOTP', secret: '00' }] },
    /16 to 64 bytes/,
  ],
])('a scenario with %s is refused with the place of the error', async (_, more, message) => {
  await expect(kit({ scenario: scenario(more) })).rejects.toThrow(message);
});

test("a scenario that trusts the platform's own account is refused with the place of the error", async () => {
  const externalAccounts = [{ ...bank, trusted: true }];
  await expect(kit({ scenario: scenario({ externalAccounts }) })).rejects.toThrow(/externalAccounts\.0\.trusted/);
});

test('a scenario sets the id of a passkey, and an authenticator app without a secret gets one of its own', async () => {
  const factors = [
    { customer: 'nora', type: 'PASSKEY', credentialId: 'my-key', id: 'ScaFactor:0196b0de-0000-7000-8000-00000000e0f1' },
    { customer: 'nora', type: 'TOTP' },
  ];
  const it = await euKit({ scaFactors: factors });
  const { body } = await it.sca('POST', '/login/start', { factor: 'PASSKEY' });
  expect(body.passkeyOptions.allowCredentials).toEqual([{ type: 'public-key', id: 'my-key' }]);
  const listed = (await it.sca('GET', '/factors')).body.factors;
  expect(listed[2].credentialId).toBe(factors[0]?.id);
  const sent = { factor: 'TOTP', code: CODE, endUserIpAddress: '203.0.113.42' };
  expect((await it.sca('POST', '/login/complete', sent)).status).toBe(200);
});

test("origins and relying party of passkeys follow from the platform's domain, unless a scenario names them", async () => {
  const options = async (sca: object) => {
    const it = await euKit({ platform: { sca } });
    const { allowedOrigins, relyingPartyId } = (await it.sca('POST', '/factors', { type: 'PASSKEY' })).body;
    return [allowedOrigins, relyingPartyId];
  };
  expect(await options({})).toEqual([['https://pay.example'], 'pay.example']);
  expect(await options({ origins: [ORIGIN, 'http://localhost:3000'] })).toEqual([
    [ORIGIN, 'http://localhost:3000'],
    'app.example.org',
  ]);
  expect(await options({ origins: [ORIGIN], relyingPartyId: 'example.org' })).toEqual([[ORIGIN], 'example.org']);
});
