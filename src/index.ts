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
 * Starts an emulator in this process. Resolves once it is seeded and listening. Rejects with `EADDRINUSE` if the port
 * is taken, with `ScenarioError` if a scenario is not usable, and with `TypeError` for an unknown or invalid option.
 */
export async function startEmulator<P extends ProfileName = 'spec'>(
  options: EmulatorOptions<P> = {},
): Promise<Emulator<P>> {
  checkEmulatorOptions(options);
  const emulator: unknown = await openEmulator(options, {});
  keepCompiled();
  // The profile's names affect only the types of the caller, not what happens.
  return emulator as Emulator<P>;
}

/** Returns a scenario unchanged: it gives an editor the types of its keys, and completions. */
export const defineScenario = (scenario: Scenario): Scenario => scenario;
