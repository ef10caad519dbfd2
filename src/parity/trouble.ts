import { networkTrouble } from '../engine/network.ts';

/** A problem on the way to the other side, in one sentence that the user sees as it is. */
export class Trouble extends Error {}

/** Returns the meaning of a network error, in one sentence with its code. */
export function troubleOf(host: string, error: unknown): Trouble {
  if (error instanceof Trouble) return error;
  const { code = '', message } = error as NodeJS.ErrnoException;
  return new Trouble(networkTrouble(host, { code }) ?? `${host} cannot be called (${code || message})`);
}
