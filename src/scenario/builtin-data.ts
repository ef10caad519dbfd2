import type { Scenario } from './schema.ts';

/** Written in by the build, as JSON text: reading YAML and checking it would cost a third of a start-up. */
declare const __SCENARIOS__: string | undefined;

/** Every built-in scenario; loaded when another than the default is requested. */
export const BUILT: Readonly<Record<string, { source: unknown; parsed: Scenario }>> | undefined =
  typeof __SCENARIOS__ === 'string' ? JSON.parse(__SCENARIOS__) : undefined;
