import type { After } from '../../declare/after.ts';
import { text } from '../../declare/example.ts';
import { isPutOff } from '../../engine/decide-later.ts';

/** The calls for a wallet whose owner proves it, unless accounts become active later. */
export const afterStatus: After = (the, world) => {
  if (isPutOff(world, 'external-account.activate')) return ['createCustomerExternalAccount'];
  if (!the.newest('external-account-rules'))
    return 'accounts elsewhere are ACTIVE at once here: set platform.counterpartyRules: true or policies: { external-account.activate: after PT5S } in the scenario';
  const address = text(`0x${'5'.repeat(33)}{nnnn}789`, 'external-accounts');
  return [
    {
      call: 'createCustomerExternalAccount',
      body: { currency: 'USDC', ownershipType: 'FIRST_PARTY', accountInfo: { accountType: 'BASE_WALLET', address } },
      as: 'wallet',
      main: true,
    },
    { call: 'createExternalAccountOwnershipChallenge', params: { externalAccountId: '$wallet.id' } },
    { call: 'verifyExternalAccountOwnership', params: { externalAccountId: '$wallet.id' } },
  ];
};
