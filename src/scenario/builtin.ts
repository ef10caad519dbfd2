import type { Scenario } from './schema.ts';

/** The data that the build inserts, as JSON text: a start without a scenario reads no more than this. */
declare const __DEFAULT_SCENARIO__: string | undefined;

/** The names of the built-in scenarios, in the order of their list. */
export const BUILT_INS: readonly string[] = [
  'default',
  'regulated',
  'unregulated',
  'contact-verification',
  'wallet',
  'stablecoins',
  'payouts',
  'agents',
  'cards',
  'failures',
  'demo',
  'sca',
  'load-10k',
];

/** Returns a built-in scenario as its file has it. */
export async function builtIn(name: string): Promise<unknown> {
  const { BUILT } = await import('./builtin-data.ts');
  if (BUILT) return BUILT[name]?.source;
  const read = files.get(name) ?? parsedFile(name);
  files.set(name, read);
  return structuredClone(await read);
}

/** Returns the built-in scenarios, each with its title. */
export const listedBuiltIns = (): Promise<{ name: string; title: string }[]> =>
  Promise.all(BUILT_INS.map(async (name) => ({ name, title: ((await builtIn(name)) as Scenario).title ?? '' })));

/** Files already read, when running from source: tests start thousands of sandboxes. */
const files = new Map<string, Promise<unknown>>();

async function parsedFile(name: string): Promise<unknown> {
  const [{ parse }, { readFile }] = await Promise.all([import('./yaml.ts'), import('node:fs/promises')]);
  return parse(await readFile(new URL(`../../scenarios/${name}.yaml`, import.meta.url), 'utf8'));
}

/**
 * Returns a built-in scenario, checked and completed when the package was built; `undefined` when running from source.
 */
export async function parsedBuiltIn(name: string): Promise<Scenario | undefined> {
  if (name === 'default' && typeof __DEFAULT_SCENARIO__ === 'string') return JSON.parse(__DEFAULT_SCENARIO__);
  if (!BUILT_INS.includes(name)) return undefined;
  return (await import('./builtin-data.ts')).BUILT?.[name]?.parsed;
}
