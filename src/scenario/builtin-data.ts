import { brotliDecompressSync } from 'node:zlib';
import type { Scenario } from './schema.ts';

/**
 * The data that the build inserts, as base64 of JSON packed with Brotli: parsing and checking YAML would cost a third
 * of a start.
 */
declare const __SCENARIOS__: string | undefined;

/** Every built-in scenario; loaded when one other than the default is requested. */
export const BUILT: Readonly<Record<string, { source: unknown; parsed: Scenario }>> | undefined =
  typeof __SCENARIOS__ === 'string'
    ? JSON.parse(brotliDecompressSync(Buffer.from(__SCENARIOS__, 'base64')).toString())
    : undefined;
