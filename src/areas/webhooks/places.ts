import type { DeliveryFault } from '../../contract/faults.ts';
import type { Table } from '../../engine/table.ts';
import type { World } from '../../engine/world.ts';
import type { Delivery } from './row.ts';

/** Effects of faults on first attempts, decided up to an event; some of these attempts are not under way yet. */
interface Places {
  upTo: string;
  readonly decided: Map<string, DeliveryFault | undefined>;
}

const places = new WeakMap<World, Places>();

function placesOf(world: World): Places {
  const known = places.get(world) ?? { upTo: '', decided: new Map() };
  places.set(world, known);
  return known;
}

/**
 * Returns what faults do to an attempt that begins now. They count first attempts in the order of their events: events
 * of different resources begin whenever receivers have answered, and a count must be the same in every run.
 */
export function faultOf(
  world: World,
  deliveries: Table<Delivery, 'settled' | 'queue'>,
  delivery: Delivery,
): DeliveryFault | undefined {
  const { deliveryFaults: faults } = world;
  if (!faults || faults.none) return undefined;
  const { id, attempts } = delivery;
  if (attempts.length > 0) return faults.onDelivery(delivery, attempts.length);
  const known = placesOf(world);
  for (const one of before(world, deliveries, id, known)) known.decided.set(one.id, faults.onDelivery(one, 0));
  const effect = known.decided.has(id) ? known.decided.get(id) : faults.onDelivery(delivery, 0);
  known.decided.set(id, effect);
  return effect && faults.remaining(effect);
}

/** Returns the events before one whose first attempt is still to be decided, oldest first, and takes note of it. */
function before(world: World, deliveries: Table<Delivery, 'settled' | 'queue'>, id: string, known: Places): Delivery[] {
  // A rewind has undone that event, or it is no longer remembered.
  if (known.upTo !== '' && !deliveries.get(known.upTo)) known.upTo = '';
  const found: Delivery[] = [];
  if (id <= known.upTo) return found;
  for (const one of deliveries.newest({ where: { settled: false } })) {
    if (one.id <= known.upTo) break;
    // One whose attempt is under way began before there was a fault.
    const isOpen = one.attempts.length === 0 && !known.decided.has(one.id);
    if (one.id < id && isOpen && !world.scheduler.isRunning(jobIdOf(one.id))) found.push(one);
  }
  known.upTo = id;
  return found.reverse();
}

/** Forgets what was decided about an attempt that has been made. */
export const forgetPlace = (world: World, id: string): void => void places.get(world)?.decided.delete(id);

/** Returns the id of the job that delivers an event: drawn from the seed, it would change later ids. */
export const jobIdOf = (id: string): string => id.replace(/^Webhook:/, 'Job:');
