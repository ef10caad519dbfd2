import { DELIVERIES, type Delivery, deliveryOf } from '../../areas/webhooks/index.ts';
import { EVENTS } from '../../areas.ts';
import { fail } from '../../contract/errors.ts';
import { clearReal, realTimeout } from '../../engine/timers.ts';
import type { Sandbox } from '../sandbox.ts';
import { skipTo } from '../skip-to.ts';

/** The event to wait for. */
interface Wanted {
  readonly type: string;
  readonly subject?: string | undefined;
  readonly after?: string | undefined;
  readonly timeoutMs: number;
  /** The most virtual time to skip. */
  readonly within?: string | undefined;
}

/** Returns the first wanted event, as it is at present. */
function first(sandbox: Sandbox, { type, subject, after }: Wanted): Delivery | undefined {
  let counts = after === undefined;
  for (const delivery of sandbox.world.rows(DELIVERIES).rows()) {
    if (counts && delivery.type === type && (subject === undefined || delivery.subject === subject)) return delivery;
    counts ||= delivery.id === after;
  }
  return undefined;
}

/** Returns whether the wait is over: the event was attempted, or is not sent at all. */
const isTold = ({ state, attempts }: Delivery): boolean => attempts.length > 0 || state === 'UNSENT';

/**
 * Waits for the first wanted event and its first attempt. If the time ends first, an event without an attempt is
 * returned as it is. 404 `REFERENCE_NOT_FOUND` if none was emitted, or the sandbox was dropped.
 */
export async function awaited(sandbox: Sandbox, wanted: Wanted, closing: AbortSignal): Promise<Delivery> {
  if (wanted.after !== undefined) deliveryOf(sandbox.world, wanted.after);
  const found = (): Delivery | undefined => first(sandbox, wanted);
  if (wanted.within !== undefined) {
    const named = await misnamed(sandbox, wanted);
    if (named !== '') fail('REFERENCE_NOT_FOUND', `no ${wanted.type} is ever emitted${named}`);
    return skipTo(sandbox, `${wanted.type}${about(wanted)}`, {
      type: wanted.type,
      span: wanted.within,
      timeoutMs: wanted.timeoutMs,
      found,
    });
  }
  const already = found();
  if (already && isTold(already)) return already;
  let isDropped = false;
  await new Promise<void>((resolve) => {
    const unlisten = sandbox.stream.listen(({ event }) => {
      const delivery = event === 'fact' || event === 'delivery' ? found() : undefined;
      isDropped = event === 'gone';
      if (isDropped || (delivery && isTold(delivery))) stop();
    });
    const stop = (): void => {
      clearReal(timer);
      closing.removeEventListener('abort', stop);
      unlisten();
      resolve();
    };
    const timer = realTimeout(stop, wanted.timeoutMs);
    closing.addEventListener('abort', stop);
  });
  const delivery = found();
  if (delivery) return delivery;
  if (isDropped)
    fail('REFERENCE_NOT_FOUND', `the sandbox was dropped, and no ${wanted.type}${about(wanted)} was emitted`);
  const why = (await misnamed(sandbox, wanted)) || hint(sandbox);
  return fail('REFERENCE_NOT_FOUND', `no ${wanted.type}${about(wanted)} was emitted${why}`);
}

const about = ({ subject }: Wanted): string => (subject === undefined ? '' : ` about ${subject}`);

const hint = ({ world: { clock } }: Sandbox): string =>
  clock.state().mode === 'held' ? '; the clock is held: advance it, and what is due happens' : '';

/**
 * Returns a phrase for a type that the profile does not have, with the type that was probably meant; empty for one that
 * it has.
 */
export async function misnamed({ world: { profile } }: Sandbox, { type }: Pick<Wanted, 'type'>): Promise<string> {
  const types = EVENTS.flatMap((group) => group.types).filter((one) => !profile.absent['events']?.includes(one));
  if (types.includes(type)) return '';
  const { didYouMean, nearest } = await import('../../scenario/nearest.ts');
  return `; profile ${profile.name} has no such event${didYouMean(nearest(type.slice(0, 100).toUpperCase(), types))}`;
}
