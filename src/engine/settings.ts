import type { Policy } from '../contract/policy.ts';

/** The behaviour of the sandbox, from the scenario. */
export interface Settings {
  /** Policy by job kind; a kind that is not named happens at once. */
  policies: Readonly<Record<string, Policy>>;
  limits: Readonly<Record<string, number>>;
  /** Policies that a pause put aside, to come back with its end. */
  aside?: Readonly<Record<string, Policy>> | undefined;
}
