// Counts that no other program on the machine changes: bytes allocated by a request, bytes of a row, what a start loads.
import { countStart } from '../../tools/start-count.mjs';
import { child, indexOf } from '../kit.mjs';
import { output } from '../processes.mjs';
import { memoryOf } from './memory.mjs';

/** Code is compiled at the same call each time, and the heap is so large that nothing is swept. */
const ALLOCATION = [
  '--expose-gc',
  '--single-threaded',
  '--min-semi-space-size=1024',
  '--max-semi-space-size=1024',
  '--max-old-space-size=4096',
];
const CUSTOMERS = 20_000;
const TRANSACTIONS = 10_000;

/** Bytes that one request of each kind allocates: by id, list of 20, create, quote and execute. */
export const allocationOf = async (build) =>
  JSON.parse(await output(process.execPath, [...ALLOCATION, child('allocation'), indexOf(build)]));

/** All counts of a build, by name. */
export async function countsOf(build) {
  const allocated = await allocationOf(build);
  const customer = await memoryOf(build, 'customers', CUSTOMERS);
  const transaction = await memoryOf(build, 'transactions', TRANSACTIONS);
  const start = countStart(build);
  return {
    'GET /customers/{id}, bytes allocated': allocated.get,
    'GET /customers?limit=20, bytes allocated': allocated.list,
    'POST /customers, bytes allocated': allocated.post,
    'quote and execute, bytes allocated': allocated.pay,
    'a customer with its accounts, bytes kept': customer.value,
    'a transaction with its posting, bytes kept': transaction.value,
    'start, files loaded': start.files,
    'start, bytes of files loaded': start.bytes,
    'start, functions called': start.functions,
    'start, modules of Node loaded': start.builtins,
  };
}
