import { readFile } from 'node:fs/promises';
import { BUILT_INS, builtIn, listedBuiltIns } from '../../scenario/builtin.ts';
import { nearest } from '../../scenario/nearest.ts';
import { colours, hasColours } from '../text.ts';

/** Prints the names of the built-in scenarios, or the file of one. */
export async function scenarios(name: string | undefined, { json }: { json?: boolean }): Promise<void> {
  if (name !== undefined) {
    if (!BUILT_INS.includes(name)) throw unknown(name);
    const text = json ? JSON.stringify(await builtIn(name)) : await fileOf(name);
    process.stdout.write(text.endsWith('\n') ? text : `${text}\n`);
    return;
  }
  const list = await listedBuiltIns();
  if (json) {
    process.stdout.write(`${JSON.stringify(list)}\n`);
    return;
  }
  const c = colours(hasColours(process.stdout.isTTY === true));
  const width = Math.max(...BUILT_INS.map((each) => each.length));
  for (const each of list) process.stdout.write(`${c.bold(each.name.padEnd(width))}  ${each.title}\n`);
}

function unknown(name: string): Error {
  const near = nearest(name, BUILT_INS);
  return new Error(
    `no built-in scenario ${name}; ${near ? `did you mean ${near}?` : `there are ${BUILT_INS.join(', ')}`}`,
  );
}

/**
 * Returns the file as it was written, with its comments; it is two folders up, from the source as from a chunk of the
 * build.
 */
const fileOf = (name: string): Promise<string> =>
  readFile(new URL(`../../scenarios/${name}.yaml`, import.meta.url), 'utf8');
