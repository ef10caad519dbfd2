import { type Match, wordOf } from '../../declare/example.ts';

const DECIDED = ['APPROVED', 'REJECTED'];

/** The id of a customer, preferably of one who is not decided yet. */
export const undecided = (match: Match = {}) =>
  wordOf((the) => {
    const there = { isDeleted: false, ...match };
    const found = the.newest('customers', there, ({ kycStatus }) => !DECIDED.includes(String(kycStatus)));
    return (found ?? the.row('customers', there, 'createCustomer')).id;
  });
