import { currency } from '../../declare/example.ts';
import { operationsOf, reply } from '../../declare/operation.ts';
import { exchangeRates } from './corridors.ts';
import { ExchangeRateList, ExchangeRateQuery } from './schema.ts';

const operation = operationsOf('Exchange Rates');

export const routes = [
  operation({
    id: 'getExchangeRates',
    endpoint: 'GET /exchange-rates',
    summary: 'See what an amount becomes in other currencies, by payment rail',
    description: 'All-in rates, fees of the service and of the platform included. Refreshed every five minutes.',
    query: ExchangeRateQuery,
    example: {
      query: { sourceCurrency: currency },
      vary: [
        { query: { destinationCurrency: 'EUR', sendingAmount: '10000' } },
        { query: { destinationCurrency: 'MXN' } },
      ],
    },
    replies: { 200: ExchangeRateList },
    refuses: ['INVALID_CURRENCY', 'AMOUNT_OUT_OF_RANGE'],
    read: ({ world, query }) => {
      const { sourceCurrency: source, destinationCurrency: destinations, sendingAmount } = query;
      return reply(200, { data: exchangeRates(world, { source, destinations, sendingAmount }) });
    },
  }),
];
