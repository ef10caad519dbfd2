import { child, indexOf } from '../kit.mjs';
import { output } from '../processes.mjs';

/** Bytes per customer and per transaction of a build, with those of plain objects. */
export const memoryOf = async (build, customers, transactions) =>
  JSON.parse(
    await output(process.execPath, [
      '--expose-gc',
      '--max-old-space-size=8192',
      child('memory'),
      indexOf(build),
      String(customers),
      String(transactions),
    ]),
  );

export async function memory(report) {
  const found = await memoryOf(undefined, 1_000_000, 300_000);
  for (const [name, { value, reference }] of Object.entries(found))
    report(name, { value, reference, ratio: value / reference });
}
