/** JSON text with the keys of every object sorted: the form in which payloads are signed and bodies are compared. */
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

/**
 * Returns what a body says, whatever its spacing and the order of its keys; clients write it out anew for the retry. None
 * says `{}`.
 */
export const fingerprint = (text: string): string => (text.trim() === '' ? '{}' : canonical(JSON.parse(text)));
