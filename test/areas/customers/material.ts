/** A platform whose provider asks for something where customers use USD, and for nothing elsewhere. */
export const asking = {
  platform: {
    currencies: [
      { code: 'USD', providerRequiredCustomerFields: ['FULL_NAME', 'BIRTH_DATE'] },
      { code: 'USDC' },
      { code: 'USDB' },
    ],
  },
} as const;
