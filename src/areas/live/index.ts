/**
 * Demos that run by themselves: traffic drawn from the seed on the sandbox's clock, and a restart after a while.
 * Chosen where the specification is silent:
 * - Live payments are transfers in and out, by the rules of the API. They have events, steps and postings like any
 *   other.
 * - They move money of the first 20 approved customers with an account in USD, EUR or MXN, who lack nothing that the
 *   currency requires; without such customers, of the platform itself.
 * - Finished payments are deleted after a time, and their postings are merged. Nothing that people made is ever
 *   deleted.
 */
import { area } from '../../declare/area.ts';
import { jobs } from './jobs.ts';
import { LIVE_PAYMENTS, PARTIES } from './row.ts';

export { beginTraffic, startOverAfter } from './jobs.ts';

export const live = area('live', { tables: [PARTIES, LIVE_PAYMENTS], jobs });
