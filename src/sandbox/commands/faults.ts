import { fail } from '../../contract/errors.ts';
import type { Fault, Faults } from '../../contract/faults.ts';
import { SensibleFault } from '../../scenario/fault-lint.ts';
import { byId, command, noted } from './command.ts';

/** The most faults of a sandbox: each call looks through them. */
const MOST_FAULTS = 1000;

/**
 * Returns a fault with the number of times that it matched and fired, and whether it can fire again. It also has the
 * outcome of the calls that it delayed.
 */
const show = (faults: Faults, { id, rule, seen, fired }: Fault) => ({
  id,
  ...rule,
  seen,
  fired,
  spent: fired >= (rule.match.times ?? Number.POSITIVE_INFINITY),
  ...faults.heldBy(id),
});

export const faults = {
  list: command('What shall go wrong, and how often it did', ({ sandbox }) => ({
    data: sandbox.faults.list.map((fault) => show(sandbox.faults, fault)),
  })),
  add: noted(
    command(
      'Make something go wrong: an API call by operation, method or path, or a webhook by its type',
      () => ({ fault: SensibleFault().describe('What to meet, and what goes wrong then') }),
      ({ sandbox }, { fault }) => {
        if (sandbox.faults.list.length >= MOST_FAULTS)
          fail('CONFLICT', `this sandbox has ${MOST_FAULTS} faults already; remove some first`);
        return show(sandbox.faults, sandbox.faults.add(fault));
      },
    ),
    () => ({ what: 'other', words: 'a fault was added' }),
  ),
  clear: command('Nothing goes wrong on purpose any more', ({ sandbox }) => sandbox.faults.clear()),
  remove: command('Take one fault back', byId('fault'), ({ sandbox }, { id }) => {
    if (!sandbox.faults.remove(id)) fail('REFERENCE_NOT_FOUND', `there is no fault ${id}`);
  }),
};
