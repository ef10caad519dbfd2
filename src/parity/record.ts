import { readFileSync, writeFileSync } from 'node:fs';
import type { Recorded } from './session.ts';
import type { Login } from './sides.ts';

/** Which format a file has. */
const FORMAT = 'sandbox-emulator parity 1';

/** What the other side said in a run, ids renamed, and without credentials, tokens and secrets. */
export interface Recording {
  readonly format: string;
  /** The emulator's version that recorded it. */
  readonly version: string;
  readonly seed: number;
  /** Names and rules of either side. */
  readonly profile: 'spec' | 'grid';
  readonly againstProfile: 'spec' | 'grid';
  /** The other side held what others had made: lists are compared as far as they concern the walk. */
  readonly shared: boolean;
  /** The other side was a service. */
  readonly live: boolean;
  readonly scenarios: readonly (string | object)[];
  readonly walks: readonly Recorded[];
}

export type Header = Omit<Recording, 'format' | 'walks'>;

const MASK = '•••';

/** Writes a recording. Whatever it holds, the credentials that the other side was asked with are not in it. */
export function writeRecording(
  file: string,
  header: Header,
  walks: readonly Recorded[],
  login: Login | undefined,
): void {
  let text = JSON.stringify({ format: FORMAT, ...header, walks });
  for (const secret of [login?.secret, login?.id])
    if (secret !== undefined && secret.length > 3) text = text.replaceAll(JSON.stringify(secret).slice(1, -1), MASK);
  writeFileSync(file, `${text}\n`, { mode: 0o600 });
}

/** Reads a recording. Throws one sentence when the file is none. */
export function readRecording(file: string): Recording {
  let found: Partial<Recording>;
  try {
    found = JSON.parse(readFileSync(file, 'utf8')) as Partial<Recording>;
  } catch (error) {
    throw new Error(`${file} cannot be read as a recording: ${(error as Error).message}`);
  }
  if (found?.format !== FORMAT || !Array.isArray(found.walks))
    throw new Error(`${file} is no recording of parity, or of another version: it has to say ${FORMAT}`);
  return found as Recording;
}
