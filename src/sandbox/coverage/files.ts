import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { nanoid } from 'nanoid';
import * as z from 'zod';
import { lazy } from '../../contract/lazy.ts';
import type { ProfileName } from '../../public.ts';
import { VERSION } from '../../version.ts';
import { addCounts, type Counts, noCounts } from './counts.ts';

/** The value of `format`, which changes when an older reader would misread the file. */
const FORMAT = 1;
/** The names that `writeCounts` gives; `coverage-final.json` is from a test runner. */
const NAME = /^coverage-\d+-[\w-]{8}\.json$/;

const CoverageFile = lazy(() => {
  const Tally = z.record(z.string(), z.int().min(0));
  return z.strictObject({
    format: z.literal(FORMAT),
    version: z.string(),
    profile: z.enum(['spec', 'grid']),
    operations: z.record(z.string(), Tally),
    events: Tally,
    magic: Tally,
    states: Tally,
  });
});

const because = (error: unknown): string => (error as Error).message;

/** Creates the folder of coverage files. Rejects with a sentence if it cannot. */
export async function openFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true }).catch((error) => {
    throw new Error(`cannot write coverage to ${folder}: ${because(error)}`);
  });
}

/** Writes the counts of a process to a file of its own in a folder. Rejects with a sentence if it cannot. */
export async function writeCounts(folder: string, counts: Counts, profile: ProfileName): Promise<void> {
  await openFolder(folder);
  const file = join(folder, `coverage-${process.pid}-${nanoid(8)}.json`);
  await writeFile(file, `${JSON.stringify({ format: FORMAT, version: VERSION, profile, ...counts }, null, 1)}\n`, {
    flag: 'wx',
  }).catch((error) => {
    throw new Error(`cannot write coverage to ${file}: ${because(error)}`);
  });
}

/** The counts of several processes together. */
export interface Merged {
  readonly files: number;
  readonly profile: ProfileName;
  readonly counts: Counts;
}

/**
 * Adds up the counts of files, and of the coverage files of folders. Rejects with a sentence that names a file if it is
 * missing, is not a coverage file, or is of another profile than the rest.
 */
export async function readCounts(paths: readonly string[]): Promise<Merged> {
  const files = (await Promise.all(paths.map(filesAt))).flat();
  const counts = noCounts();
  let profile: ProfileName | undefined;
  for (const file of files) {
    const read = await countsIn(file);
    if (profile !== undefined && read.profile !== profile)
      throw new Error(`${file} is of profile ${read.profile}, the files before it of ${profile}: count them apart`);
    profile = read.profile;
    addCounts(counts, read);
  }
  if (profile === undefined) throw new Error(`there is no coverage file in ${paths.join(', ')}`);
  return { files: files.length, profile, counts };
}

async function filesAt(path: string): Promise<string[]> {
  const found = await stat(path).catch(() => undefined);
  if (!found) throw new Error(`there is no file or folder ${path}`);
  if (!found.isDirectory()) return [path];
  const names = await readdir(path);
  return names
    .filter((name) => NAME.test(name))
    .sort()
    .map((name) => join(path, name));
}

async function countsIn(file: string): Promise<z.output<ReturnType<typeof CoverageFile>>> {
  let value: unknown;
  try {
    value = JSON.parse(await readFile(file, 'utf8'));
  } catch (error) {
    throw new Error(`${file} is not a coverage file: ${because(error)}`);
  }
  const { format } = (value ?? {}) as { format?: unknown };
  if (typeof format === 'number' && format > FORMAT)
    throw new Error(`${file} was written by a newer version of sandbox-emulator`);
  const checked = CoverageFile().safeParse(value);
  if (checked.success) return checked.data;
  const [issue] = checked.error.issues;
  throw new Error(`${file} is not a coverage file: ${issue?.path.join('.') || 'the whole'}: ${issue?.message}`);
}
