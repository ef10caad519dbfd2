import type { World } from '../../engine/world.ts';
import { type FactorRow, SCA_FACTORS } from './row.ts';

/** Returns the factor of a type that a customer has enrolled, if there is one. */
export const activeFactor = (world: World, customerId: string, type: FactorRow['type']): FactorRow | undefined =>
  world
    .rows(SCA_FACTORS)
    .all('customerId', customerId)
    .find((one) => one.type === type && one.status === 'ACTIVE');
