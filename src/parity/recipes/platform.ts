import type { Builder, Recipes, Thing } from '../builder.ts';
import { type Json, ref } from '../plan.ts';
import { customer, list } from './people.ts';

const newToken = (b: Builder): Thing => {
  const permissions = b.of([['VIEW'], ['VIEW', 'TRANSACT'], ['VIEW', 'TRANSACT', 'MANAGE']]);
  return b.keep('token', b.call('createToken', { body: { name: `token ${b.number()}`, permissions } }));
};
const token = (b: Builder): Thing => b.some('token', () => newToken(b));

const newInvitation = (b: Builder): Thing => {
  const body: Json = {
    inviterUma: ref(customer(b).call, 'umaAddress'),
    ...b.of<object>([{}, { firstName: 'Ada' }, { amountToSend: 2500 }, { expiresAt: '2099-01-01T00:00:00Z' }]),
  };
  return b.keep('invitation', b.call('createInvitation', { body }), {}, 'code');
};
const invitation = (b: Builder): Thing => b.some('invitation', () => newInvitation(b));

const CONFIGS: readonly Json[] = [
  { umaDomain: 'bank.example' },
  { webhookEndpoint: null },
  { supportedCurrencies: [{ currencyCode: 'USD' }] },
  { embeddedWalletConfig: { appName: 'Pier' } },
  { feeConfigs: [] },
  {},
];

export const PLATFORM: Recipes = {
  getPlatformConfig: (b) => void b.call('getPlatformConfig'),
  updatePlatformConfig: (b) => void b.call('updatePlatformConfig', { body: b.of(CONFIGS) }),
  createToken: (b) => void newToken(b),
  listTokens: (b) => {
    for (let n = b.below(3); n > 0; n -= 1) newToken(b);
    list(b, 'listTokens');
  },
  getTokenById: (b) => void b.call('getTokenById', { params: { tokenId: token(b).id } }),
  deleteTokenById: (b) => void b.call('deleteTokenById', { params: { tokenId: token(b).id } }),
  createInvitation: (b) => void newInvitation(b),
  getInvitation: (b) => void b.call('getInvitation', { params: { invitationCode: invitation(b).id } }),
  claimInvitation: (b) => {
    const body = { inviteeUma: '$success.usd@sandbox.uma.money' };
    b.call('claimInvitation', { params: { invitationCode: invitation(b).id }, body });
  },
  cancelInvitation: (b) => void b.call('cancelInvitation', { params: { invitationCode: invitation(b).id } }),
  getDiscoveries: (b) =>
    void b.call('getDiscoveries', {
      query: b.of<Record<string, string>>([
        {},
        { country: 'DE' },
        { currency: 'EUR' },
        { country: 'US', currency: 'USD' },
      ]),
    }),
  getAvailableUmaProviders: (b) =>
    list(b, 'getAvailableUmaProviders', { query: b.of<Record<string, string>>([{}, { countryCode: 'US' }]) }),
  listVasps: (b) => list(b, 'listVasps'),
  sendTestWebhook: (b) => void b.call('sendTestWebhook'),
};
