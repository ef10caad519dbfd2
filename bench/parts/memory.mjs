import { child, indexOf } from '../kit.mjs';
import { output } from '../processes.mjs';

/** Bytes per customer or transaction of a build, `{ value, reference }`: the reference are plain objects of the same JSON. */
export const memoryOf = async (build, kind, count) =>
  JSON.parse(
    await output(process.execPath, [
      '--expose-gc',
      '--max-old-space-size=8192',
      child('memory'),
      indexOf(build),
      kind,
      String(count),
    ]),
  );

/** Bytes of a sandbox in use: three customers, their webhooks, its request log. */
const sandboxOf = async (build) =>
  JSON.parse(await output(process.execPath, ['--expose-gc', child('sandbox-memory'), indexOf(build), '1000']));

export async function memory(report) {
  const row = ({ value, reference }) => ({ value, reference, ratio: value / reference });
  report('customer', row(await memoryOf(undefined, 'customers', 1_000_000)));
  report('sandbox', row(await sandboxOf()));
  report('transaction', row(await memoryOf(undefined, 'transactions', 300_000)));
}
