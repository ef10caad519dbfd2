import type { Plugin } from 'vitest/config';
import { FAULTS } from './faults.ts';
import { OPERATION, THROW_AWAY } from './operation.ts';

/** One change of one file: the text at `start`, and what stands in its place. */
export interface Change {
  /** Path from the folder of the repository, with slashes. */
  readonly file: string;
  readonly start: number;
  readonly sound: string;
  readonly faulty: string;
}

/** Puts a change in. Throws where the text is not the one that it was made for. */
function changed(code: string, { file, start, sound, faulty }: Change): string {
  if (!code.startsWith(sound, start)) throw new Error(`${file} has no "${sound}" at ${start}`);
  return code.slice(0, start) + faulty + code.slice(start + sound.length);
}

/** What is to be put in by name: a fault, or all that a new operation takes. */
const named = (name: string | undefined) =>
  name === THROW_AWAY ? OPERATION : FAULTS.filter(({ what }) => what === name);

/**
 * Runs the tests with the product changed: a fault or the throw-away operation by its name in PLANTED, or a `Change` as JSON in
 * MUTANT. Both are read with each module, so that a process which runs the tests many times may set another change before each run.
 */
export function planted(): Plugin {
  const transform = (code: string, id: string): string | undefined => {
    const mutant = process.env['MUTANT'];
    const change = mutant ? (JSON.parse(mutant) as Change) : undefined;
    if (change && id.endsWith(`/${change.file}`)) return changed(code, change);
    const here = named(process.env['PLANTED']).filter(({ file }) => id.endsWith(`/${file}`));
    return here.length === 0
      ? undefined
      : here.reduce((text: string, { sound, faulty }) => text.replace(sound, () => faulty), code);
  };
  return { name: 'planted', enforce: 'pre', transform };
}
