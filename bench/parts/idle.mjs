import { BASE, done, emulator, reference } from '../kit.mjs';
import { beside, inTurns } from '../statistics.mjs';

/** Resident MiB of a build that has answered one call and rests. */
export async function idleOf(build) {
  const server = await emulator([], { build });
  await done(`${server.url}${BASE}/config`);
  return restOf(server);
}

async function restOf(server) {
  await new Promise((resolve) => setTimeout(resolve, 500));
  const mib = server.rss();
  await server.stop();
  return mib;
}

async function bareIdle() {
  const server = await reference('http');
  await done(server.url);
  return restOf(server);
}

export async function idle(report) {
  report('idle', beside(await inTurns(7, bareIdle, () => idleOf())));
}
