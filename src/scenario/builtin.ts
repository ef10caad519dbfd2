declare const __SCENARIOS__: Readonly<Record<string, unknown>> | undefined;

/** Names of the built-in scenarios, in the order in which they are listed. */
export const BUILT_INS: readonly string[] = ['default', 'regulated', 'unregulated'];

/** A built-in scenario. The build writes them in as data, because reading YAML costs a third of a start-up. */
export async function builtIn(name: string): Promise<unknown> {
  if (typeof __SCENARIOS__ === 'object') return __SCENARIOS__[name];
  const [{ parse }, { readFile }] = await Promise.all([import('yaml'), import('node:fs/promises')]);
  return parse(await readFile(new URL(`../../scenarios/${name}.yaml`, import.meta.url), 'utf8'));
}
