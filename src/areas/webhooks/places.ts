import type { DeliveryFault } from '../../contract/faults.ts';
import type { Table } from '../../engine/table.ts';
import type { World } from '../../engine/world.ts';
import type { Delivery } from './row.ts';

type Deliveries = Table<Delivery, 'settled' | 'queue'>;

/** First attempts that faults have still to count, and effects on those that were counted before they began. */
interface Places {
  /** Ids of events that were emitted while there were faults, oldest first. */
  readonly open: Set<string>;
  readonly decided: Map<string, DeliveryFault | undefined>;
}

const places = new WeakMap<World, Places>();

/** Takes note of an event that will be delivered. */
export function expectAttempt(world: World, id: string): void {
  if (!world.deliveryFaults || world.deliveryFaults.none) {
    places.delete(world);
    return;
  }
  const known = places.get(world) ?? { open: new Set(), decided: new Map() };
  places.set(world, known);
  known.open.add(id);
  known.decided.delete(id);
}

/**
 * Returns what faults do to an attempt that begins now. Of the first attempts of one virtual moment they count those of
 * earlier events first: which begins first depends on the receivers, and a count must be the same in every run.
 */
export function faultOf(world: World, deliveries: Deliveries, delivery: Delivery): DeliveryFault | undefined {
  const { deliveryFaults: faults } = world;
  const { id, attempts } = delivery;
  const known = places.get(world);
  known?.open.delete(id);
  if (!faults || faults.none) return undefined;
  if (attempts.length > 0 || !known) return faults.onDelivery(delivery, attempts.length);
  for (const earlier of known.open) {
    if (earlier > id) break;
    const one = deliveries.get(earlier);
    const isOpen = one?.attempts.length === 0;
    if (isOpen && !moves(world, deliveries, one)) continue;
    known.open.delete(earlier);
    if (isOpen) known.decided.set(earlier, faults.onDelivery(one, 0));
  }
  const effect = known.decided.has(id) ? known.decided.get(id) : faults.onDelivery(delivery, 0);
  known.decided.delete(id);
  return effect && faults.remaining(effect);
}

/** Returns whether events about the same subject are sent at this virtual moment: none waits for a later retry. */
function moves({ clock, scheduler }: World, deliveries: Deliveries, { subject }: Delivery): boolean {
  const first = deliveries.find('queue', subject);
  const dueAt = first && scheduler.jobs.get(jobIdOf(first.id))?.dueAt;
  return (typeof dueAt === 'number' && dueAt <= clock.now()) || first?.attempts.at(-1)?.at === clock.iso();
}

/** Returns the id of the job that delivers an event: drawn from the seed, it would change later ids. */
export const jobIdOf = (id: string): string => id.replace(/^Webhook:/, 'Job:');
