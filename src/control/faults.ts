import { fail } from '../contract/errors.ts';
import type { Fault } from '../contract/faults.ts';
import { SensibleFault } from '../scenario/fault-lint.ts';
import { control } from './control.ts';

/** A fault with how often it was met and fired, and whether it can fire again. */
export const showFault = ({ id, rule, seen, fired }: Fault) => ({
  id,
  ...rule,
  seen,
  fired,
  spent: fired >= (rule.match.times ?? Number.POSITIVE_INFINITY),
});

export const faultControls = [
  control('GET', '/faults', 'What shall go wrong, and how often it did', ({ sandbox }) => ({
    data: sandbox.faults.list.map(showFault),
  })),
  control(
    'POST',
    '/faults',
    'Make something go wrong: an API call by operation, method or path, or a webhook by its type',
    ({ sandbox, body }) => showFault(sandbox.faults.add(body)),
    { body: SensibleFault },
  ),
  control('DELETE', '/faults', 'Nothing goes wrong on purpose any more', ({ sandbox }) => {
    sandbox.faults.clear();
    return undefined;
  }),
  control('DELETE', '/faults/:id', 'Take one fault back', ({ sandbox, params }) => {
    const id = params['id'] as string;
    if (!sandbox.faults.remove(id)) fail('REFERENCE_NOT_FOUND', `there is no fault ${id}`);
    return undefined;
  }),
];
