/**
 * Returns JSON text with the keys of every object sorted: the form in which payloads are signed and bodies compared.
 */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((item) => canonical(item ?? null)).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  let members = '';
  for (const key of Object.keys(value).sort()) {
    const member = (value as Record<string, unknown>)[key];
    if (member === undefined) continue;
    members += `${members === '' ? '' : ','}${JSON.stringify(key)}:${canonical(member)}`;
  }
  return `{${members}}`;
}

/** Returns a body in canonical form, as clients serialize it anew for the retry. No body counts as `{}`. */
export const fingerprint = (text: string): string => (text.trim() === '' ? '{}' : canonical(JSON.parse(text)));
