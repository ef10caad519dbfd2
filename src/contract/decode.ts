/** Returns a text without its percent escapes; unchanged if an escape is malformed. */
export function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
