import { type Context, createContext, Script } from 'node:vm';
import { Unable } from './types.ts';

/** Words of an answer that say that a payment failed, and that it is paid. */
export const SAYS_FAILED = 'failed|returned|refunded|expired|cancel(l)?ed';
export const SAYS_PAID = 'paid|completed|settled|succeeded';

/** Returns the pattern that finds whole words. Throws `Unable` where it is not a regular expression. */
export function wordsOf(flag: string, pattern: string): RegExp {
  if (pattern === '') throw new Error(`${flag} must not be empty: it would mean every answer`);
  try {
    return new RegExp(`(?<!\\w)(?:${pattern})(?!\\w)`, 'i');
  } catch {
    throw new Unable(`${flag} must be a regular expression such as ${SAYS_PAID}, not ${pattern}`);
  }
}

/** The emulator's own patterns, which take no longer than the answer is long. */
const OWN: ReadonlySet<string> = new Set([SAYS_FAILED, SAYS_PAID].map((words) => wordsOf('', words).source));

/** Real milliseconds that a search may take, and how much of them it must have worked to count as endless. */
const LONGEST_MS = 1000;
const WORKED_MS = 400;
/** Searches that a busy machine may interrupt before they have worked. */
const MOST_TRIES = 10;

let place: { readonly script: Script; readonly context: Context } | undefined;

/**
 * Returns whether an answer of the backend has the words of a pattern. Throws `Unable` after a second of work: a pattern such as
 * `(a+)+$` tries more ways than anybody can wait for, and only a script with a time limit can be stopped.
 */
export function hasWords(flag: string, pattern: RegExp, answer: string): boolean {
  if (OWN.has(pattern.source)) return pattern.test(answer);
  place ??= { script: new Script('pattern.lastIndex = 0; pattern.test(answer)'), context: createContext({}) };
  const { script, context } = place;
  Object.assign(context, { pattern, answer });
  for (let tries = 1; ; tries += 1) {
    const before = process.cpuUsage();
    try {
      return script.runInContext(context, { timeout: LONGEST_MS }) === true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
      // The limit is of real time: a machine that did something else has not shown that the search is long.
      if (tries < MOST_TRIES && process.cpuUsage(before).user < WORKED_MS * 1000) continue;
      throw new Unable(
        `the pattern of ${flag} takes more than a second on an answer of --ask: use words such as ${SAYS_PAID}, without one repetition inside another`,
      );
    }
  }
}
