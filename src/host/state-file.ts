import { open, readFile, realpath, rename, rm, stat } from 'node:fs/promises';
import type { Snapshot, World } from '../kernel/world.ts';
import { stateIn } from './snapshot.ts';

/** Permissions of a new state file: what is in it is nobody else's business. */
const PRIVATE = 0o600;

/** Saves of this process so far: two emulators of one process may share a file. */
let saves = 0;

/** A state file: loaded if it is there, and written beside itself and renamed, so that it is never half there. */
export function stateFile(path: string) {
  let saving: Promise<void> = Promise.resolve();
  return {
    /**
     * What the file says; `undefined` when there is none. Rejects with a sentence, the file untouched, when it is broken or
     * newer than this program.
     */
    async load(world: World): Promise<Snapshot | undefined> {
      let text: string;
      try {
        text = await readFile(path, 'utf8');
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
        throw new Error(`cannot read the state file ${path}: ${(error as Error).message}`);
      }
      return snapshotIn(path, text, world);
    },
    /** Write what the world is now. Saves that meet happen one after the other, the last one last. */
    save(world: World): Promise<void> {
      saving = saving.catch(() => {}).then(() => write(path, textOf(path, world)));
      return saving;
    },
  };
}

function textOf(path: string, world: World): string {
  try {
    return JSON.stringify(world.snapshot());
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new Error(
      `cannot write the state file ${path}: the state has grown beyond 512 MB of text; it was left as it was`,
    );
  }
}

function snapshotIn(path: string, text: string, world: World): Snapshot {
  let state: unknown;
  try {
    state = JSON.parse(text);
  } catch (error) {
    throw new Error(`the state file ${path} is not JSON: ${(error as Error).message}; it was left as it is`);
  }
  const format = (state as Partial<Snapshot> | null)?.format;
  if (format !== 1)
    throw new Error(
      `the state file ${path} has format ${JSON.stringify(format)}, this program reads format 1; it was left as it is`,
    );
  try {
    return stateIn(world, state);
  } catch (error) {
    throw new Error(`the state file ${path} does not fit: ${(error as Error).message}; it was left as it is`);
  }
}

/** Beside the file, down to the disk, then renamed; whatever goes wrong, the file is as it was and nothing else is left. */
async function write(path: string, text: string): Promise<void> {
  // A link stays a link, and its file keeps its permissions.
  const target = await realpath(path).catch(() => path);
  const mode = await stat(target).then(
    (known) => known.mode & 0o777,
    () => PRIVATE,
  );
  saves += 1;
  const beside = `${target}.${process.pid}.${saves}.tmp`;
  try {
    const file = await open(beside, 'w', mode);
    try {
      await file.writeFile(text);
      await file.chmod(mode);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(beside, target);
  } catch (error) {
    await rm(beside, { force: true }).catch(() => {});
    throw new Error(`cannot write the state file ${path}: ${(error as Error).message}; it was left as it was`);
  }
}
