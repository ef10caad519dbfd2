import { type Fits, type Match, wordOf } from '../../declare/example.ts';

/** The id of a customer: of one about whom nothing is decided before others. */
export const undecided = (match: Match = {}) =>
  wordOf((the) => {
    const there = { isDeleted: false, ...match };
    const isOpen: Fits = ({ kycStatus }) => kycStatus !== 'APPROVED' && kycStatus !== 'REJECTED';
    const found = the.newest('customers', there, isOpen);
    return (found ?? the.row('customers', there, 'createCustomer')).id;
  });
