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

/** Real milliseconds between two checks of the files: they also see swapped links, which a watch may miss. */
const LOOK_MS = 1000;

/** Reads a certificate and its key. Throws a sentence for files that are unreadable, or do not belong together. */
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
 * Applies a changed pair of files to later connections. An unusable pair is reported once, and the previous one stays.
 * Returns the function that stops it.
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

/** Returns a text that changes with a file: its place on the disk, its size and its time, or why they cannot be read. */
const markOf = ({ cert, key }: TlsFiles): string => [cert, key].map(markOfFile).join(', ');

function markOfFile(file: string): string {
  try {
    const { ino, size, mtimeNs } = statSync(file, { bigint: true });
    return `${ino} ${size} ${mtimeNs}`;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? 'none';
  }
}
