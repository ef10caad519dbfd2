/** The bounds of a text: its characters, and its tokens (indicators, texts, spaces, line breaks). */
export interface Bounds {
  readonly characters: number;
  readonly tokens: number;
}

/**
 * The bounds of a text from a call: other calls wait while the library composes it, for some dozens of milliseconds.
 */
export const OF_A_CALL: Bounds = { characters: 128 * 1024, tokens: 30_000 };
/** The bounds of a file that the person who runs the emulator named: some megabytes, or seconds. */
export const OF_A_FILE: Bounds = { characters: 32 * 1024 * 1024, tokens: 2_000_000 };

/** The number of mistakes after which the check stops: far fewer are shown, and a second reading takes long. */
export const MOST_MISTAKES = 1000;
