import { readFileSync } from 'node:fs';

/** The texts that the build inserts, as JSON; a program that runs from source reads the files. */
declare const __ASSETS__: string | undefined;

const BUILT: Readonly<Record<string, string>> = typeof __ASSETS__ === 'string' ? JSON.parse(__ASSETS__) : {};

/** Returns the text of a file of `src` that pages load or contain, such as `hosted/hosted.css`. */
export const assetText = (file: string): string =>
  BUILT[file] ?? readFileSync(new URL(`../${file}`, import.meta.url), 'utf8');
