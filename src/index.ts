export { type Emulator, type EmulatorOptions, type SandboxHandle, startEmulator } from './emulator.ts';
export type { SandboxRequest } from './host/host.ts';
export { ScenarioError } from './scenario/load.ts';
