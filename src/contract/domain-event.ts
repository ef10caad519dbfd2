import { type Profile, render } from './profile.ts';

/** An event that webhooks report, frozen as it was when it happened (spec 6). */
export interface DomainEvent {
  /** `Webhook:<uuid>`, unique per event, the same on every delivery of it. */
  readonly id: string;
  readonly type: string;
  readonly timestamp: string;
  /** The id of its subject: deliveries about one resource keep their order. */
  readonly subject: string;
  /** The full resource as its GET would show it; immutable. */
  readonly data: unknown;
}

/** Returns the exact text that is signed and sent: `{id, type, timestamp, data}` in the names of the profile. */
export const bodyOf = (profile: Profile, { id, type, timestamp, data }: DomainEvent): string =>
  render(profile, { id, type, timestamp, data });

/** The result of one attempt to deliver an event. */
export interface TryResult {
  /** `timed-out`: the receiver took too long. `failed`: the connection failed. `unsent`: there was no receiver. */
  readonly outcome: 'answered' | 'timed-out' | 'failed' | 'unsent';
  /** The HTTP status of the receiver, if it responded. */
  readonly status?: number;
  /** The reason why there was no response. */
  readonly error?: string;
  /** The response body: its beginning, or the whole of it for a rule that decides by it. */
  readonly body?: string;
}

/** The special rules for delivering a type of event, in a world of type `W`. */
export interface DeliveryRule<W> {
  /** Sent only once, whether it is delivered or not. */
  readonly sentOnce?: true;
  /** The most real milliseconds that a receiver may take. */
  readonly deadlineMs?: number;
  /**
   * Applies the result of the attempt as a decision about the subject, in one transaction with it; returns the decision
   * in words.
   */
  readonly answered?: (world: W, subject: string, result: TryResult) => string | undefined;
}
