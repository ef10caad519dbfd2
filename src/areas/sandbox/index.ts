/**
 * Operations that only a sandbox has (spec 5.1).
 * Chosen where the specification is silent: customers' accounts can be funded as well as the platform's; one call adds
 * 1 to 100,000,000,000 minor units. In profile `grid` it is a payment too, `INCOMING_PAYMENT.COMPLETED`. A quote is
 * funded once, in time: otherwise 409 `CONFLICT`; another amount than requested makes its payment fail with
 * `FUNDING_AMOUNT_MISMATCH`, refunded. An incoming UMA payment is returned as `PENDING`, and its event follows; the
 * platform has 5 virtual seconds in all. Its sender asks for the receiver's `FULL_NAME` if we do not have it.
 */
import { area } from '../../declare/area.ts';
import { routes } from './routes.ts';

export const sandbox = area('sandbox', { operations: routes });
