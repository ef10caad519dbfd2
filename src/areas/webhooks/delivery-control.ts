import type { DeliveryFault } from '../../contract/faults.ts';
import { soonestFirst } from '../../engine/scheduler.ts';
import { withPolicies, withPolicy } from '../../engine/settings.ts';
import type { World } from '../../engine/world.ts';

/** The virtual milliseconds by which a reordered delivery is delayed, unless its fault says otherwise. */
export const REORDER_MS = 1000;

/** The kind of job whose policy `hold` pauses all deliveries. */
const KIND = 'webhook.deliver';

/** Returns whether deliveries wait until they are stepped or resumed. */
export const isPaused = (world: World): boolean => world.policy(KIND) === 'hold';

/** Returns a body that differs from what was signed, but is still JSON. */
export const altered = (body: string): string => body.replace(/\}$/, ',"altered":true}');

/** Returns what a fault does to a delivery, in a few words. */
export const describeFault = ({ fault, ...effect }: DeliveryFault): string =>
  `${fault}: ${Object.entries(effect)
    .filter(([, value]) => value !== undefined && value !== false)
    .map(([name, value]) => (value === true ? WORDS[name] : `${WORDS[name]} ${value}`))
    .join(', ')}`;

const WORDS: Readonly<Record<string, string>> = {
  status: 'pretended the receiver answered',
  drop: 'dropped it',
  delayMs: 'held it back, in ms:',
  duplicate: 'sent it twice',
  reorder: 'let later ones go first',
  wrongSignature: 'signed with a wrong key',
  alteredBody: 'changed the body after signing',
};

/** Holds every delivery from now on. */
export function pauseDeliveries(world: World): void {
  if (isPaused(world)) return;
  const { policies, aside = {} } = world.settings;
  const kept = withPolicy(aside, KIND, policies[KIND] ?? aside[KIND]);
  world.settings = withPolicies(world.settings, withPolicy(policies, KIND, 'hold'), kept);
}

/** Resumes deliveries with the delay from before the pause; sends those that were held now, in order. */
export function resumeDeliveries(world: World): void {
  if (isPaused(world)) {
    const { policies, aside = {} } = world.settings;
    const before = withPolicy(policies, KIND, aside[KIND]);
    world.settings = withPolicies(world.settings, before, withPolicy(aside, KIND, undefined));
  }
  for (const job of heldDeliveries(world)) world.scheduler.release(job.id);
}

/** Returns the held deliveries, oldest first; one that is being stepped does not count. */
export const heldDeliveries = (world: World) =>
  [...world.scheduler.jobs.rows()]
    .filter((job) => job.kind === KIND && job.dueAt === null && !job.broken && !world.scheduler.isRunning(job.id))
    .sort(soonestFirst);

/** Sends the oldest held delivery now. Returns the id of its webhook; undefined if none is held. */
export async function stepDelivery(world: World): Promise<string | undefined> {
  const [next] = heldDeliveries(world);
  if (!next) return undefined;
  await world.scheduler.run(next.id);
  return next.payload['webhookId'] as string;
}
