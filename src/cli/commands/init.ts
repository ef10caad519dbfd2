import { access, mkdir, writeFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { invocation } from '../invocation.ts';
import { template } from '../template.ts';
import { fileTrouble, printable } from '../text.ts';

const SCHEMA = 'node_modules/sandbox-emulator/scenario.schema.json';

/** Writes a scenario with everything that one can contain. It does not overwrite a file by default. */
export async function init(file: string, { force }: { force?: boolean }): Promise<void> {
  const path = resolve(file);
  const impossible = (error: unknown): never => {
    throw new Error(`cannot write ${file}: ${fileTrouble(error)}`);
  };
  await mkdir(dirname(path), { recursive: true }).catch(impossible);
  try {
    await writeFile(path, template(await schemaSeenFrom(dirname(path))), { flag: force ? 'w' : 'wx' });
  } catch (error) {
    const failed = error as NodeJS.ErrnoException;
    if (failed.code === 'EEXIST') throw new Error(`${file} is there already; --force writes over it`);
    impossible(failed);
  }
  process.stdout.write(`wrote ${printable(file)}; start with: ${invocation()} --scenario ${printable(file)} --watch\n`);
}

/**
 * Returns the path from a folder to the schema of the nearest installation; without one, the path where it would be.
 */
async function schemaSeenFrom(folder: string): Promise<string> {
  for (let at = folder; ; at = dirname(at)) {
    const found = join(at, SCHEMA);
    if (
      await access(found).then(
        () => true,
        () => false,
      )
    )
      return relative(folder, found).replaceAll('\\', '/');
    if (at === dirname(at)) return SCHEMA;
  }
}
