/**
 * Characters that a terminal would obey or hide: control characters, line separators, marks that reverse the direction
 * of writing, and lone surrogates.
 */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

/** Returns text from elsewhere, made safe for one line on a terminal. */
export const printable = (text: string): string =>
  text.replace(UNSEEN, (c) => {
    const code = c.codePointAt(0) as number;
    return code < 0x100 ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u{${code.toString(16)}}`;
  });

/** Returns several lines from elsewhere, made safe except for their line breaks. */
export const printableLines = (text: string): string => text.split(/\r?\n/).map(printable).join('\n');

/** Returns why a file cannot be read or written, in words; an unknown reason by its code. */
export function fileTrouble(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return (code === undefined ? undefined : TROUBLES[code]) ?? code ?? message;
}

const TROUBLES: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file or folder',
  EISDIR: 'it is a folder, not a file',
  ENOTDIR: 'a part of its path is a file, not a folder',
  EEXIST: 'a part of its path is a file, not a folder',
  EACCES: 'this user may not use it',
  EPERM: 'this user may not use it',
  EROFS: 'it is on a disk that is only read',
  ENOSPC: 'the disk is full',
};

/** Returns a value as one line of JSON that a terminal can show: it parses to the same value. */
export const jsonText = (value: unknown, indent?: number): string =>
  JSON.stringify(value, null, indent).replace(UNSEEN, (c) =>
    c === '\n' && indent ? c : [...c].flatMap(unitsOf).map(escapeUnit).join(''),
  );

const unitsOf = (c: string): number[] => Array.from({ length: c.length }, (_, i) => c.charCodeAt(i));
const escapeUnit = (unit: number): string => `\\u${unit.toString(16).padStart(4, '0')}`;

const plain = (text: string): string => text;
const ansi = (code: number) => (text: string) => `\u001b[${code}m${text}\u001b[0m`;

/** Returns the functions that paint text; without colours they do nothing. */
export function colours(on: boolean) {
  return on
    ? { bold: ansi(1), dim: ansi(2), red: ansi(31), green: ansi(32), yellow: ansi(33), cyan: ansi(36) }
    : { bold: plain, dim: plain, red: plain, green: plain, yellow: plain, cyan: plain };
}
export type Colours = ReturnType<typeof colours>;

/**
 * Returns whether to paint: `NO_COLOR` forbids it, `FORCE_COLOR` demands it (0 forbids), otherwise a capable terminal
 * decides.
 */
export function hasColours(
  terminal: boolean,
  env: Readonly<Record<string, string | undefined>> = process.env,
): boolean {
  if (env['NO_COLOR']) return false;
  const forced = env['FORCE_COLOR'];
  if (forced !== undefined) return forced !== '0' && forced !== 'false';
  return terminal && env['TERM'] !== 'dumb';
}
