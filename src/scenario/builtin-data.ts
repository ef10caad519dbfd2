import { brotliDecompressSync } from 'node:zlib';
import type { Scenario } from './schema.ts';

/** Written in by the build, as JSON that Brotli has packed, in base64: reading YAML and checking it costs a third of a start. */
declare const __SCENARIOS__: string | undefined;

/** Every built-in scenario; loaded when another than the default is requested. */
export const BUILT: Readonly<Record<string, { source: unknown; parsed: Scenario }>> | undefined =
  typeof __SCENARIOS__ === 'string'
    ? JSON.parse(brotliDecompressSync(Buffer.from(__SCENARIOS__, 'base64')).toString())
    : undefined;
