import type { Plugin } from 'vitest/config';
import { FAULTS } from './faults.ts';

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

/**
 * Runs the tests with one line of the product changed: a fault by its name in PLANTED, or a `Change` as JSON in MUTANT. Both are
 * read with each module, so that a process which runs the tests many times may set another change before each run.
 */
export function planted(): Plugin {
  const transform = (code: string, id: string): string | undefined => {
    const fault = FAULTS.find(({ what }) => what === process.env['PLANTED']);
    if (fault && id.endsWith(fault.file)) return code.replace(fault.sound, () => fault.faulty);
    const mutant = process.env['MUTANT'];
    const change = mutant ? (JSON.parse(mutant) as Change) : undefined;
    return change && id.endsWith(`/${change.file}`) ? changed(code, change) : undefined;
  };
  return { name: 'planted', enforce: 'pre', transform };
}
