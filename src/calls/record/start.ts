import type { HostOptions } from '../../public.ts';
import type { CommandContext } from '../../sandbox/commands/command.ts';
import { asksReceiver, type Recording } from './recording.ts';

/**
 * An address without a listener: events are read from the sandbox, and a real receiver must not get those of a test.
 */
export const NOBODY = 'http://127.0.0.1:9/';

/** Returns the options with which an emulator starts as this one did, its clock held at the first call. */
export function startOf(
  { host, sandbox }: CommandContext,
  recording: Pick<Recording, 'steps'>,
): HostOptions & { now: string } {
  const [first] = recording.steps;
  const own = sandbox.options.scenario !== host.scenario;
  const scenario = own ? sandbox.scenario : host.options.scenario;
  const { customers = 0, transactions = 0 } = sandbox.scenario.generate;
  // Another seed would make up other people and payments.
  const seed = sandbox.options.ownSeed || customers + transactions > 0 ? sandbox.seed : host.options.seed;
  return {
    ...(scenario === undefined ? {} : { scenario }),
    ...(host.profile.name === 'spec' ? {} : { profile: host.profile.name }),
    ...(seed === undefined ? {} : { seed }),
    ...(sandbox.options.webhookUrl !== undefined || asksReceiver(recording) ? { webhookUrl: NOBODY } : {}),
    now: first?.at ?? sandbox.world.clock.iso(),
    holdClock: true,
  };
}

/** Returns whether the sandbox's scenario has faults of its own: a recording leaves out the calls that they answered. */
export const hasFaults = ({ sandbox }: CommandContext): boolean => sandbox.scenario.faults.length > 0;
