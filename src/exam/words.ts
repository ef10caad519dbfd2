import { type Context, createContext, Script } from 'node:vm';
import { Unable } from './types.ts';

/** Words of a reply which mean that a payment failed, or that it is paid. */
export const SAYS_FAILED = 'failed|returned|refunded|expired|cancel(l)?ed';
export const SAYS_PAID = 'paid|completed|settled|succeeded';

/** Returns the pattern that finds whole words. Throws `Unable` if it is not a regular expression. */
export function wordsOf(flag: string, pattern: string): RegExp {
  if (pattern === '') throw new Error(`${flag} must not be empty: it would mean every answer`);
  try {
    return new RegExp(`(?<!\\w)(?:${pattern})(?!\\w)`, 'i');
  } catch {
    throw new Unable(`${flag} must be a regular expression such as ${SAYS_PAID}, not ${pattern}`);
  }
}

/** The emulator's own patterns, whose search time is linear in the length of the reply. */
const OWN: ReadonlySet<string> = new Set([SAYS_FAILED, SAYS_PAID].map((words) => wordsOf('', words).source));

/** The real milliseconds that a search may take, and the CPU milliseconds after which it counts as endless. */
const LONGEST_MS = 1000;
const WORKED_MS = 400;
/** The most searches that a busy machine may interrupt before they have used that much CPU. */
const MOST_TRIES = 10;

let place: { readonly script: Script; readonly context: Context } | undefined;

/**
 * Returns whether a reply of the backend has the words of a pattern. Throws `Unable` after a second of work: a pattern
 * such as `(a+)+$` may take for ever, and only a script with a time limit can be stopped.
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
      // The limit is in real time: on a busy machine it does not prove that the search is long.
      if (tries < MOST_TRIES && process.cpuUsage(before).user < WORKED_MS * 1000) continue;
      throw new Unable(
        `the pattern of ${flag} takes more than a second on an answer of --ask: use words such as ${SAYS_PAID}, without one repetition inside another`,
      );
    }
  }
}
