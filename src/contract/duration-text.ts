const NUMBER = String.raw`(\d+(?:\.\d{1,9})?)`;
const optional = (unit: string): string => `(?:${NUMBER}${unit})?`;

/** ISO 8601: `P1W`, `P7D`, `PT1H30M`. A bare `P` or `T` names no time. */
const ISO = String.raw`P(?=\d|T)${optional('W')}${optional('D')}(?:T(?=\d)${['H', 'M', 'S'].map(optional).join('')})?`;
/** Informal durations: `7d`, `1h30m`, `90s`, `500ms`; the largest unit first. */
const SPOKEN = String.raw`(?=\d)${['w', 'd', 'h', 'm', 's', 'ms'].map(optional).join('')}`;

const WEEK_TO_SECOND = [7 * 86_400_000, 86_400_000, 3_600_000, 60_000, 1000];
const FORMS = [
  { pattern: new RegExp(`^${ISO}$`), units: WEEK_TO_SECOND },
  { pattern: new RegExp(`^${SPOKEN}$`), units: [...WEEK_TO_SECOND, 1] },
];

/** The pattern that every duration matches, for schemas and editors; without anchors. */
export const DURATION_PATTERN = `(?:${ISO}|${SPOKEN})`.replaceAll(NUMBER, NUMBER.replace('(', '(?:'));

/** The end of every message that refuses a duration. */
export const DURATION_FORM = 'a duration such as 2h, 90s, 1h30m, 7d or PT15M';

/** The longest delay of work, and the longest duration: the clock ends a year before dates do. */
export const LONGEST_DAYS = 365;
const LONGEST_MS = LONGEST_DAYS * 86_400_000;

/** True for milliseconds that are more than `LONGEST_DAYS`. */
export const isTooLong = (ms: number): boolean => ms > LONGEST_MS;

/** Returns the message for a valid duration that exceeds a maximum. */
export const tooLong = (most: string): string => `is too long: at most ${most}`;

/**
 * Returns the milliseconds of a duration, in ISO 8601 (`PT90S`) or informal (`90s`, `2h`, `7d`); `undefined` for any
 * other text. It accepts any length: the caller checks the maximum, with `tooLong`.
 */
export function parseDuration(text: string): number | undefined {
  for (const { pattern, units } of FORMS) {
    const parts = pattern.exec(text)?.slice(1);
    if (!parts) continue;
    return Math.round(parts.reduce((sum, part, i) => sum + Number(part ?? 0) * (units[i] as number), 0));
  }
  return undefined;
}
