import { existsSync, readdirSync, readFileSync } from 'node:fs';

/** Where recordings of the service, and shapes of its answers, would be. */
export const PLACES = { recordings: 'test/parity/recordings', shapes: 'test/parity/shapes' } as const;

/** A file that says what the service has answered. */
export interface Heard {
  readonly file: string;
  readonly date: string;
  readonly text: string;
}

/** Returns the files of a folder that say what the service has answered, by name. */
export function heardIn(folder: string): readonly Heard[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .sort()
    .map((name) => {
      const text = readFileSync(`${folder}/${name}`, 'utf8');
      const { date } = JSON.parse(text) as { date?: unknown };
      return { file: `${folder}/${name}`, date: typeof date === 'string' ? date : 'no date', text };
    });
}

/** Everything that the repository has heard of the service. */
export const HEARD: readonly Heard[] = [...heardIn(PLACES.recordings), ...heardIn(PLACES.shapes)];

/** Said of an operation of which no file says what the service answers; it is derived, so that it ends with its cause. */
export const UNCONFIRMED = `No client outside this repository and no recording of the service has confirmed it: neither ${PLACES.recordings} nor ${PLACES.shapes} has a file that names it.`;

/** Returns what the service itself has confirmed of an operation: the files and their dates, or that there is nothing. */
export function confirmedBy(id: string, heard: readonly Heard[] = HEARD): readonly string[] | string {
  const files = heard.filter(({ text }) => text.includes(JSON.stringify(id)));
  return files.length > 0 ? files.map(({ file, date }) => `${file} of ${date}`) : UNCONFIRMED;
}
