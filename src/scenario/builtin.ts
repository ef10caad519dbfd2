import type { Scenario } from './schema.ts';

/** Written in by the build: reading YAML and checking it would cost a third of a start-up. */
declare const __SCENARIOS__: Readonly<Record<string, { source: unknown; parsed: Scenario }>> | undefined;

/** Names of the built-in scenarios, in the order in which they are listed. */
export const BUILT_INS: readonly string[] = [
  'default',
  'regulated',
  'unregulated',
  'contact-verification',
  'wallet',
  'payouts',
  'failures',
  'demo',
  'load-10k',
];

/** A built-in scenario as its file says it. */
export async function builtIn(name: string): Promise<unknown> {
  if (typeof __SCENARIOS__ === 'object') return __SCENARIOS__[name]?.source;
  const [{ parse }, { readFile }] = await Promise.all([import('./yaml.ts'), import('node:fs/promises')]);
  return parse(await readFile(new URL(`../../scenarios/${name}.yaml`, import.meta.url), 'utf8'));
}

/** A built-in scenario, checked and completed when the package was built; `undefined` when running from source. */
export const parsedBuiltIn = (name: string): Scenario | undefined =>
  typeof __SCENARIOS__ === 'object' ? __SCENARIOS__[name]?.parsed : undefined;
