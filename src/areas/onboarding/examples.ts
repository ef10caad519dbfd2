import { type Match, not, wordOf } from '../../declare/example.ts';

/** The id of a customer: of one about whom nothing is decided before others. */
export const undecided = (match: Match = {}) =>
  wordOf((the) => {
    const there = { isDeleted: false, ...match };
    const found = the.newest('customers', { ...there, kycStatus: not('APPROVED', 'REJECTED') });
    return (found ?? the.row('customers', there, 'createCustomer')).id;
  });
