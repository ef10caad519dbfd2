import { inspectTransaction } from '../areas/transactions/index.ts';
import { control } from './control.ts';

export const transactionControls = [
  control(
    'GET',
    '/transactions/:id',
    'A payment with the outcome planned for it, the steps done and to come, and every posting it caused',
    ({ sandbox, params }) => inspectTransaction(sandbox.world, params['id'] as string),
  ),
];
