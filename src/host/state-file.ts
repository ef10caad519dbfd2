import { readFile, rename, writeFile } from 'node:fs/promises';
import type { Snapshot, World } from '../kernel/world.ts';

/** A state file: loaded if it is there, and written beside itself and renamed, so that it is never half there. */
export function stateFile(path: string) {
  let saving: Promise<void> = Promise.resolve();
  const write = async (world: World): Promise<void> => {
    const beside = `${path}.${process.pid}.tmp`;
    await writeFile(beside, JSON.stringify(world.snapshot()));
    await rename(beside, path);
  };
  return {
    /** Become what the file says. Rejects with a sentence, the file untouched, when it is broken or newer than this program. */
    async load(world: World): Promise<void> {
      let text: string;
      try {
        text = await readFile(path, 'utf8');
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
        throw new Error(`cannot read the state file ${path}: ${(error as Error).message}`);
      }
      let state: Partial<Snapshot>;
      try {
        state = JSON.parse(text) as Partial<Snapshot>;
      } catch (error) {
        throw new Error(`the state file ${path} is not JSON: ${(error as Error).message}; it was left as it is`);
      }
      if (state.format !== 1)
        throw new Error(
          `the state file ${path} has format ${JSON.stringify(state.format)}, this program reads format 1; it was left as it is`,
        );
      try {
        world.restore(state as Snapshot);
      } catch (error) {
        throw new Error(`the state file ${path} does not fit: ${(error as Error).message}; it was left as it is`);
      }
    },
    /** Write what the world is now. Saves that meet happen one after the other, the last one last. */
    save(world: World): Promise<void> {
      saving = saving.catch(() => {}).then(() => write(world));
      return saving;
    },
  };
}
