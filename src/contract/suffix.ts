/** Returns the last three characters of a text, which choose a sandbox outcome. */
export const suffixOf = (text: string): string => text.slice(-3);

/** Returns the entry for a text in a table of magic suffixes; undefined for a missing text. */
export const bySuffix = <T>(table: Readonly<Record<string, T>>, text: string | undefined): T | undefined =>
  text !== undefined && Object.hasOwn(table, suffixOf(text)) ? table[suffixOf(text)] : undefined;

/** The values of one field with a special effect in the sandbox: suffixes, or whole values. */
export interface MagicValues {
  readonly field: string;
  readonly values: readonly string[];
}

/** Returns the name of a magic value: its field, and the suffix or the value. */
export const magicName = (field: string, value: string): string => `${field} ${value}`;
