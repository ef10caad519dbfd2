import { type AccountType, type Field, optional, required } from './fields.ts';

type Chain = Pick<AccountType, 'currencies' | 'caseCounts'> & {
  address: Field;
  signature: NonNullable<AccountType['signature']>;
};

const wallet = (network: string, { currencies, address, signature, caseCounts }: Chain): AccountType => ({
  accountType: `${network}_WALLET`,
  currencies,
  fields: { address },
  identifier: ['address'],
  identityFields: [],
  routes: [],
  beneficiary: {},
  network,
  signature,
  ...(caseCounts ? { caseCounts } : {}),
  custody: true,
});

/** Loose on purpose: suffixes such as `003` are not valid endings of base58 or bech32, and no checksum is verified. */
const EVM = required(/^0x[0-9a-fA-F]{40}$/, '0xAbCDEF1234567890aBCdEf1234567890ABcDef12', 42, 42);
const SOLANA = required(/^[0-9a-zA-Z]{32,44}$/, '4Nd1m6Qkq7RfKuE5vQ9qP9Tn6H94Ueqb4xXHzsAbd8Wg', 32, 44);
const TRON = required(/^T[0-9a-zA-Z]{19,50}$/, 'TNPeeaaFB7K9cmo4uQpcU32zGK8G1NYqeL', 20, 51);
const SPARK = required(
  /^(?:spark|sparkrt|sparkt)1[0-9a-z]{6,200}$/i,
  'spark1pgssyuuuhnrrdjswal5c3s3rafw9w3y5dd4cjy3duxlf7hjzkp0rqx6dj6mrhu',
  13,
  208,
);

/** Crypto wallets, one record per type. */
export const WALLET_TYPES: readonly AccountType[] = [
  wallet('BASE', { currencies: ['USDC'], address: EVM, signature: 'evm' }),
  wallet('ETHEREUM', { currencies: ['USDC', 'USDT'], address: EVM, signature: 'evm' }),
  wallet('POLYGON', { currencies: ['USDC'], address: EVM, signature: 'evm' }),
  wallet('PLASMA', { currencies: ['USDT'], address: EVM, signature: 'evm' }),
  wallet('SOLANA', { currencies: ['USDC', 'USDT'], address: SOLANA, signature: 'solana', caseCounts: true }),
  wallet('TRON', { currencies: ['USDT'], address: TRON, signature: 'tron', caseCounts: true }),
  wallet('SPARK', { currencies: ['BTC', 'USDB'], address: SPARK, signature: 'bitcoin' }),
  {
    accountType: 'LIGHTNING',
    currencies: ['BTC'],
    fields: {
      invoice: optional(required(/^ln[0-9a-z]{10,2000}$/i, 'lnbcrt1exampleinvoice', 12, 2002)),
      bolt12: optional(required(/^ln[0-9a-z]{10,2000}$/i, 'lno1exampleoffer', 12, 2002)),
      lightningAddress: optional(required(/^[^@\s]{1,64}@[^@\s]{1,255}$/u, 'ada@wallet.example', 3, 320)),
    },
    identifier: ['invoice', 'bolt12', 'lightningAddress'],
    identityFields: [],
    routes: [
      { rails: [], needs: ['invoice'] },
      { rails: [], needs: ['bolt12'] },
      { rails: [], needs: ['lightningAddress'] },
    ],
    oneRoute: true,
    beneficiary: false,
    network: 'LIGHTNING',
  },
];
