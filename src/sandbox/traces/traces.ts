import type { Entry } from '../request-log.ts';
import type { Sandbox } from '../sandbox.ts';

/** The spans of a process, if a collector receives them. */
export interface Traces {
  /** The URL of the collector, for people. */
  readonly url: string;
  /** Records the jobs and deliveries of a sandbox's life from now on. */
  follow(sandbox: Sandbox): void;
  /** Records a call and the rule that refused it. Returns the `traceparent` of its span. */
  request(sandbox: Sandbox, entry: Entry): string;
  /** Sends the remaining spans, for half a second at most. */
  close(): Promise<void>;
}
