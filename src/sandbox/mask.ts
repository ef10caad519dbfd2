import { OPERATIONS, TABLES } from '../areas.ts';
import type { Shape } from '../contract/lazy.ts';
import type { Operation } from '../declare/operation.ts';
import type { Differences, TableChange } from '../engine/diff.ts';
import { linksIn, MASK, maskLinks, maskQuery, maskText, maskValue, withoutThese } from '../engine/masking.ts';
import { isOpenIn, isSecretAs, isSecretName, isSecretOf, plainName, secretsIn, unescaped } from '../engine/secrets.ts';
import { eachOf, type Steps } from '../engine/slices.ts';
import type { Entry } from './request-log.ts';

const operations = new Map(OPERATIONS.map((op) => [op.id, op]));

/** The secret members of an operation's input and output, as its schemas declare them. */
interface Secrets {
  sent(plain: string): boolean;
  answered(plain: string): boolean;
}

const known = new Map<string | undefined, Secrets>();

/**
 * Returns the secret members by schema, then by name. In a request `code` is a one-time code, unless its schema knows
 * another, such as that of a currency. In a reply it names an error.
 */
function secretsOf(id: string | undefined): Secrets {
  const before = known.get(id);
  if (before) return before;
  const op: Operation | undefined = id === undefined ? undefined : operations.get(id);
  const names = (shapes: readonly (Shape | null | undefined)[]): ReadonlySet<string> =>
    new Set(shapes.flatMap((shape) => (shape ? [...secretsIn(shape())] : [])));
  const [sent, answered] = [names([op?.body, op?.query]), names(Object.values(op?.replies ?? {}))];
  const isCodeOpen = op?.body !== undefined && isOpenIn(op.body(), 'code');
  const secrets: Secrets = {
    sent: (plain) => (plain === 'code' && !isCodeOpen) || sent.has(plain) || isSecretName(plain),
    answered: (plain) => answered.has(plain) || isSecretName(plain),
  };
  known.set(id, secrets);
  return secrets;
}

/** Returns a test for secret members of a request to an operation, by plain name. */
export const sentSecrets = (operation: string | undefined): ((plain: string) => boolean) => secretsOf(operation).sent;

/**
 * Returns whether a plain name is secret in the reply of any operation; `code`, which names errors and currencies, is
 * left out.
 */
export const isEverAnswered = (plain: string): boolean =>
  plain !== 'code' && OPERATIONS.some(({ id }) => secretsOf(id).answered(plain));

/** Returns a test for secret members of the reply to a request: in a refusal `code` is always the error's. */
export const answeredSecrets = ({ operation, status }: Pick<Entry, 'operation' | 'status'>) =>
  status >= 400 ? isSecretName : secretsOf(operation).answered;

/** The parts of a logged request that secrets may stand in, and what says which these are. */
export type Said = Pick<Entry, 'operation' | 'path' | 'query' | 'body' | 'reply' | 'status'>;

/** Returns the path of a request without the secret of a link. */
export const maskPath = ({ path }: Pick<Entry, 'path'>): string => maskLinks(path);

/** Returns path and query of a request, secrets masked. */
export const maskTarget = (entry: Pick<Entry, 'operation' | 'path' | 'query'>): string =>
  maskPath(entry) + (entry.query === '' ? '' : maskQuery(entry.query, secretsOf(entry.operation).sent));

/** Returns a request body with its secrets masked. */
export const maskSent = (entry: Said): string =>
  withoutThese(maskText(entry.body, secretsOf(entry.operation).sent), hiddenIn(entry));

/**
 * Returns a reply with its secrets masked, and those that arrived with the request. A reply that issues a hosted page
 * shows its address, which people have to open.
 */
export function maskAnswered(entry: Said): string {
  const masked = maskText(entry.reply, answeredSecrets(entry));
  return withoutThese(masked, hiddenIn(entry));
}

/** The least length of a secret that is masked elsewhere: shorter ones match too much else. */
const SHORTEST = 6;

/**
 * Returns the secrets that arrived with a request: a value sent under a secret name must not be shown under another.
 */
export function hiddenIn({ operation, path, body, query }: Said): string[] {
  const values = new Set(linksIn(path));
  const hear = (value: string): void => {
    const plain = value.replace(/^["']|["']$/g, '');
    if (/^[[{]/.test(plain)) return;
    for (const spelling of [plain, unescaped(plain)]) if (spelling.length >= SHORTEST) values.add(spelling);
  };
  const { sent } = secretsOf(operation);
  maskText(body, sent, hear);
  for (const [name, value] of new URLSearchParams(query)) if (isSecretAs(name, sent)) hear(value);
  maskQuery(query, sent, (value) => hear(value.replaceAll('+', ' ')));
  return [...values].sort((a, b) => b.length - a.length);
}

/**
 * Returns data about a request (why it was refused, which magic value fired) without the secrets that arrived with it.
 */
export const maskShown = <T>(entry: Said, value: T): T =>
  maskValue(value, answeredSecrets(entry), hiddenIn(entry)) as T;

/** Returns headers as an object, secrets masked. */
export function maskHeaders(raw: readonly string[]): Record<string, string> {
  const headers: Record<string, string> = {};
  for (let i = 0; i + 1 < raw.length; i += 2) {
    const name = (raw[i] as string).toLowerCase();
    const plain = plainName(name);
    headers[name] = isSecretName(plain) || plain.endsWith('signature') ? MASK : maskLinks(raw[i + 1] as string);
  }
  return headers;
}

/** Masks the values of secret members in the differences between two states, in steps. */
export function* maskChanges({ tables, ...whole }: Differences): Steps<Differences> {
  const masked: TableChange[] = [];
  for (const table of tables) {
    const isSecret = isSecretOf(TABLES.get(table.name));
    const mask = (path: string, value: unknown): unknown =>
      path.split('.').some((name) => isSecret(plainName(name))) ? MASK : maskValue(value, isSecret);
    const changed: TableChange['changed'] = [];
    yield* eachOf(table.changed, ({ id, fields }) => {
      changed.push({
        id,
        fields: fields.map(({ path, ...sides }) => ({
          path,
          ...Object.fromEntries(Object.entries(sides).map(([side, value]) => [side, mask(path, value)])),
        })),
      });
    });
    masked.push({ ...table, changed });
  }
  return { ...whole, tables: masked };
}
