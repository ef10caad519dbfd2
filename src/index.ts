import { openEmulator } from './emulator.ts';
import type { Emulator, EmulatorOptions } from './public.ts';

export type {
  Emulator,
  EmulatorOptions,
  FaultRule,
  SandboxHandle,
  SandboxRequest,
  SandboxState,
  Webhook,
} from './public.ts';
export { ScenarioError } from './scenario/error.ts';

/**
 * Start an emulator in this process. Resolves once it is seeded and listening; rejects with `EADDRINUSE` when the
 * port is taken and with `ScenarioError` when a scenario is not usable.
 */
export const startEmulator = (options: EmulatorOptions = {}): Promise<Emulator> => openEmulator(options, {});
