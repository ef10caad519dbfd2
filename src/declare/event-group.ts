import type { DeliveryRule } from '../contract/domain-event.ts';
import type { Shape } from '../contract/lazy.ts';
import type { World } from '../engine/world.ts';
import type { After } from './after.ts';

/** The events an area tells, for the document and for tests: one group a resource. */
export interface EventGroup {
  /** Name in the document's `webhooks`. */
  readonly name: string;
  readonly summary: string;
  readonly types: readonly [string, ...string[]];
  readonly data: Shape;
  /** By type, the calls that lead to it. */
  readonly after: Readonly<Record<string, After>>;
  /** The shape of `data` of each type, by name, if there are several; the types of programs name it too. */
  readonly kinds?: Readonly<Record<string, string>>;
  /** By type, for those that are not simply retried until a receiver takes them. */
  readonly delivery?: Readonly<Record<string, DeliveryRule<World>>>;
}
