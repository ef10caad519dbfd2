import { OPERATIONS } from '../areas.ts';
import { jsonIn } from '../contract/json.ts';
import { fromProfile, type Profile } from '../contract/profile.ts';
import { type Unread, unreadIn } from '../scenario/unread.ts';
import type { Entry } from './request-log.ts';

/** A member of the body, or a query parameter, that was sent and not read. */
export interface Ignored extends Unread {
  readonly in: 'body' | 'query';
}

/** Characters of a body beyond which nobody looks for what was ignored. */
const LONGEST = 100_000;

const operations = new Map(OPERATIONS.map((op) => [op.id, op]));

/** Returns what a request sent and its operation did not read, with what may have been meant; at most ten of each part. */
export function ignoredIn(
  { operation, body, query }: Pick<Entry, 'operation' | 'body' | 'query'>,
  profile: Profile,
): Ignored[] {
  const op = operation === undefined ? undefined : operations.get(operation);
  if (!op) return [];
  const found: Ignored[] = [];
  const look = (part: Ignored['in'], schema: Parameters<typeof unreadIn>[0] | undefined, value: unknown): void => {
    if (schema) found.push(...unreadIn(schema, fromProfile(profile, value)).map((one) => ({ in: part, ...one })));
  };
  if (body !== '' && op.body) look('body', op.body(), body.length > LONGEST ? undefined : jsonIn(body));
  if (query !== '' && op.query) look('query', op.query(), Object.fromEntries(new URLSearchParams(query)));
  return found;
}

/** Says what was ignored: `ignored: name; did you mean fullName?` */
export const ignoredText = ({ name, near }: Ignored): string =>
  `ignored: ${name}${near === undefined ? '' : `; did you mean ${near}?`}`;
