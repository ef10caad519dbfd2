// Compiled code of earlier starts. V8 runs what it is given: a file is taken only if nobody but this user can have written it,
// and if it is whole.
import { createHash } from 'node:crypto';
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';

/** Files that are kept, a megabyte each: one a version, a Node and a set of its flags. */
const MOST = 16;
/** Bytes of the digest before the code. */
const DIGEST = 32;
/** Permissions of everybody but the owner. */
const OTHERS = 0o077;

/** Whether what stands there belongs to a user and lets nobody else in; Windows has no such ids, and a folder per user. */
export const isPrivate = ({ uid, mode }, user) => user === undefined || (uid === user && (mode & OTHERS) === 0);

/** Returns the folder for compiled code within the temporary one, made where there is none; `undefined` where it is not private. */
export function privateFolder(temporary, user) {
  const folder = join(temporary, `sandbox-emulator-${user ?? 'cache'}`);
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch {}
  try {
    const found = lstatSync(folder);
    return found.isDirectory() && isPrivate(found, user) ? folder : undefined;
  } catch {
    return undefined;
  }
}

/** The digest of compiled code under the name that it is kept by: a file that was renamed is not what it says. */
const digestOf = (path, code) =>
  createHash('sha256')
    .update(path.slice(dirname(path).length))
    .update(code)
    .digest();

/** Returns the compiled code of a file; `undefined` where there is none, it is not ours alone, or it is not whole. */
export function readKept(path, user) {
  let file;
  try {
    // The open file is asked, not its name: between two looks at a name another may be put there. A pipe would wait for a writer.
    file = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
    const found = fstatSync(file);
    if (!found.isFile() || !isPrivate(found, user)) return undefined;
    const bytes = readFileSync(file);
    const code = bytes.subarray(DIGEST);
    return digestOf(path, code).equals(bytes.subarray(0, DIGEST)) ? code : undefined;
  } catch {
    return undefined;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

/** Keeps compiled code for the next start, in place of whatever is there. It is only ever of use, so no failure matters. */
export function writeKept(path, code) {
  // Threads of a process may write at once.
  const written = `${path}.${process.pid}-${Math.random().toString(36).slice(2)}`;
  try {
    writeFileSync(written, Buffer.concat([digestOf(path, code), code]), { mode: 0o600, flag: 'wx' });
    // A folder is not replaced by renaming.
    if (lstatSync(path, { throwIfNoEntry: false })?.isDirectory()) rmSync(path, { recursive: true });
    renameSync(written, path);
    const all = readdirSync(dirname(path)).map((name) => join(dirname(path), name));
    const byAge = all.map((each) => [lstatSync(each).mtimeMs, each]).sort(([a], [b]) => b - a);
    for (const [, old] of byAge.slice(MOST)) rmSync(old, { force: true, recursive: true });
  } catch {
    try {
      rmSync(written, { force: true });
    } catch {}
  }
}
