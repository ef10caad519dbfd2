import type { Fits } from '../../declare/example.ts';

/**
 * Returns whether the customer of a row can still answer the challenge about it; one that was answered wrongly too often is
 * over.
 */
export const isAnswerable: Fits = ({ id, customerId }, the) =>
  the.isConcerned(customerId) && the.newest('sca-challenges', { subject: id, status: 'PENDING' }) !== undefined;
