import type * as z from 'zod';
import type { ErrorCode } from './errors.ts';
import type { Shape } from './lazy.ts';
import type { World } from './world.ts';

export type Infer<S extends Shape> = z.output<ReturnType<S>>;

/** A token may do what its permissions say; reading needs `VIEW`. */
export type Permission = 'VIEW' | 'TRANSACT' | 'MANAGE';

/** Who is calling. */
export interface Principal {
  /** The Basic user name: an API token id (spec 5.1). */
  readonly tokenId: string;
  readonly permissions: ReadonlySet<Permission>;
}

/** An uploaded file, held only while its request is answered. */
export interface Upload {
  name: string;
  type: string;
  bytes: Uint8Array;
}

/** A form with files (`multipart/form-data`): its text parts are the body, its file parts `ask.files`. */
export interface UploadRule {
  /** Largest request body, all parts together, in bytes. */
  readonly maxBytes: number;
  /** File parts by name; unless said otherwise one, `file`, which is required. */
  readonly files?: Readonly<Record<string, { readonly required: boolean; readonly description?: string }>> | undefined;
  /** Do not gather the one file of a form without text parts: `ask.incoming` yields it, for `prepare` to consume. */
  readonly stream?: boolean | undefined;
}

/** One request, parsed. */
export interface Ask<B = unknown, Q = unknown, P extends string = string> {
  readonly world: World;
  readonly principal: Principal;
  readonly params: Readonly<Record<P, string>>;
  readonly query: Q;
  readonly body: B;
  /** The exact body text; fingerprints need it. */
  readonly text: string;
  readonly method: string;
  readonly path: string;
  /** A request header by its lower-case name. */
  header(name: string): string | undefined;
  readonly files: Readonly<Record<string, Upload>>;
  /** The bytes of a streamed file as they arrive, once; what is wrong with the form is refused while reading. */
  readonly incoming: AsyncIterable<Uint8Array>;
  /** Where this emulator answers, for links it hands out. */
  readonly origin: string;
}

/** An answer: a status, and the value that its declared shape describes (none for 204). */
export interface Reply {
  readonly status: number;
  readonly value?: unknown;
  /** An unchanging value that alone decides `value`, such as a row: its text may then be kept and sent again. */
  readonly of?: object | undefined;
}

export const reply = (status: number, value?: unknown, of?: object): Reply => ({ status, value, of });

type PathParams<P extends string> = P extends `${string}{${infer Name}}${infer Rest}` ? Name | PathParams<Rest> : never;

export interface Operation {
  readonly id: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string | undefined;
  readonly permission: Permission;
  readonly query?: Shape<z.ZodObject> | undefined;
  readonly body?: Shape | undefined;
  /** The body may be left out altogether. */
  readonly bodyOptional?: boolean | undefined;
  /** The body is a form with files. */
  readonly upload?: UploadRule | undefined;
  /** Declared answers; `null` has no body. */
  readonly replies: Readonly<Record<number, Shape | null>>;
  /** Codes that this operation refuses with, beyond those every operation may use. */
  readonly refuses: readonly ErrorCode[];
  readonly idempotency?: 'optional' | 'required' | undefined;
  /** The `Idempotency-Key` alone names the request: sent again it gets the first reply, whatever the body (spec 4.2). */
  readonly keyAlone?: boolean | undefined;
  /** It may ask for a wallet's signature: the two headers of a signed retry belong to it. */
  readonly signed?: boolean | undefined;
  /** The client knows what it signs before it calls: a signature without a challenge will do. */
  readonly signedAlone?: boolean | undefined;
  /** Work that has to wait; it writes nothing. What it resolves with is given to `run`. */
  readonly prepare?: ((ask: Ask) => Promise<unknown>) | undefined;
  /** Decide and write, without waiting: one thread then makes it whole or nothing. */
  readonly run: (ask: Ask, prepared: unknown) => Reply;
}

/** The typed way to declare an operation; kept as plain data that can be sorted, counted, wrapped and mounted. */
export function operation<
  const P extends string,
  B extends Shape = Shape<z.ZodUndefined>,
  Q extends Shape<z.ZodObject> = Shape<z.ZodObject<Record<never, never>>>,
  W = undefined,
>(declared: {
  id: string;
  method: Operation['method'];
  path: P;
  tag: string;
  summary: string;
  description?: string;
  permission?: Permission;
  query?: Q;
  body?: B;
  bodyOptional?: boolean;
  upload?: UploadRule;
  replies: Record<number, Shape | null>;
  refuses?: readonly ErrorCode[];
  idempotency?: 'optional' | 'required';
  keyAlone?: boolean;
  prepare?: (ask: Ask<Infer<B>, Infer<Q>, PathParams<P>>) => Promise<W>;
  run: (ask: Ask<Infer<B>, Infer<Q>, PathParams<P>>, prepared: W) => Reply;
}): Operation {
  const { permission = declared.method === 'GET' ? 'VIEW' : 'MANAGE', refuses = [] } = declared;
  // The mount parses body, query and params by these same shapes, so what `run` receives is what it declares.
  return { ...declared, permission, refuses } as unknown as Operation;
}
