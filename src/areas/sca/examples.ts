import type { Fits } from '../../declare/example.ts';

/**
 * Returns whether the customer of a row can still answer the challenge about it. Too many wrong answers rule that out.
 */
export const isAnswerable: Fits = ({ id, customerId }, the) =>
  the.isConcerned(customerId) && the.newest('sca-challenges', { subject: id, status: 'PENDING' }) !== undefined;
