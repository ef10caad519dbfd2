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
  if (delivery.attempts.length > 0) return faults.onDelivery(delivery, delivery.attempts.length);
  const { upTo, decided } = decideAhead(world, deliveries, delivery);
  if (delivery.id > upTo) placesOf(world).upTo = delivery.id;
  const effect = decided.has(delivery.id) ? decided.get(delivery.id) : faults.onDelivery(delivery, 0);
  decided.set(delivery.id, effect);
  return effect && faults.remaining(effect);
}

/** Decides for all events before this one that have no attempt yet, oldest first. */
function decideAhead(world: World, deliveries: Table<Delivery, 'settled' | 'queue'>, delivery: Delivery): Places {
  const known = placesOf(world);
  // A rewind has undone that event, or it is no longer remembered.
  if (known.upTo !== '' && !deliveries.get(known.upTo)) known.upTo = '';
  const ahead: Delivery[] = [];
  for (const one of deliveries.newest({ where: { settled: false } })) {
    if (one.id <= known.upTo) break;
    if (one.id < delivery.id && one.attempts.length === 0 && !known.decided.has(one.id)) ahead.push(one);
  }
  for (const one of ahead.reverse()) known.decided.set(one.id, world.deliveryFaults?.onDelivery(one, 0));
  return known;
}

/** Forgets what was decided about an attempt that has been made. */
export const forgetPlace = (world: World, id: string): void => void places.get(world)?.decided.delete(id);
