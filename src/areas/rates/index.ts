/**
 * Exchange rates between currencies. The table is fixed (`contract/money.ts`); a scenario may override pairs (`rates`).
 * Rates never drift, so a test can rely on them.
 */
import { area } from '../../declare/area.ts';
import { routes } from './routes.ts';
import { OVERRIDES, SERVICE_FEE } from './rules.ts';

export { receivingBounds } from './corridors.ts';
export { fixRates, platformFee, rateBetween, serviceFee } from './rules.ts';

export const rates = area('rates', { limits: [SERVICE_FEE], tables: [OVERRIDES], operations: routes });
