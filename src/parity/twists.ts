import type { Builder, Call, Json } from '../calls/index.ts';
import { unique } from '../calls/index.ts';
import { isObject } from '../contract/json.ts';

type Members = { readonly [name: string]: Json };
const membersOf = ({ body }: Call): Members | undefined => (isObject(body) ? (body as Members) : undefined);

/** Returns a body with one of its members, at the top or one level below, changed or left out. */
function changed(b: Builder, body: Members, change: (value: Json | undefined) => Json | undefined): Members {
  const names = Object.keys(body);
  if (names.length === 0) return body;
  const name = b.of(names);
  const value = body[name];
  const isDeeper = isObject(value) && b.below(2) === 0;
  const next = isDeeper ? changed(b, value as Members, change) : change(value);
  const { [name]: _, ...rest } = body;
  return next === undefined ? rest : { ...body, [name]: next };
}

const WRONG: readonly Json[] = [12, 'x', true, null, [], {}, '', -1];
const NOWHERE = '00000000-0000-7000-8000-000000000000';
const UNKNOWN = /^\{\{/;

/** The prefixes of ids in a path, by the name of the parameter. */
const PREFIXES: Readonly<Record<string, string>> = {
  customerId: 'Customer',
  externalAccountId: 'ExternalAccount',
  accountId: 'InternalAccount',
  quoteId: 'Quote',
  transactionId: 'Transaction',
  documentId: 'Document',
  beneficialOwnerId: 'BeneficialOwner',
  verificationId: 'Verification',
  agentId: 'Agent',
  stablecoinId: 'Stablecoin',
};

type Twist = (b: Builder, call: Call) => Partial<Call> | undefined;

const onBody =
  (change: (b: Builder, body: Members) => Json): Twist =>
  (b, call) => {
    const body = membersOf(call);
    return body && { body: change(b, body) };
  };

/** Changes that turn a sensible call into one that is refused, or that repeats another. */
const TWISTS: Readonly<Record<string, Twist>> = {
  'a member left out': onBody((b, body) => changed(b, body, () => undefined)),
  'a member of another type': onBody((b, body) => changed(b, body, () => b.of(WRONG))),
  'a member that nobody knows': onBody((_, body) => ({ ...body, unheardOf: 1 })),
  'an empty body': onBody(() => ({})),
  'a body that is not an object': onBody(() => []),
  'an unknown id in the path': (b, { params }) => {
    const names = Object.keys(params);
    if (names.length === 0) return undefined;
    const name = b.of(names);
    const prefix = PREFIXES[name];
    const id = b.once(3) || !prefix ? 'nothing-of-the-kind' : `${prefix}:${NOWHERE}`;
    return { params: { ...params, [name]: id } };
  },
  'an unknown id in the query': (b, { query }) => {
    const names = Object.keys(query).filter((name) => UNKNOWN.test(query[name] ?? ''));
    return names.length === 0 ? undefined : { query: { ...query, [b.of(names)]: `Customer:${NOWHERE}` } };
  },
  'a bad page': (b, { operation, query }) =>
    /^(?:list|agentList|getAvailable)/.test(operation)
      ? {
          query: {
            ...query,
            ...b.of<object>([{ limit: '0' }, { limit: 'x' }, { cursor: 'nowhere' }, { limit: '101' }]),
          },
        }
      : undefined,
  'no credentials': () => ({ as: 'none' }),
  'wrong credentials': () => ({ as: 'wrong' }),
  'a key of its own': (b, { headers, operation }) =>
    /^(?:create|execute|link|register|agentCreate|agentExecute)/.test(operation)
      ? { headers: { ...headers, 'Idempotency-Key': unique(`k${b.number()}-`) } }
      : undefined,
};
const NAMES = Object.keys(TWISTS);

/** Repeats a call with a change: the walk goes on with the resource of the original call. */
export function twist(b: Builder, call: Call, which: number): void {
  const { name: _, operation, ...details } = call;
  if (which === 0) return void b.call(operation, details);
  // If a change does not suit a call, the next one is tried.
  const ways = [...NAMES.slice(which - 1), ...NAMES.slice(0, which - 1)];
  let change: Partial<Call> | undefined;
  for (const name of ways) if ((change = TWISTS[name]?.(b, call))) break;
  if (!change) return;
  b.call(operation, { ...details, ...change });
  if (change.headers) {
    b.call(operation, { ...details, ...change });
    const body = membersOf(call);
    if (body) b.call(operation, { ...details, ...change, body: changed(b, body, () => b.of(WRONG)) });
  }
}

/** The number of ways to change a call. */
export const WAYS = NAMES.length + 1;
