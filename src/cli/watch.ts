import { type FSWatcher, watch } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { basename, dirname, resolve } from 'node:path';
import { ScenarioError } from '../scenario/error.ts';
import { readTextFile } from '../scenario/text-file.ts';
import { fileTrouble } from './text.ts';

/** Milliseconds without a further change before one counts: editors write in several steps. */
const QUIET_MS = 50;

/**
 * Returns the texts of files; a missing or empty file gives an empty one, and a file that is too large an error text.
 */
export const textsOf = (files: readonly string[]): Promise<string[]> =>
  Promise.all(
    files.map((file) =>
      readTextFile(file).catch((error: unknown) => (error instanceof ScenarioError ? error.message : '')),
    ),
  );

/**
 * Calls back when the content of files differs from the start, or from the last call. It watches their folders, because
 * many editors write a new file and rename it. Rejects with a sentence if a folder cannot be watched.
 */
export async function watchFiles(
  files: readonly string[],
  atStart: readonly string[],
  changed: () => void,
): Promise<void> {
  let known = atStart;
  let timer: NodeJS.Timeout | undefined;
  const look = async () => {
    const texts = await textsOf(files);
    // In the middle of a write; its end is another change.
    if (texts.some((text) => text.trim() === '') || texts.every((text, i) => text === known[i])) return;
    known = texts;
    changed();
  };
  const soon = () => {
    clearTimeout(timer);
    timer = setTimeout(look, QUIET_MS).unref();
  };
  for (const [folder, names] of await foldersOf(files)) {
    try {
      const watcher: FSWatcher = watch(folder, { persistent: false }, (_, name) => {
        if (name === null || names === EVERY || names.has(name)) soon();
      });
      // A folder that disappears is no longer watched; the emulator runs on.
      watcher.on('error', () => watcher.close());
    } catch (error) {
      throw new Error(`cannot watch ${folder}: ${fileTrouble(error)}`);
    }
  }
  // A change between the first reading and now.
  soon();
}

/** The names of a folder in which each counts. */
const EVERY = 'every name';

/**
 * Returns the folders of files, with their names there. In the folder of a link, every name counts: what is exchanged
 * may be a folder on the way to its target, as in a ConfigMap of Kubernetes.
 */
async function foldersOf(files: readonly string[]): Promise<Map<string, Set<string> | typeof EVERY>> {
  const folders = new Map<string, Set<string> | typeof EVERY>();
  const add = (path: string): void => {
    const names = folders.get(dirname(path)) ?? new Set();
    if (names !== EVERY) folders.set(dirname(path), names.add(basename(path)));
  };
  for (const file of files) {
    const [path, target] = [resolve(file), await realpath(file)];
    add(path);
    add(target);
    if (target !== path) folders.set(dirname(path), EVERY);
  }
  return folders;
}
