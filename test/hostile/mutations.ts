import * as odd from './dictionary.ts';
import type { Memory } from './memory.ts';
import { isForm, type Plan } from './plan.ts';
import type { Random } from './random.ts';
import { inPath } from './values.ts';

interface Context {
  readonly random: Random;
  readonly memory: Memory;
}
type Mutation = (plan: Plan, context: Context) => string | undefined;
type Json = Record<string, unknown>;

/** Every place of a JSON value that holds something: its parent and its key. */
function places(
  value: unknown,
  found: { parent: Json; key: string }[] = [],
  depth = 0,
): { parent: Json; key: string }[] {
  if (typeof value !== 'object' || value === null || depth > 12 || found.length > 300) return found;
  for (const key of Object.keys(value)) {
    found.push({ parent: value as Json, key });
    places((value as Json)[key], found, depth + 1);
  }
  return found;
}

const asText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
const textOf = ({ body }: Plan): string | undefined => (typeof body === 'string' ? body : undefined);

function parsed(plan: Plan): unknown {
  const text = textOf(plan);
  // What is nested tens of thousands deep can be read, but not written again.
  if (text === undefined || text === '' || text.length > 50_000) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Change one place of the body's value. */
const inBody =
  (change: (place: { parent: Json; key: string }, context: Context) => string): Mutation =>
  (plan, context) => {
    const value = parsed(plan);
    const found = places(value);
    if (found.length === 0) return undefined;
    const what = change(context.random.of(found), context);
    plan.body = JSON.stringify(value);
    return what;
  };

const wrongValue = inBody(({ parent, key }, { random }) => {
  parent[key] = random.of(odd.ODD_VALUES);
  return `${key} is odd`;
});
const otherId = inBody(({ parent, key }, { random, memory }) => {
  parent[key] = memory.anyId(random) ?? 'none';
  return `${key} is another id`;
});
const missing = inBody(({ parent, key }) => {
  if (Array.isArray(parent)) parent.length = 0;
  else delete parent[key];
  return `${key} is missing`;
});
const extra = inBody(({ parent }, { random }) => {
  const name = random.of([
    'id',
    'status',
    'createdAt',
    'isDeleted',
    '__proto__',
    'constructor',
    'extra',
    'length',
    '',
    'a.b',
    'toJSON',
  ]);
  // The length of a list is not a member that JSON shows.
  if (Array.isArray(parent)) parent.push(random.of(odd.ODD_VALUES));
  else
    Object.defineProperty(parent, name, {
      value: random.of(odd.ODD_VALUES),
      enumerable: true,
      configurable: true,
      writable: true,
    });
  return `extra member ${name}`;
});
const bound = inBody(({ parent, key }, { random }) => {
  parent[key] = random.of([0, -0, -1, 1, 2 ** 31 - 1, 2 ** 31, 2 ** 53 - 1, 2 ** 53, 9e15, 1e308, 0.1, -(2 ** 53)]);
  return `${key} is a number at a bound`;
});
const swapped = inBody(({ parent, key }, { random }) => {
  const other = random.of(Object.keys(parent));
  [parent[key], parent[other]] = [parent[other], parent[key]];
  return `${key} and ${other} are swapped`;
});
const deeper = inBody(({ parent, key }, { random }) => {
  let value: unknown = parent[key];
  for (let i = random.of([1, 3, 60, 200]); i > 0; i -= 1) value = random.once(0.5) ? [value] : { [key]: value };
  parent[key] = value;
  return `${key} is deeper`;
});

const twice: Mutation = (plan, { random }) => {
  const text = textOf(plan);
  const [, first] = /^\{"(\w+)":/.exec(text ?? '') ?? [];
  if (!text || !first) return undefined;
  plan.body = `{"${first}":${JSON.stringify(random.of(odd.ODD_VALUES))},${text.slice(1)}`;
  return `${first} stands twice`;
};
const cut: Mutation = (plan, { random }) => {
  const text = textOf(plan);
  if (!text) return undefined;
  plan.body = text.slice(0, random.below(text.length));
  return 'the body is cut';
};
const spliced: Mutation = (plan, { random }) => {
  const text = textOf(plan);
  if (!text) return undefined;
  const at = random.below(text.length);
  plan.body =
    text.slice(0, at) +
    random.of(['\u0000', '"', '\\', '}', '{', ',', '\\ud800', '1e', '//']) +
    text.slice(at + random.below(2));
  return 'a character of the body is odd';
};
const oddBytes: Mutation = (plan, { random }) => {
  const text = textOf(plan);
  if (!text) return undefined;
  const bytes = Uint8Array.from(Buffer.from(text));
  bytes[random.below(bytes.length)] = 128 + random.below(128);
  plan.body = bytes;
  return 'the body is not a UTF-8';
};
const otherBody: Mutation = (plan, { random }) => {
  if (plan.method === 'GET') return undefined;
  plan.body = random.once(0.01) ? odd.OVERSIZE : random.of(odd.ODD_BODIES);
  plan.headers['content-type'] ??= 'application/json';
  return 'another body';
};
const oddForm: Mutation = (plan, { random }) => {
  if (!isForm(plan.body)) return undefined;
  const { fields, file } = plan.body;
  const name = random.of([...Object.keys(fields), 'extra', '__proto__', 'file']);
  const value = asText(random.of(odd.ODD_VALUES));
  plan.body = random.once(0.5)
    ? { fields: { ...fields, [name]: value }, file }
    : { fields, file: random.once(0.3) ? undefined : { name: value.slice(0, 50), type: 'a/b', content: value } };
  return 'the form is odd';
};

const header: Mutation = (plan, { random }) => {
  const [name, value] = random.of(odd.ODD_HEADERS);
  plan.headers[name] = value;
  return `header ${name}`;
};
const contentType: Mutation = (plan, { random }) => {
  plan.headers['content-type'] = random.of(odd.ODD_TYPES);
  return 'content type';
};
const noHeader: Mutation = (plan, { random }) => {
  const name = random.of(Object.keys(plan.headers).concat('authorization'));
  delete plan.headers[name];
  return `no ${name}`;
};
const query: Mutation = (plan, { random }) => {
  const more = random.of(odd.ODD_QUERIES);
  plan.query = random.once(0.5) || plan.query === '' ? more : `${plan.query}&${more.slice(1)}`;
  return 'odd query';
};
const queryValue: Mutation = (plan, { random }) => {
  const words = new URLSearchParams(plan.query);
  const names = [...words.keys()];
  if (names.length === 0) return undefined;
  words.set(random.of(names), asText(random.of(odd.ODD_VALUES)));
  plan.query = `?${words}`;
  return 'odd value in the query';
};
const segment: Mutation = (plan, { random }) => {
  const parts = plan.path.split('/');
  parts[1 + random.below(parts.length - 1)] = random.of(odd.ODD_SEGMENTS);
  plan.path = parts.join('/');
  return 'odd segment';
};
const otherIdInPath: Mutation = (plan, { random, memory }) => {
  const at = plan.path.lastIndexOf('%3A');
  if (at < 0) return undefined;
  const start = plan.path.lastIndexOf('/', at);
  const end = plan.path.indexOf('/', at);
  const id = inPath(memory.anyId(random) ?? 'x');
  plan.path = `${plan.path.slice(0, start + 1)}${id}${end < 0 ? '' : plan.path.slice(end)}`;
  return 'another id in the path';
};
const path: Mutation = (plan, { random }) => {
  plan.path = random.of([
    `${plan.path}/`,
    plan.path.replace('/', '//'),
    plan.path.toUpperCase(),
    `${plan.path}/x`,
    plan.path.slice(0, -1) || '/',
    `/.${plan.path}`,
  ]);
  return 'odd path';
};
const method: Mutation = (plan, { random }) => {
  plan.method = random.of(odd.ODD_METHODS);
  if (plan.method === 'GET' || plan.method === 'HEAD') plan.body = undefined;
  return 'another method';
};

/** Those that reach the deepest come most often. */
const MUTATIONS: readonly Mutation[] = [
  ...[
    wrongValue,
    wrongValue,
    wrongValue,
    wrongValue,
    otherId,
    otherId,
    missing,
    missing,
    extra,
    bound,
    bound,
    swapped,
    deeper,
  ],
  ...[twice, cut, spliced, oddBytes, otherBody, oddForm, oddForm, header, header, contentType, noHeader],
  ...[query, queryValue, queryValue, segment, otherIdInPath, otherIdInPath, path, method],
];

/** Make a request wrong in some places; says what was done in `mutations`. */
export function mutate(plan: Plan, context: Context): void {
  const { random } = context;
  for (let wanted = random.of([1, 1, 1, 2, 3]), tries = 0; wanted > 0 && tries < 8; tries += 1) {
    const what = random.of(MUTATIONS)(plan, context);
    if (what === undefined) continue;
    plan.mutations.push(what);
    wanted -= 1;
  }
}
