/**
 * What one currency is worth in another. The table is fixed (kernel/money.ts), a scenario may override pairs (`rates`),
 * and nothing drifts: a test sees the same rate today and tomorrow.
 *
 * Chosen where the specification is silent: `updatedAt` is the start of the present five-minute window; the service
 * takes 50 basis points between two currencies and nothing within one, the platform what `feeConfigs` says; an
 * exchange-rates row has seven significant digits, `rateBetween` ten; the bounds are worth 1 and 100,000 US dollars;
 * crypto assets are no destinations here, because the contract's rails do not reach a chain.
 */
import { area } from '../../declare/area.ts';
import { routes } from './routes.ts';
import { OVERRIDES } from './rules.ts';

export { boundsOf } from './corridors.ts';
export { fixRates, platformFee, rateBetween, serviceFee } from './rules.ts';

export const rates = area('rates', { tables: [OVERRIDES], operations: routes });
