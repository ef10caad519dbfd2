import * as z from 'zod';
import { lazy, type Shape } from '../contract/lazy.ts';
import { WholeNumber } from '../contract/shapes.ts';
import type { Command, CommandContext } from '../sandbox/commands/index.ts';

/** One parsed request to the control API. Its sandbox is the one that `?sandbox=` names, or the default one. */
export interface ControlAsk extends Omit<CommandContext, 'baseUrl'> {
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: unknown;
  readonly origin: string;
  /** The OpenAPI document as JSON text, for the control that shows it. */
  readonly openApi: () => Promise<string>;
}

/** A command that the control API can run, whatever its input. */
// biome-ignore lint/suspicious/noExplicitAny: its input is put together from path, query and body
type Controlled<R = unknown> = Command<any, R, CommandContext & Pick<ControlAsk, 'openApi'>>;

/** A result other than our JSON: text of some type, or a stream. */
export class Content {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | ReadableStream<Uint8Array>;

  constructor(headers: Content['headers'], body: Content['body']) {
    this.headers = headers;
    this.body = body;
  }
}

/** One method and path of the control API (`docs/control-api.md`), and the command that it runs. */
export interface Control {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly command: Controlled;
  /** True if a call may change something: of any method but GET, or a wait that skips time. */
  readonly changes: boolean;
  /**
   * The member of the input that is the whole body; if undefined, the body has every member that is not in the path.
   */
  readonly whole: string | undefined;
  /** Undefined for a GET, which has none. */
  readonly body: Shape | undefined;
  readonly query: Shape;
  /** The most bytes of its body. */
  readonly limit: number | undefined;
  /** True if its body may have any number of values; a long one is read in slices. */
  readonly long: boolean;
  /** Returns the JSON of a 200, `undefined` for a 204, or `Content`. */
  readonly run: (ask: ControlAsk) => unknown;
}

interface Options<R> {
  changes?: boolean;
  whole?: string;
  limit?: number;
  long?: boolean;
  reply?: (value: Awaited<R>) => unknown;
}

/**
 * Declares a control. Members of the command's input that are not in the path are in the query or, for POST and PUT, in
 * the body.
 */
export function control<R>(
  method: Control['method'],
  path: string,
  command: Controlled<R>,
  { changes = method !== 'GET', whole, limit, long = false, reply = (value) => value }: Options<R> = {},
): Control {
  const parts = lazy(() => partsOf(method, path, command.input().shape, whole));
  return {
    method,
    path,
    command,
    changes,
    whole,
    limit,
    long,
    query: () => parts().query,
    body: method === 'GET' ? undefined : () => parts().body,
    run: async ({ params, query, body, origin, ...context }) => {
      const sent = whole === undefined ? { ...query, ...(body as object) } : { [whole]: body };
      const baseUrl = `${origin}${context.host.basePath}`;
      return reply(await command.run({ ...context, baseUrl }, { ...(sent as object), ...params }));
    },
  };
}

/** Returns the schemas of query and body; unknown members of either are refused, also where nothing is known. */
function partsOf(method: Control['method'], path: string, shape: z.ZodRawShape, whole: string | undefined) {
  const rest = Object.entries(shape).filter(([name]) => !path.split('/').includes(`:${name}`)) as [string, z.ZodType][];
  const [asked, sent] = method === 'GET' || method === 'DELETE' ? [rest, []] : [[], rest];
  return {
    query: z.strictObject(Object.fromEntries(asked.map(([name, member]) => [name, asText(member)])), {
      error: (issue) => (issue.code === 'unrecognized_keys' ? unknownQuery(issue.keys, asked) : undefined),
    }),
    body: whole === undefined ? z.strictObject(Object.fromEntries(sent)) : (shape[whole] as z.ZodType),
  };
}

/** Returns the message that lists the allowed names of a query, for unknown ones. */
function unknownQuery(keys: readonly string[], members: readonly (readonly [string, unknown])[]): string {
  const known = ['sandbox', ...members.map(([name]) => name)].join(', ');
  return `there is no query parameter ${JSON.stringify(keys[0]?.slice(0, 100))}; there is ${known}`;
}

/** Returns a member of an input as a query has it: whole numbers are text. */
const asText = (member: z.ZodType): z.ZodType =>
  member instanceof z.ZodDefault && member.def.innerType instanceof z.ZodNumber
    ? WholeNumber(member as z.ZodDefault<z.ZodNumber>)
    : member;
