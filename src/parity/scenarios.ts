/** A platform that requires proof of every wallet, and has a customer who accepts payments by UMA. */
const PROVEN = {
  title: 'wallets whose owners have to be proven',
  platform: {
    regulated: false,
    counterpartyRules: true,
    umaDomain: 'pay.example',
    currencies: ['USD', 'EUR', 'USDC', 'USDB'].map((code) => ({ code })),
  },
  credentials: [{ id: 'test', secret: 'secret', permissions: ['VIEW', 'TRANSACT', 'MANAGE'] }],
};

/** The initial scenarios of walks between two emulators, in turn, so that every area has something to do. */
export const STARTS: readonly (string | object)[] = [
  'default',
  'unregulated',
  'sca',
  'cards',
  'stablecoins',
  'agents',
  'regulated',
  'contact-verification',
  PROVEN,
];
