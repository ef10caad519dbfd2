const PATTERN =
  /^P(?:(\d+(?:\.\d+)?)W)?(?:(\d+(?:\.\d+)?)D)?(?:T(?:(\d+(?:\.\d+)?)H)?(?:(\d+(?:\.\d+)?)M)?(?:(\d+(?:\.\d+)?)S)?)?$/;
const UNITS = [7 * 86_400_000, 86_400_000, 3_600_000, 60_000, 1000];

/** Milliseconds of an ISO 8601 duration of weeks, days, hours, minutes and seconds; `undefined` when it is none. */
export function parseDuration(text: string): number | undefined {
  const match = PATTERN.exec(text);
  if (!match || text.endsWith('P') || text.endsWith('T')) return undefined;
  const ms = match.slice(1).reduce((sum, part, i) => sum + Number(part ?? 0) * (UNITS[i] as number), 0);
  return Number.isSafeInteger(Math.round(ms)) ? Math.round(ms) : undefined;
}
