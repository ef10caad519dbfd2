import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vitest/config';

/** A place of the product where a rule stands as text; `name` is what a test that reaches it is noted under. */
interface Spot {
  readonly start: number;
  readonly end: number;
  readonly name: string;
}

const NOTES = fileURLToPath(new URL('falsify-notes.ts', import.meta.url));

/**
 * Notes which test reaches which rule, in the file that RULES_REACHED names: the text of each rule notes itself where it is read.
 * Without RULES_REACHED nothing is changed.
 */
export function reached(): Plugin {
  let spots: Promise<(file: string) => readonly Spot[]> | undefined;
  const transform = async (code: string, id: string): Promise<string | undefined> => {
    const at = id.indexOf('/src/');
    if (process.env['RULES_REACHED'] === undefined || at < 0) return undefined;
    spots ??= import(new URL('../../tools/falsify/rules.mjs', import.meta.url).href).then(({ spotsIn }) => spotsIn);
    const here = [...(await spots)(id.slice(at + 1))].sort((a, b) => b.start - a.start);
    if (here.length === 0) return undefined;
    const noted = here.reduce(
      (text, { start, end, name }) =>
        `${text.slice(0, start)}(reachedRule(${name}), ${text.slice(start, end)})${text.slice(end)}`,
      code,
    );
    return `import { reachedRule } from ${JSON.stringify(NOTES)};${noted}`;
  };
  return { name: 'reached', enforce: 'pre', transform };
}
