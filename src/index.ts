export { startEmulator } from './emulator.ts';
export type { Emulator, EmulatorOptions, SandboxHandle, SandboxRequest, SandboxState, Webhook } from './public.ts';
export { ScenarioError } from './scenario/error.ts';
