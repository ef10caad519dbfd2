/** A platform that asks of everybody to prove wallets, and has a customer who takes payments by UMA. */
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

/** The starting points of walks between two emulators, in turn, so that every area has something to do. */
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
