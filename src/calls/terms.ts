import { stemmer } from 'stemmer';

/** Words of a question that say nothing about its subject. */
const EMPTY = new Set(
  (
    'a an the of to for and or in on is are was be it its this that how do does did i we my our me you your with by at from ' +
    'can could should would will shall want wants need needs what which who when where why there one some any get got has ' +
    'have into out up please so if then than not no'
  ).split(' '),
);
/** Short words of the field that a stemmer must leave alone, and multi-word terms that are written as one. */
const SPELLED: ReadonlyMap<string, string> = new Map(
  Object.entries({
    signin: 'login',
    signup: 'register',
    logon: 'login',
    payments: 'payment',
    paying: 'pay',
    paid: 'pay',
    sent: 'send',
    bought: 'purchase',
    buy: 'purchase',
    cashout: 'withdraw',
  }),
);

/** Returns the stem of a word, as the field spells it. */
export const stemOf = (word: string): string => stemmer(SPELLED.get(word) ?? word);

/** Returns the search terms of a text, as stems; words that say nothing are left out. */
export const termsOf = (text: string): string[] =>
  text
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '' && !EMPTY.has(word))
    .map(stemOf);
