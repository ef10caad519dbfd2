const ISO = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?) ?(Z|[+-]\d\d(?::?\d\d)?)?)?$/i;

/**
 * Returns the moment of an ISO 8601 date or date-time, in milliseconds; undefined for any other text. Without an offset
 * it is in UTC, so that it is the same moment on every machine.
 */
export function parseMoment(text: string): number | undefined {
  const [found, day, time = '00:00', offset = 'Z'] = ISO.exec(text) ?? [];
  if (found === undefined) return undefined;
  const [, hours, minutes = '00'] = /^([+-]\d\d):?(\d\d)?$/.exec(offset) ?? [];
  const at = Date.parse(`${day}T${time}${hours === undefined ? 'Z' : `${hours}:${minutes}`}`);
  return Number.isNaN(at) ? undefined : at;
}
