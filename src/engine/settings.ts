import type { Policy } from '../contract/policy.ts';

/** The behaviour of the sandbox, as the scenario sets it. */
export interface Settings {
  /** Policies by job kind; a kind that is missing happens at once. */
  policies: Readonly<Record<string, Policy>>;
  limits: Readonly<Record<string, number>>;
  /** Policies that a pause has set aside until it ends. */
  aside?: Readonly<Record<string, Policy>> | undefined;
}

type Policies = Readonly<Record<string, Policy>>;

/**
 * Returns policies with one kind changed or removed. A kind keeps its place. A new one takes its place in the order of
 * names, whatever the order of changes, because states are compared as text.
 */
export function withPolicy(policies: Policies, kind: string, policy: Policy | undefined): Policies {
  const all = Object.entries(policies).filter(([name]) => name !== kind || policy !== undefined);
  if (policy === undefined) return Object.fromEntries(all);
  if (Object.hasOwn(policies, kind)) return { ...policies, [kind]: policy };
  const after = all.findIndex(([name]) => name > kind);
  all.splice(after < 0 ? all.length : after, 0, [kind, policy]);
  return Object.fromEntries(all);
}

/** Returns settings with these policies, and with those that a pause has set aside, if any. */
export function withPolicies(settings: Settings, policies: Policies, aside: Policies): Settings {
  const { aside: _, ...rest } = settings;
  return { ...rest, policies, ...(Object.keys(aside).length > 0 ? { aside } : {}) };
}
