import { OPERATIONS } from '../areas.ts';
import { jsonIn } from '../contract/json.ts';
import { fromProfile, type Profile } from '../contract/profile.ts';
import { maskQuery, withoutThese } from '../engine/masking.ts';
import { type Unread, unreadIn } from '../scenario/unread.ts';
import { hiddenIn, type Said, sentSecrets } from './mask.ts';

/** A member of the body, or a query parameter, that was sent and ignored. */
export interface Ignored extends Unread {
  readonly in: 'body' | 'query';
}

/** The most characters of a body that is searched for ignored members. */
const LONGEST = 100_000;

const operations = new Map(OPERATIONS.map((op) => [op.id, op]));

/**
 * Returns the parts of a request that its operation ignored, with what each may have meant; at most ten from body and
 * query each. A secret that stands in a name is masked.
 */
export function ignoredIn(entry: Said, profile: Profile): Ignored[] {
  const { operation, body, query } = entry;
  const op = operation === undefined ? undefined : operations.get(operation);
  if (!op) return [];
  const found: Ignored[] = [];
  const look = (part: Ignored['in'], schema: Parameters<typeof unreadIn>[0] | undefined, value: unknown): void => {
    if (schema) found.push(...unreadIn(schema, fromProfile(profile, value)).map((one) => ({ in: part, ...one })));
  };
  if (body !== '' && op.body) look('body', op.body(), body.length > LONGEST ? undefined : jsonIn(body));
  if (query !== '' && op.query) look('query', op.query(), Object.fromEntries(new URLSearchParams(query)));
  if (found.length === 0) return found;
  const [hidden, sent] = [hiddenIn(entry), sentSecrets(operation)];
  return found.map((one) => ({ ...one, name: withoutThese(maskQuery(one.name, sent), hidden) }));
}

/** Returns a sentence about an ignored part: `ignored: name; did you mean fullName?` */
export const ignoredText = ({ name, near }: Ignored): string =>
  `ignored: ${name}${near === undefined ? '' : `; did you mean ${near}?`}`;
