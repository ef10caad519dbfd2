/** The bounds of a text: its characters, and its tokens (indicators, texts, spaces, line breaks). */
export interface Bounds {
  readonly characters: number;
  readonly tokens: number;
}

/** Of a text that arrived by a call: other calls wait while the library composes it, some dozens of milliseconds. */
export const OF_A_CALL: Bounds = { characters: 128 * 1024, tokens: 30_000 };
/** Of a file that anyone who runs the emulator named: some megabytes, or seconds. */
export const OF_A_FILE: Bounds = { characters: 32 * 1024 * 1024, tokens: 2_000_000 };

/** Mistakes with which nothing else is looked for: far fewer are shown, and reading it all again takes long. */
export const MOST_MISTAKES = 1000;
