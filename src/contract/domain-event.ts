import { type Profile, render } from './profile.ts';

/** An event worth a webhook, frozen as it was when it happened (spec 6). */
export interface DomainEvent {
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
export const bodyOf = (profile: Profile, { id, type, timestamp, data }: DomainEvent): string =>
  render(profile, { id, type, timestamp, data });

/** The result of one try to deliver an event. */
export interface TryResult {
  /** `timed-out`: the receiver's time passed. `failed`: the connection did. `unsent`: there was nowhere to send it. */
  readonly outcome: 'answered' | 'timed-out' | 'failed' | 'unsent';
  /** HTTP status of the receiver, when it answered. */
  readonly status?: number;
  /** The reason why there was no answer. */
  readonly error?: string;
  /** The first of what it answered. */
  readonly body?: string;
}

/** The special rules for delivering a type of event, in a world of type `W`. */
export interface DeliveryRule<W> {
  /** Delivered or not, it is not tried again. */
  readonly sentOnce?: true;
  /** Real milliseconds that a receiver has at most. */
  readonly deadlineMs?: number;
  /** Takes what became of the try for a decision about the subject, in one step with it; returns in words what was decided. */
  readonly answered?: (world: W, subject: string, result: TryResult) => string | undefined;
}
