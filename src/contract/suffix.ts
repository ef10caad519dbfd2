/** The three characters at the end of a text, which choose a sandbox outcome. */
export const suffixOf = (text: string): string => text.slice(-3);

/** Returns what a table of magic suffixes says of a text; nothing of a text that is not there. */
export const bySuffix = <T>(table: Readonly<Record<string, T>>, text: string | undefined): T | undefined =>
  text !== undefined && Object.hasOwn(table, suffixOf(text)) ? table[suffixOf(text)] : undefined;

/** The values of one field that make the sandbox do something: suffixes, or whole values. */
export interface MagicValues {
  readonly field: string;
  readonly values: readonly string[];
}

/** The name of a magic value: its field, and the suffix or the value. */
export const magicName = (field: string, value: string): string => `${field} ${value}`;
