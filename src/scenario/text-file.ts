import { isUtf8 } from 'node:buffer';
import { createReadStream } from 'node:fs';
import { OF_A_FILE } from './bounds.ts';
import { ScenarioError } from './error.ts';

const NOT_UTF8 = 'this is not UTF-8 text; save the file as UTF-8 (PowerShell and some editors write UTF-16)';

/**
 * Reads a scenario file as text. Throws `ScenarioError` if it is endless, too large or not UTF-8, and errors of the
 * file system as they are.
 */
export async function readTextFile(path: string): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of createReadStream(path)) {
    size += chunk.length;
    if (size > OF_A_FILE.characters)
      throw new ScenarioError(path, [{ line: 1, column: 1, message: `larger than ${OF_A_FILE.characters} bytes` }]);
    chunks.push(chunk);
  }
  const bytes = Buffer.concat(chunks);
  if (!isUtf8(bytes)) throw new ScenarioError(path, [{ line: lineOfMistake(bytes), column: 1, message: NOT_UTF8 }]);
  return bytes.toString('utf8');
}

/** Returns the first line, counted from 1, that is not UTF-8. */
function lineOfMistake(bytes: Buffer): number {
  let line = 1;
  for (let from = 0; from < bytes.length; line += 1) {
    const end = bytes.indexOf('\n', from);
    const next = end < 0 ? bytes.length : end + 1;
    if (!isUtf8(bytes.subarray(from, next))) return line;
    from = next;
  }
  return line;
}
