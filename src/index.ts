import { keepCompiled, openEmulator } from './emulator.ts';
import { checkEmulatorOptions } from './options.ts';
import type { Emulator, EmulatorOptions, ProfileName, Scenario } from './public.ts';

export type {
  AnyWebhook,
  Api,
  Emulator,
  EmulatorOptions,
  EventType,
  FaultRule,
  GridApi,
  OperationAnswer,
  OperationId,
  OperationInput,
  ProfileName,
  SandboxHandle,
  SandboxRequest,
  SandboxState,
  Scenario,
  Webhook,
} from './public.ts';
export { ScenarioError } from './scenario/error.ts';

/**
 * Start an emulator in this process. Resolves once it is seeded and listening; rejects with `EADDRINUSE` when the
 * port is taken, with `ScenarioError` when a scenario is not usable; with `TypeError` for an option that is none or is
 * not what it has to be.
 */
export async function startEmulator<P extends ProfileName = 'spec'>(
  options: EmulatorOptions<P> = {},
): Promise<Emulator<P>> {
  checkEmulatorOptions(options);
  const emulator: unknown = await openEmulator(options, {});
  keepCompiled();
  // What happens does not depend on the profile's names, only what the caller may write.
  return emulator as Emulator<P>;
}

/** A scenario, as it is: for the types of its keys, and completions, where it is written. */
export const defineScenario = (scenario: Scenario): Scenario => scenario;
