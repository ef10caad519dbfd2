/**
 * Demos that live by themselves: traffic from the seed on the sandbox's clock, and a new start after a while.
 *
 * Chosen where the specification is silent:
 * - Live payments are transfers in and out, by the rules of the API. They have events, steps and postings as any other.
 * - They move money of the first 20 approved customers with an account in USD, EUR or MXN; of the platform's own without one.
 * - A payment that is over goes by age, and its postings become part of a sum. Nothing that people made ever goes.
 */
import { area } from '../../declare/area.ts';
import { jobs } from './jobs.ts';
import { LIVE_PAYMENTS, PARTIES } from './row.ts';

export { beginTraffic, startOverAfter } from './jobs.ts';

export const live = area('live', { tables: [PARTIES, LIVE_PAYMENTS], jobs });
