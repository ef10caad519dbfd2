/**
 * Mutants that change nothing that a test could see. `sound` and `faulty` narrow a line down to the mutants that are meant; `why`
 * says why nobody can tell.
 */
export const HARMLESS = [
  {
    file: 'src/ledger/price.ts',
    line: 'return shift >= 0 ?',
    sound: '>=',
    faulty: '>',
    why: 'without a shift both branches give the same fraction',
  },
];
