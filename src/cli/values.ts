import type { Argument, Option } from 'commander';
import { Remote } from './remote.ts';

/** A completion and its description. */
export type Candidate = readonly [value: string, about: string];

/** Stands for the files of the folder, which the shell completes itself. */
export const FILES = ':files';

/** Milliseconds within which a running emulator has to reply: nobody waits after a key press. */
const PATIENCE_MS = 500;

/** Words without a meaning to any shell: the name of a sandbox may be any text. */
const HARMLESS = /^[\w.:@%+,/-]+$/;

type Source = (remote: Remote) => Promise<readonly Candidate[]>;

/** Returns the reply of a running emulator; rejects if it takes too long. Other calls may take their time. */
const fetched = <T>(remote: Remote, path: string): Promise<T> =>
  Promise.race([
    remote.ask<T>('GET', path),
    new Promise<never>((_, reject) => {
      setTimeout(reject, PATIENCE_MS).unref();
    }),
  ]);

const list =
  <T>(path: string, candidate: (row: T) => Candidate): Source =>
  async (remote) =>
    (await fetched<{ data: readonly T[] }>(remote, path)).data.map(candidate);

const operations = list<{ id: string; method: string; path: string }>('/operations', ({ id, method, path }) => [
  id,
  `${method} ${path}`,
]);
const events: Source = async () =>
  (await import('../areas.ts')).EVENTS.flatMap(({ types, summary }) => types.map((type) => [type, summary] as const));
/** Returns request ids, and the meaning of `last`. */
const requestsWith =
  (last: string): Source =>
  async (remote) => [
    ['last', last],
    ...(await list<{ id: string; status: number; method: string; path: string }>(
      '/requests?limit=50',
      ({ id, status, method, path }) => [id, `${status} ${method} ${path}`],
    )(remote)),
  ];
const builtIns: Source = async () =>
  (await import('../scenario/builtin.ts')).BUILT_INS.map((name) => [name, 'built-in scenario'] as const);

/** The sources of a placeholder's values; `<command> <placeholder>` wins over `<placeholder>`. */
const SOURCES: Readonly<Record<string, Source>> = {
  'operation id': operations,
  operation: operations,
  'event type': events,
  event: events,
  'token id': async (remote) =>
    (
      await fetched<{ sandboxes: { id: string; customers: number; requests: number }[] }>(remote, '/running?limit=1000')
    ).sandboxes.map(({ id, customers, requests }) => [id, `${customers} customers, ${requests} requests`]),
  snapshot: list<{ name: string; at: string }>('/snapshots', ({ name, at }) => [name, `kept at ${at}`]),
  state: async (remote) => [
    ['now', 'the sandbox as it is'],
    ['before:last', 'before the latest call that changed something'],
    ...(await list<{ name: string; at: string }>('/snapshots', ({ name, at }) => [name, `kept at ${at}`])(remote)),
  ],
  'request id': requestsWith('the newest refusal'),
  'rewind request id': requestsWith('the newest call since which something changed'),
  'fault id': list<{ id: string; match: object }>('/faults', ({ id, match }) => [id, JSON.stringify(match)]),
  code: async () =>
    Object.entries((await import('../contract/errors.ts')).ERRORS).map(([code, status]) => [code, String(status)]),
  'scenarios name': builtIns,
  'name or file': async (remote) => [...(await builtIns(remote)), [FILES, '']],
  file: async () => [[FILES, '']],
  'help command': async () =>
    (await import('./commands.ts')).commandLine().commands.map((one) => [one.name(), one.description()]),
};

/** Returns the values of a flag or an argument; none if no emulator runs, or it does not reply at once. */
export async function valuesOf(
  command: string,
  what: Option | Argument,
  where: { url: string; sandbox?: string; controlToken?: string },
): Promise<readonly Candidate[]> {
  if (what.argChoices) return what.argChoices.map((choice) => [choice, '']);
  const name = 'flags' in what ? (/[<[](.+?)(?:\.\.\.)?[\]>]/.exec(what.flags)?.[1] ?? '') : what.name();
  const source = SOURCES[`${command} ${name}`] ?? SOURCES[name];
  if (!source) return [];
  const found = await source(new Remote(where)).catch(() => []);
  return found.filter(([value]) => HARMLESS.test(value));
}
