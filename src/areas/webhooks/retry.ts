/** The number of retries after a first failed attempt (spec 6 rule 3). */
export const RETRIES = 160;
/** The milliseconds over which retries are spread (spec 6 rule 3). */
export const WINDOW_MS = 7 * 24 * 3600 * 1000;
const FIRST_MS = 5000;

/**
 * The longest pause of the default schedule: pauses double from 5 s up to it, and 160 of them fill 7 days. Computed,
 * because the specification states both ends but not the middle.
 */
const LONGEST_MS = (() => {
  let doubling = 0;
  for (let n = 0; n < RETRIES; n += 1) {
    const even = (WINDOW_MS - doubling) / (RETRIES - n);
    const pause = FIRST_MS * 2 ** n;
    if (pause >= even) return Math.floor(even);
    doubling += pause;
  }
  return FIRST_MS;
})();

/**
 * Returns the virtual milliseconds between attempt number `tried` (the first is 1) and the next; undefined if there is
 * no next. Exponential: 5 s, 10 s, 20 s ... up to a longest pause, the profile's if it has one.
 */
export function pauseAfter(tried: number, longest: number = LONGEST_MS): number | undefined {
  if (tried > RETRIES) return undefined;
  return Math.min(FIRST_MS * 2 ** (tried - 1), longest);
}
