import type { Stats } from 'node:fs';
import {
  access,
  constants,
  copyFile,
  type FileHandle,
  lstat,
  open,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  stat,
} from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Snapshot, World } from '../engine/world.ts';
import { SavedOthers, type SavedSandbox, type SavedStates } from './saved.ts';
import { checkedState } from './state-check.ts';
import { LONG, readByLine } from './state-read.ts';
import { BETWEEN, LONGEST_TEXT, type Piece, piecesOf } from './state-text.ts';

/** The permissions of a new state file: only its owner may read it. */
const PRIVATE = 0o600;

/** The number of saves of this process so far: two emulators of one process may share a file. */
let saves = 0;

/** The files that this process is writing at present. */
const underWay = new Set<string>();

/**
 * Returns a state file: it is loaded if it exists, and written beside itself and renamed, so that it is always
 * complete. A file of more than `long` bytes is read line by line. `replace` moves the new file into the place of the
 * old one.
 */
export function stateFile(path: string, long = LONG, replace: Replace = rename) {
  let saving: Promise<void> = Promise.resolve();
  let waiting: { world: World; others: Iterable<SavedSandbox> } | undefined;
  return {
    /**
     * Returns the content of the file; `undefined` if there is none. Rejects with a sentence, the file untouched, if it
     * is broken or newer than this program, and if a save at the end would fail.
     */
    async load(): Promise<SavedStates | undefined> {
      await mustBeFile(path);
      let state: unknown;
      try {
        state = await read(path, long);
      } catch (error) {
        if (error instanceof SyntaxError)
          throw new Error(`the state file ${path} is not JSON: ${error.message}; it was left as it is`);
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT')
          throw new Error(`cannot read the state file ${path}: ${(error as Error).message}`);
      }
      const saved = state === undefined ? undefined : savedIn(path, state);
      const target = await realpath(path).catch(() => path);
      await clearLeftovers(target);
      await tryOut(path, target);
      return saved;
    },
    /**
     * Writes the present state of the default sandbox, and of the others. Saves happen one after the other; those that
     * wait for one under way are one, with the state that is then present.
     */
    save(world: World, others: Iterable<SavedSandbox> = []): Promise<void> {
      if (waiting) [waiting.world, waiting.others] = [world, others];
      else {
        const wanted = (waiting = { world, others });
        saving = saving
          .catch(() => {})
          .then(() => {
            waiting = undefined;
            return write(path, piecesOf(wanted.world.snapshot(), wanted.others), replace);
          });
      }
      return saving;
    },
  };
}

type Replace = (beside: string, target: string) => Promise<void>;

/** The kinds of things that may stand in a file's place. */
const KINDS: readonly (readonly [(found: Stats) => boolean, string])[] = [
  [(found) => found.isDirectory(), 'a folder'],
  [(found) => found.isFIFO(), 'a pipe'],
  [(found) => found.isSocket(), 'a socket'],
  [(found) => found.isCharacterDevice() || found.isBlockDevice(), 'a device'],
];

/** Refuses, before anything is opened, a path where no file is or can be: a pipe would block its reader for ever. */
async function mustBeFile(path: string): Promise<void> {
  if (path === '') throw new Error('the state file has no name; nothing would be saved');
  const found = await stat(path).catch(() => undefined);
  const kind = found && KINDS.find(([is]) => is(found))?.[1];
  if (kind !== undefined) throw new Error(`the state file ${path} is ${kind}, not a file; nothing would be saved`);
  const link = found === undefined ? await lstat(path).catch(() => undefined) : undefined;
  if (link?.isSymbolicLink())
    throw new Error(`the state file ${path} is a link that leads to no file; it was left as it is`);
  if (/[/\\]$/.test(path) && found === undefined)
    throw new Error(`the state file ${path} is a folder by its name, not a file; nothing would be saved`);
}

/** Reads a file as data. A file in another layout is read as one text, as long as a text can be. */
async function read(path: string, long: number): Promise<unknown> {
  const { size } = await stat(path);
  if (size > long)
    try {
      return await readByLine(path);
    } catch (error) {
      if (!(error instanceof SyntaxError) || size > LONGEST_TEXT) throw error;
    }
  return JSON.parse(await readFile(path, 'utf8'));
}

/** The name of a file that a killed save leaves behind: the file, a process, a number. */
const LEFTOVER = /^\.(\d+)\.\d+\.tmp$/;

/** Returns whether a process of this id runs, under any user. */
function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Removes the files that killed saves of earlier runs left beside the file. */
async function clearLeftovers(target: string): Promise<void> {
  const [folder, name] = [dirname(target), basename(target)];
  for (const file of await readdir(folder).catch(() => [])) {
    const pid = file.startsWith(name) ? LEFTOVER.exec(file.slice(name.length))?.[1] : undefined;
    if (pid === undefined || underWay.has(join(folder, file))) continue;
    if (Number(pid) === process.pid || !isAlive(Number(pid)))
      await rm(join(folder, file), { force: true }).catch(() => {});
  }
}

/** Checks at the start, not at the end, that a save is possible. */
async function tryOut(path: string, target: string): Promise<void> {
  saves += 1;
  const beside = `${target}.${process.pid}.${saves}.tmp`;
  try {
    await (await open(beside, 'wx', PRIVATE)).close();
    await rm(beside);
    // A file that is a mount of its own may be read-only, whatever its folder is.
    await access(target, constants.W_OK).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'EROFS') throw error;
    });
  } catch (error) {
    throw new Error(`cannot write the state file ${path}: ${(error as Error).message}; nothing would be saved`);
  }
}

function savedIn(path: string, state: unknown): SavedStates {
  const format = (state as Partial<Snapshot> | null)?.format;
  if (format !== 1)
    throw new Error(
      `the state file ${path} has format ${JSON.stringify(format)}, this program reads format 1; it was left as it is`,
    );
  try {
    return { state: checkedState(state), sandboxes: sandboxesIn(state) };
  } catch (error) {
    throw new Error(`the state file ${path} does not fit: ${(error as Error).message}; it was left as it is`);
  }
}

/** Returns the sandboxes that follow the default one; a file of an earlier release has none. */
function sandboxesIn(file: unknown): SavedSandbox[] {
  const parsed = SavedOthers().safeParse(file);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new Error(`${issue?.path.join('.')}: ${issue?.message}`);
  }
  return parsed.data.sandboxes.map((sandbox) => {
    try {
      return { ...sandbox, state: checkedState(sandbox.state) };
    } catch (error) {
      throw new Error(`sandbox ${sandbox.id}: ${(error as Error).message}`);
    }
  });
}

/** The bytes per write, except for a piece with a very long row. */
const ROOM = 1024 ** 2;
/** The most bytes of a character of a text. */
const WIDEST = 3;
const [COMMA, NEWLINE] = [44, 10];

/**
 * Writes pieces in order, as many per write as there is room for, while the next are made. Two buffers alternate: a new
 * one each time would make the garbage collector scan all rows.
 */
async function writeAll(file: FileHandle, pieces: Iterable<Piece>): Promise<void> {
  const buffers = [Buffer.allocUnsafe(ROOM), Buffer.allocUnsafe(ROOM)] as const;
  let turn = 0;
  let at = 0;
  let before: Promise<void> = Promise.resolve();
  const write = async (bytes: Buffer) => {
    await before;
    before = file.writeFile(bytes);
  };
  const flush = async () => {
    if (at === 0) return;
    const bytes = buffers[turn]?.subarray(0, at) as Buffer;
    [turn, at] = [1 - turn, 0];
    await write(bytes);
  };
  try {
    for (const piece of pieces) {
      if (at + piece.length * WIDEST > ROOM) await flush();
      if (piece.length * WIDEST > ROOM) await write(Buffer.from(piece.texts.join('')));
      else at = put(piece, buffers[turn] as Buffer, at);
    }
    await flush();
  } finally {
    await before;
  }
}

/** Writes the texts of a piece into a buffer from a position on. Returns the position after them. */
function put({ texts }: Piece, buffer: Buffer, from: number): number {
  let at = from;
  for (const text of texts)
    if (text === BETWEEN) {
      buffer[at] = COMMA;
      buffer[at + 1] = NEWLINE;
      at += 2;
    } else at += buffer.write(text, at);
  return at;
}

/**
 * Writes beside the file, syncs to disk, then renames. On any failure the file is unchanged and nothing else is left.
 */
async function write(path: string, pieces: Iterable<Piece>, replace: Replace): Promise<void> {
  // A link stays a link, and its file keeps its permissions.
  const target = await realpath(path).catch(() => path);
  const mode = await stat(target).then(
    (known) => known.mode & 0o777,
    () => PRIVATE,
  );
  saves += 1;
  const beside = `${target}.${process.pid}.${saves}.tmp`;
  underWay.add(beside);
  try {
    const file = await open(beside, 'w', mode);
    try {
      await writeAll(file, pieces);
      await file.chmod(mode);
      await file.sync();
    } finally {
      await file.close();
    }
    await replace(beside, target).catch((error: NodeJS.ErrnoException) => {
      if (!isHeld(error, process.platform)) throw error;
      return putInPlace(path, beside, target);
    });
  } catch (error) {
    if (error instanceof HalfWritten) throw error;
    await rm(beside, { force: true }).catch(() => {});
    throw new Error(`cannot write the state file ${path}: ${(error as Error).message}; it was left as it was`);
  } finally {
    underWay.delete(beside);
  }
}

/**
 * Returns whether a file cannot be replaced but may still be written: a mount or, on Windows, a file that another
 * program has open.
 */
export const isHeld = ({ code }: NodeJS.ErrnoException, platform: NodeJS.Platform): boolean =>
  code === 'EBUSY' || (platform === 'win32' && (code === 'EPERM' || code === 'EACCES'));

/** The error for a file that may be incomplete; the whole state is in the file beside it. */
class HalfWritten extends Error {}

/** Writes into the existing file: one that is a mount of its own, as in a container, cannot be replaced. */
async function putInPlace(path: string, beside: string, target: string): Promise<void> {
  try {
    await copyFile(beside, target);
    const file = await open(target, 'r+');
    await file.sync().finally(() => file.close());
  } catch (error) {
    throw new HalfWritten(
      `cannot write the state file ${path}: ${(error as Error).message}; what was to be saved is in ${beside}`,
    );
  }
  await rm(beside, { force: true });
}
