import { JOB_KINDS, TABLES } from '../../areas.ts';
import { isResource } from '../../engine/resource.ts';

/** Returns the work of a kind of job in words: `webhook.deliver` as `send a webhook`. */
export function kindInWords(kind: string): string {
  const declared = JOB_KINDS.get(kind);
  const [last = kind, ...before] = kind.split('.').reverse();
  const verb = declared?.words.verb;
  const does = typeof verb === 'string' ? verb : last === 'decide' ? 'decide about' : last;
  const noun = nounOf(Object.values(declared?.refers ?? {})[0] ?? `${before.join('-')}s`);
  return noun === undefined ? does.replace(/ of$/, '') : `${does} ${/^[aeio]|^SCA/.test(noun) ? 'an' : 'a'} ${noun}`;
}

/** Returns the noun for a row of a table; undefined if there is no such table. */
function nounOf(name: unknown): string | undefined {
  const table = typeof name === 'string' ? TABLES.get(name) : undefined;
  if (!table) return undefined;
  const noun = isResource(table) ? table.one.toLowerCase() : table.name.replaceAll(/[-.]/g, ' ').replace(/s$/, '');
  return noun.replace(/^sca\b/, 'SCA');
}
