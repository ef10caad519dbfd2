import { readFileSync, statSync } from 'node:fs';
import type { Server } from 'node:https';
import { createSecureContext } from 'node:tls';
import { realInterval } from '../engine/timers.ts';

/** The files of a certificate. */
export interface TlsFiles {
  readonly cert: string;
  readonly key: string;
}

/** A certificate chain and its private key, as PEM. */
interface Pair {
  readonly cert: string;
  readonly key: string;
}

/** Real milliseconds between two looks at the files: links that are swapped are seen, too, which a watch may miss. */
const LOOK_MS = 1000;

/** Reads a certificate and its key. Throws a sentence for files that cannot be read, or do not belong together. */
export function readPair({ cert, key }: TlsFiles): Pair {
  const pair = { cert: textOf('--tls-cert', cert), key: textOf('--tls-key', key) };
  try {
    createSecureContext(pair);
  } catch (error) {
    throw new Error(`${cert} and ${key} are not a certificate and its key: ${(error as Error).message}`);
  }
  return pair;
}

function textOf(flag: string, file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new Error(`${flag} ${file} cannot be read: ${(error as NodeJS.ErrnoException).code}`);
  }
}

/**
 * Takes a changed pair of files up, for connections that begin afterwards. One that cannot be used is reported once, and the pair
 * before it stays. Returns how to stop.
 */
export function followFiles(files: TlsFiles, server: Server, broken: (error: unknown) => void): () => void {
  let last = markOf(files);
  return realInterval(() => {
    const mark = markOf(files);
    if (mark === last) return;
    last = mark;
    try {
      server.setSecureContext(readPair(files));
    } catch (error) {
      broken(error);
    }
  }, LOOK_MS);
}

/** Returns what changes when a file does: its place on the disk, its size and its time. */
const markOf = ({ cert, key }: TlsFiles): string =>
  [cert, key]
    .map((file) => {
      const stat = statSync(file, { throwIfNoEntry: false, bigint: true });
      return stat ? `${stat.ino} ${stat.size} ${stat.mtimeNs}` : 'none';
    })
    .join(', ');
