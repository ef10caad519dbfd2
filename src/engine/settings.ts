import type { Policy } from '../contract/policy.ts';

/** The behaviour of the sandbox, from the scenario. */
export interface Settings {
  /** Policy by job kind; a kind that is not named happens at once. */
  policies: Readonly<Record<string, Policy>>;
  limits: Readonly<Record<string, number>>;
  /** Policies that a pause put aside, to come back with its end. */
  aside?: Readonly<Record<string, Policy>> | undefined;
}

type Policies = Readonly<Record<string, Policy>>;

/**
 * Returns policies with another one of a kind, or with none. A kind keeps its place; a new one gets the place that it would have had
 * in whatever order they were changed: states are compared as text.
 */
export function withPolicy(policies: Policies, kind: string, policy: Policy | undefined): Policies {
  const all = Object.entries(policies).filter(([name]) => name !== kind || policy !== undefined);
  if (policy === undefined) return Object.fromEntries(all);
  if (Object.hasOwn(policies, kind)) return { ...policies, [kind]: policy };
  const after = all.findIndex(([name]) => name > kind);
  all.splice(after < 0 ? all.length : after, 0, [kind, policy]);
  return Object.fromEntries(all);
}

/** Returns settings with these policies, and with those that a pause put aside, if any. */
export function withPolicies(settings: Settings, policies: Policies, aside: Policies): Settings {
  const { aside: _, ...rest } = settings;
  return { ...rest, policies, ...(Object.keys(aside).length > 0 ? { aside } : {}) };
}
