import { nextTurn } from '../engine/next-turn.ts';
import type { World } from '../engine/world.ts';
import type { Entry } from './request-log.ts';

/** The events of a sandbox for its listeners, as they happen. */
export type StreamEvent =
  | { readonly event: 'request'; readonly entry: Entry }
  | { readonly event: 'fact'; readonly id: string; readonly type: string; readonly subject: string }
  | { readonly event: 'delivery'; readonly id: string }
  | { readonly event: 'clock' | 'reset' | 'faults' | 'gone' };

/** The live feed of one sandbox. It costs nothing without listeners. */
export class EventStream {
  #world: World | undefined;
  readonly #listeners = new Set<(news: StreamEvent) => void>();
  #unwatch: (() => void) | undefined;
  #isOver = false;
  readonly #pending = new Set<'clock' | 'faults'>();

  /** Reports another life from now on, and no longer the one before it. */
  follow(world: World): void {
    this.#leave();
    this.#world = world;
    if (this.#listeners.size > 0) this.#watch();
  }

  /**
   * Adds a listener for all events from now on, whatever life begins, and for the end of the sandbox. Returns the function
   * that removes it.
   */
  listen(listener: (news: StreamEvent) => void): () => void {
    if (this.#isOver) {
      queueMicrotask(() => listener({ event: 'gone' }));
      return () => {};
    }
    this.#listeners.add(listener);
    this.#watch();
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size === 0) this.#leave();
    };
  }

  #watch(): void {
    const world = this.#world;
    if (!world || this.#unwatch) return;
    const unwatchClock = world.clock.watch(() => this.soon('clock'));
    const unwatch = world.watch((happening) => {
      if (happening.what === 'delivery') this.publish({ event: 'delivery', id: happening.id });
      if (happening.what !== 'event') return;
      const { id, type, subject } = happening.event;
      this.publish({ event: 'fact', id, type, subject });
    });
    this.#unwatch = () => {
      unwatch();
      unwatchClock();
    };
  }

  #leave(): void {
    this.#unwatch?.();
    this.#unwatch = undefined;
  }

  publish(news: StreamEvent): void {
    for (const listener of this.#listeners) listener(news);
  }

  /** Notifies all listeners that the sandbox is dropped, and removes them. */
  end(): void {
    this.#isOver = true;
    this.publish({ event: 'gone' });
    this.#listeners.clear();
    this.#leave();
  }

  /** Returns the number of listeners. */
  get audience(): number {
    return this.#listeners.size;
  }

  /**
   * Emits, once per turn of the event loop, an event that may recur many times in it: an advance moves the clock for
   * every job.
   */
  soon(event: 'clock' | 'faults'): void {
    if (this.#listeners.size === 0 || this.#pending.has(event)) return;
    this.#pending.add(event);
    nextTurn(() => {
      this.#pending.delete(event);
      this.publish({ event });
    }).unref();
  }
}
