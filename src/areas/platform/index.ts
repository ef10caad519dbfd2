/**
 * The platform: its configuration, currencies and webhook endpoint.
 * Chosen where the specification is silent: `supportedCurrencies` in a request replaces the list; what the provider
 * requires of customers cannot be changed by the platform; amounts default to 1 .. 100,000,000,000 minor units; a fee
 * is merged by (feeType, sourceCurrency) and removed if it is zero. Members that only the operator may set
 * (`isRegulatedFinancialInstitution` and the like) are ignored in a request. A new `umaDomain` applies to addresses
 * that are assigned from then on: customers keep the one that they show, and are paid there.
 */
import { area } from '../../declare/area.ts';
import { routes } from './routes.ts';
import { PLATFORM } from './rules.ts';

export { type Bounds, boundsOf, limitsOf, outgoingBounds, TRANSACTION_SIZE } from './limits.ts';
export { CONFIG_CHANGED } from './routes.ts';
export {
  addedCurrencies,
  type CurrencySeed,
  channelsFor,
  configuredCurrency,
  currencyOf,
  openPlatform,
  type PlatformSeed,
  platformOf,
  setWebhookEndpoint,
  wantedOfSenders,
  webhookTarget,
} from './rules.ts';
export {
  ContactRules,
  CounterpartyField,
  CUSTOMER_INFO_FIELDS,
  type CustomerInfoField,
  FeeConfig,
  UmaDomain,
} from './schema.ts';

export const platform = area('platform', { tables: [PLATFORM], operations: routes });
export type { CurrencyConfig, Platform } from './row.ts';
