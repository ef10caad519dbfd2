declare const __VERSION__: string | undefined;

/** The package's version; the build inserts it, and a run from source has a placeholder. */
export const VERSION = typeof __VERSION__ === 'string' ? __VERSION__ : '0.0.0-source';
