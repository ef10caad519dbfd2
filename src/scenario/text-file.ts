import { createReadStream } from 'node:fs';
import { OF_A_FILE } from './bounds.ts';
import { ScenarioError } from './error.ts';

/**
 * Reads a scenario file as text. Throws `ScenarioError` if it is endless or too large, and errors of the file system as
 * they are.
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
  return Buffer.concat(chunks).toString('utf8');
}
