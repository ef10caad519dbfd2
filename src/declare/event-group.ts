import type { DeliveryRule } from '../contract/domain-event.ts';
import type { Shape } from '../contract/lazy.ts';
import type { World } from '../engine/world.ts';
import type { After } from './after.ts';

/** The events that an area emits, for the OpenAPI document and for tests: one group per resource. */
export interface EventGroup {
  /** The group's name in the document's `webhooks`. */
  readonly name: string;
  readonly summary: string;
  readonly types: readonly [string, ...string[]];
  readonly data: Shape;
  /** The calls that lead to each type. */
  readonly after: Readonly<Record<string, After>>;
  /** The name of the shape of `data`, by type, if there are several; generated types use it, too. */
  readonly kinds?: Readonly<Record<string, string>>;
  /** The delivery rule, by type, for events that are not simply retried until a receiver accepts them. */
  readonly delivery?: Readonly<Record<string, DeliveryRule<World>>>;
}
