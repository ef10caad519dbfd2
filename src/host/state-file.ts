import { open, readFile, realpath, rename, rm, stat } from 'node:fs/promises';
import type { Snapshot, World } from '../kernel/world.ts';
import { stateIn } from './snapshot.ts';
import { LONGEST_TEXT, piecesOf, readByLine } from './state-text.ts';

/** Permissions of a new state file: what is in it is nobody else's business. */
const PRIVATE = 0o600;

/** Saves of this process so far: two emulators of one process may share a file. */
let saves = 0;

/**
 * A state file: loaded if it is there, and written beside itself and renamed, so that it is never half there. One of more
 * than `longest` bytes is read line by line.
 */
export function stateFile(path: string, longest = LONGEST_TEXT) {
  let saving: Promise<void> = Promise.resolve();
  return {
    /**
     * What the file says; `undefined` when there is none. Rejects with a sentence, the file untouched, when it is broken or
     * newer than this program.
     */
    async load(): Promise<Snapshot | undefined> {
      let state: unknown;
      try {
        const { size } = await stat(path);
        state = size > longest ? await readByLine(path) : JSON.parse(await readFile(path, 'utf8'));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
        if (error instanceof SyntaxError)
          throw new Error(`the state file ${path} is not JSON: ${error.message}; it was left as it is`);
        throw new Error(`cannot read the state file ${path}: ${(error as Error).message}`);
      }
      return snapshotIn(path, state);
    },
    /** Write what the world is now. Saves that meet happen one after the other, the last one last. */
    save(world: World): Promise<void> {
      saving = saving.catch(() => {}).then(() => write(path, piecesOf(world.snapshot())));
      return saving;
    },
  };
}

function snapshotIn(path: string, state: unknown): Snapshot {
  const format = (state as Partial<Snapshot> | null)?.format;
  if (format !== 1)
    throw new Error(
      `the state file ${path} has format ${JSON.stringify(format)}, this program reads format 1; it was left as it is`,
    );
  try {
    return stateIn(state);
  } catch (error) {
    throw new Error(`the state file ${path} does not fit: ${(error as Error).message}; it was left as it is`);
  }
}

/** Beside the file, down to the disk, then renamed; whatever goes wrong, the file is as it was and nothing else is left. */
async function write(path: string, pieces: Iterable<string>): Promise<void> {
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
      for (const piece of pieces) await file.writeFile(piece);
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
