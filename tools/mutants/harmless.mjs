/**
 * Mutants that change nothing but what a call costs, so that no test can tell: caches, and lists that are looked through anyway.
 * `sound` and `faulty` narrow a line down to the mutants that are meant; `why` says why nobody can tell.
 */
export const HARMLESS = [
  { file: 'src/ledger/price.ts', line: 'const before = known.get(number)', why: 'a cache' },
  {
    file: 'src/ledger/price.ts',
    line: 'if (before !== undefined) return before;',
    sound: 'before !== undefined',
    faulty: 'false',
    why: 'a cache',
  },
  { file: 'src/ledger/price.ts', line: '.size >= MOST_KNOWN', why: 'how much a cache keeps' },
  { file: 'src/ledger/price.ts', line: 'known.set(number, made)', why: 'a cache' },
  { file: 'src/ledger/price.ts', line: 'if (known) return known;', faulty: 'false', why: 'a cache' },
  { file: 'src/ledger/price.ts', line: 'FRACTIONS.set(rate, made)', why: 'a cache' },
  { file: 'src/ledger/price.ts', line: 'const MOST_KNOWN', why: 'how much a cache keeps' },
  { file: 'src/ledger/price.ts', line: 'let late =', why: 'no rate is NaN, so it is replaced before it is used' },
  { file: 'src/ledger/price.ts', line: 'late.rate !== rate', faulty: 'true', why: 'a cache' },
];
