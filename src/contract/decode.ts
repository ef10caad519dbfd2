/** Returns a text without its percent escapes; as it is, where one of them is none. */
export function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
