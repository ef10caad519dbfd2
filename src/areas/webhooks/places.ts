import type { DeliveryFault } from '../../contract/faults.ts';
import type { Table } from '../../engine/table.ts';
import type { World } from '../../engine/world.ts';
import type { Delivery } from './row.ts';

type Deliveries = Table<Delivery, 'settled' | 'queue'>;

/** The most events whose place is kept; first attempts of more are counted when they begin. */
const MOST = 1000;

/** Takes note of an event that will be delivered. */
export function expectAttempt({ deliveryFaults: faults }: World, id: string): void {
  if (!faults) return;
  const { open, counted } = faults.ahead;
  counted.delete(id);
  if (faults.none) open.clear();
  else if (open.size < MOST) open.add(id);
}

/**
 * Returns what faults do to an attempt that begins now. Of the first attempts of one virtual moment they count those of
 * earlier events first: which begins first depends on the receivers, and a count must be the same in every run.
 */
export function faultOf(world: World, deliveries: Deliveries, delivery: Delivery): DeliveryFault | undefined {
  const { deliveryFaults: faults } = world;
  if (!faults) return undefined;
  const { id, attempts } = delivery;
  const { open, counted } = faults.ahead;
  open.delete(id);
  if (faults.none) {
    counted.delete(id);
    return undefined;
  }
  if (attempts.length > 0) return faults.effectOf(faults.onDelivery(delivery, attempts.length));
  for (const earlier of open) {
    if (earlier > id) break;
    const one = deliveries.get(earlier);
    const isOpen = one?.attempts.length === 0;
    if (isOpen && !moves(world, deliveries, one)) continue;
    open.delete(earlier);
    if (isOpen) counted.set(earlier, { by: faults.list.map((fault) => fault.id), fire: faults.onDelivery(one, 0) });
  }
  const { by = [], fire = [] } = counted.get(id) ?? {};
  counted.delete(id);
  return faults.effectOf([...fire, ...faults.onDelivery(delivery, 0, by)]);
}

/** Returns whether events about the same subject are sent at this virtual moment: none waits for a later retry. */
function moves({ clock, scheduler }: World, deliveries: Deliveries, { subject }: Delivery): boolean {
  const first = deliveries.find('queue', subject);
  const dueAt = first && scheduler.jobs.get(jobIdOf(first.id))?.dueAt;
  return (typeof dueAt === 'number' && dueAt <= clock.now()) || first?.attempts.at(-1)?.at === clock.iso();
}

/** Returns the id of the job that delivers an event: drawn from the seed, it would change later ids. */
export const jobIdOf = (id: string): string => id.replace(/^Webhook:/, 'Job:');
