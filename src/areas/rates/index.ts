/**
 * The rate of one currency in another. The table is fixed (kernel/money.ts), a scenario may override pairs (`rates`), and
 * nothing drifts: a test sees
 */
import { area } from '../../declare/area.ts';
import { routes } from './routes.ts';
import { OVERRIDES } from './rules.ts';

export { receivingBounds } from './corridors.ts';
export { fixRates, platformFee, rateBetween, serviceFee } from './rules.ts';

export const rates = area('rates', { tables: [OVERRIDES], operations: routes });
