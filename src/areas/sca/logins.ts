import { fail } from '../../contract/errors.ts';
import { limit } from '../../contract/limit.ts';
import type { World } from '../../engine/world.ts';
import { type LoginState, SCA_LOGINS } from './row.ts';

const DAY_SECONDS = 86_400;

/** The virtual seconds that a login lasts. */
export const SESSION_SECONDS = limit(
  'scaSessionSeconds',
  180 * DAY_SECONDS,
  'Virtual seconds that a strongly authenticated login lasts; 180 days',
);

/**
 * The minutes for which a login is locked, by the number of failed attempts; beyond the last it is suspended (reference
 * 8.2).
 */
const LOCKED_MINUTES: ReadonlyMap<number, number> = new Map([
  [5, 15],
  [6, 30],
  [7, 60],
  [8, 24 * 60],
]);
const MOST_ATTEMPTS = Math.max(...LOCKED_MINUTES.keys());

const NEVER = { failedAttempts: 0, suspended: false };

/** Returns the state of a customer's logins. */
export const loginStateOf = (world: World, customerId: string): LoginState =>
  world.rows(SCA_LOGINS).get(customerId) ?? { id: customerId, ...NEVER };

function keep(world: World, state: LoginState): LoginState {
  const logins = world.rows(SCA_LOGINS);
  return logins.get(state.id) ? logins.put(state) : logins.insert(state);
}

const lockOf = (world: World, { lockedUntil }: LoginState): string | undefined =>
  lockedUntil !== undefined && world.clock.iso() < lockedUntil ? lockedUntil : undefined;

/**
 * Returns the state of a customer's logins as replies and refusals show it; `lockedUntil` is null unless it is locked
 * for a time.
 */
export function showLoginState(world: World, customerId: string) {
  const state = loginStateOf(world, customerId);
  const { suspended, failedAttempts } = state;
  return { suspended, lockedUntil: lockOf(world, state) ?? null, failedAttempts };
}

/** Refuses while a customer's login is locked or suspended: 423 ACCOUNT_LOCKED (reference 8.2). */
export function checkUnlocked(world: World, customerId: string): void {
  const details = showLoginState(world, customerId);
  const { suspended, lockedUntil } = details;
  if (suspended || lockedUntil !== null)
    fail('ACCOUNT_LOCKED', suspended ? `the login is suspended` : `the login is locked until ${lockedUntil}`, {
      details,
      why: { rule: 'reference 8.2', seen: details },
    });
}

/**
 * Counts a failed attempt. From the fifth on, each one locks the login for longer, and the ninth suspends it (reference
 * 8.2).
 */
export function countFailure(world: World, customerId: string): void {
  const state = loginStateOf(world, customerId);
  const failedAttempts = state.failedAttempts + 1;
  const minutes = LOCKED_MINUTES.get(failedAttempts);
  keep(world, {
    ...state,
    failedAttempts,
    suspended: failedAttempts > MOST_ATTEMPTS,
    lockedUntil: minutes === undefined ? undefined : new Date(world.clock.now() + minutes * 60_000).toISOString(),
  });
}

/**
 * Clears attempts, lock and suspension, and ends every session, after the customer got a new password (reference 8.2).
 */
export function clearLogin(world: World, customerId: string): void {
  if (world.rows(SCA_LOGINS).get(customerId)) world.rows(SCA_LOGINS).put({ id: customerId, ...NEVER });
}

/** Opens a session, and returns when it ends (reference 8.3). */
export function openSession(world: World, customerId: string): string {
  const sessionUntil = new Date(world.clock.now() + world.lasting(SESSION_SECONDS)).toISOString();
  keep(world, { ...loginStateOf(world, customerId), sessionUntil });
  return sessionUntil;
}

/** Returns whether a customer is logged in now (reference 8.3). */
export const hasSession = (world: World, customerId: string): boolean =>
  world.clock.iso() < (loginStateOf(world, customerId).sessionUntil ?? '');
