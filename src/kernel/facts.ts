import type { Shape } from './operation.ts';
import { type Profile, render } from './profile.ts';

/** An event worth a webhook, frozen as it was when it happened (spec 6). */
export interface Fact {
  /** `Webhook:<uuid>`, unique an event, the same on every delivery of it. */
  readonly id: string;
  readonly type: string;
  readonly timestamp: string;
  /** The id of the resource that it is about: deliveries about one resource keep their order. */
  readonly subject: string;
  /** The full resource as its GET would show it; a value, never changed after. */
  readonly data: unknown;
}

/** The exact text that is signed and sent: `{id, type, timestamp, data}` in the names of the profile. */
export const bodyOf = (profile: Profile, { id, type, timestamp, data }: Fact): string =>
  render(profile, { id, type, timestamp, data });

/** The events an area tells, for the document and for tests: one group a resource. */
export interface FactGroup {
  /** Name in the document's `webhooks`. */
  readonly name: string;
  readonly summary: string;
  readonly types: readonly [string, ...string[]];
  readonly data: Shape;
}
