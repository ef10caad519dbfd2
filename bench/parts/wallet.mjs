import { child, indexOf } from '../kit.mjs';
import { output } from '../processes.mjs';
import { beside, median } from '../statistics.mjs';

/** Rounds of each wallet flow of a build, with their primitives. */
export const walletOf = async (build, rounds) =>
  JSON.parse(await output(process.execPath, [child('wallet'), indexOf(build), String(rounds)]));

export async function wallet(report) {
  for (const [name, rounds] of Object.entries(await walletOf(undefined, 15))) {
    const requests = median(rounds.map(({ requestsMs }) => requestsMs));
    const found = beside(rounds.map(({ primitivesMs, ms }) => [primitivesMs, ms]));
    report(name, { ...found, note: `its requests without cryptography ${requests.toFixed(2)} ms` });
  }
}
