import * as z from 'zod';
import type { ErrorCode, FieldError } from '../contract/errors.ts';
import { lazy, type Shape } from '../contract/lazy.ts';
import type { Profile } from '../contract/profile.ts';
import type { World } from '../engine/world.ts';
import type { Example } from './example.ts';

export type Infer<S extends Shape> = z.output<ReturnType<S>>;

/** A token may do what its permissions say; reading needs `VIEW`. */
export type Permission = 'VIEW' | 'TRANSACT' | 'MANAGE';

/** The way the caller of an operation authenticates: HTTP Basic, an access token, or not at all. */
export type Scheme = 'basic' | 'bearer' | 'none';

/** An API token of the platform; its id is the Basic user name (spec 5.1). */
export interface PlatformPrincipal {
  readonly kind: 'platform';
  readonly tokenId: string;
  readonly permissions: ReadonlySet<Permission>;
}

/** An agent, by its access token; the area that resolves the token may say more of it. */
export interface AgentPrincipal {
  readonly kind: 'agent';
  readonly agentId: string;
}

/** The caller; `anonymous` calls operations that need no credentials. */
export type Principal = PlatformPrincipal | AgentPrincipal | { readonly kind: 'anonymous' };

/** The name under which a principal keeps challenges and idempotency keys; tokens of a platform share theirs, without a name. */
export const ownerOf = (principal: Principal): string | undefined =>
  principal.kind === 'platform' ? undefined : principal.kind === 'agent' ? principal.agentId : 'anonymous';

/** Finds who an access token stands for in a world; an area offers one for the tokens that it hands out. */
export type PrincipalOf = (world: World, token: string) => Principal | undefined;

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
  /** Do not gather the one file of a form without text parts: `ask.incoming` yields it, for `wait` to consume. */
  readonly stream?: boolean | undefined;
}

/** One request, parsed. */
export interface OperationContext<B = unknown, Q = unknown, P extends string = string> {
  readonly world: World;
  readonly principal: Principal;
  /** The operation's id. */
  readonly operation: string;
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
  /** The base URL of this emulator, for links it hands out. */
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

export type PathParams<P extends string> = P extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PathParams<Rest>
  : never;

/** A request header that an authorizer reads. */
export interface ProofHeader {
  readonly name: string;
  readonly description: string;
}

/** The additions of an authorizer to the declaration of its operation. */
export interface AuthorizerOffer {
  readonly headers: readonly ProofHeader[];
  /** Its challenges, by status. */
  readonly replies: Readonly<Record<number, Shape>>;
  readonly refuses: readonly ErrorCode[];
}

/** The call may go on, and `settle` uses its proof up once every authorizer has granted it; or `challenge` is the reply. */
export type Decision = { readonly settle?: () => void; readonly challenge?: undefined } | { readonly challenge: Reply };

/** Decides whether a call may go on although its caller is known and permitted: a wallet's owner signs, a person confirms. */
export interface Authorizer<A = OperationContext, L = unknown, W = unknown, E = unknown>
  extends Omit<AuthorizerOffer, 'headers'> {
  /** The part of the declaration that a profile has; all of it by default. */
  readonly offeredIn: (profile: Profile) => AuthorizerOffer;
  /** Reads the proof that a call carries, before rows are loaded; again after a wait. Writes nothing. */
  readonly read: (context: A) => E;
  /** Decides, and writes what a challenge needs. */
  readonly decide: (context: A, evidence: E, loaded: L, waited: W) => Decision;
}

type Replies = Readonly<Record<number, Shape | null>>;

/** Answers of both; a status that both answer with has either shape. */
function eitherOf<A extends Replies, B extends Replies>(a: A, b: B): A & B {
  const shared = Object.keys(a).flatMap((status) => {
    const [one, other] = [a[Number(status)], b[Number(status)]];
    return one && other ? [[status, lazy(() => z.union([one(), other()]))]] : [];
  });
  return { ...a, ...b, ...Object.fromEntries(shared) };
}

/** Two authorizers as one: the second decides when the first has granted, and a proof is used up when both have. */
export const inOrder = <A, L, W, E, F>(
  first: Authorizer<A, L, W, E>,
  second: Authorizer<A, L, W, F>,
): Authorizer<A, L, W, readonly [E, F]> => {
  const both = (a: Omit<AuthorizerOffer, 'headers'>, b: Omit<AuthorizerOffer, 'headers'>) => ({
    replies: eitherOf(a.replies, b.replies),
    refuses: [...new Set([...a.refuses, ...b.refuses])],
  });
  return {
    ...both(first, second),
    offeredIn: (profile) => {
      const [a, b] = [first.offeredIn(profile), second.offeredIn(profile)];
      return { ...both(a, b), headers: [...a.headers, ...b.headers] };
    },
    read: (context) => [first.read(context), second.read(context)],
    decide: (context, [one, other], loaded, waited) => {
      const decision = first.decide(context, one, loaded, waited);
      if (decision.challenge) return decision;
      const next = second.decide(context, other, loaded, waited);
      if (next.challenge) return next;
      return {
        settle: () => {
          decision.settle?.();
          next.settle?.();
        },
      };
    },
  };
};

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

interface Described {
  readonly id: string;
  readonly summary: string;
  readonly description?: string | undefined;
  /** By table, where its reply says members of the row that it makes, such as an id that is not the reply's `id`; `{name}` is a parameter. */
  readonly makes?: Readonly<Record<string, Readonly<Record<string, string>>>> | undefined;
  /** The body may be left out altogether. */
  readonly bodyOptional?: boolean | undefined;
  /** The body is a form with files. */
  readonly upload?: UploadRule | undefined;
  /** Declared answers; `null` has no body. */
  readonly replies: Readonly<Record<number, Shape | null>>;
  readonly idempotency?: 'optional' | 'required' | undefined;
  /** The `Idempotency-Key` alone names the request: sent again it gets the first reply, whatever the body (spec 4.2). */
  readonly keyAlone?: boolean | undefined;
  /** Without credentials: whether this world is the one that the call is meant for. */
  readonly isFor?: ((world: World, params: Readonly<Record<string, string>>) => boolean) | undefined;
  /** A call that fits what is under way and takes a while to make: people are shown it instead, where there is one. */
  readonly exampleNow?:
    | ((world: World) => Promise<{ params: Readonly<Record<string, string>>; body: object } | undefined>)
    | undefined;
}

/** The functions of an operation, in the order in which they run. Only `write` writes. */
interface Handlers<A, L, W, E> {
  /** Find the rows that the call names; 404. Runs again after a wait, as `check` does. */
  readonly load?: ((context: A) => L) | undefined;
  /** Preconditions. */
  readonly check?: ((context: A, loaded: L) => void) | undefined;
  /** Work outside, such as cryptography; what it resolves with is given to `write`. Without a promise, nothing waits. */
  readonly wait?: ((context: A, loaded: L, evidence: E) => W | Promise<W>) | undefined;
  /** The reply of a GET. */
  readonly read?: ((context: A, loaded: L) => Reply) | undefined;
  /** Decide and write, without waiting: one thread then makes it whole or nothing. */
  readonly write?: ((context: A, loaded: L, waited: W, evidence: E) => Reply) | undefined;
}

/** A call of which the body is looked at, before anything is decided. */
export type BodyCall<P extends string = string> = Pick<OperationContext<unknown, unknown, P>, 'world' | 'params'> & {
  readonly principal?: Principal | undefined;
};

export interface Operation extends Described, Handlers<OperationContext, unknown, unknown, unknown> {
  readonly tag: string;
  readonly method: Method;
  readonly path: string;
  readonly auth: Scheme;
  /** The permission that a platform's token needs. */
  readonly permission: Permission;
  readonly query?: Shape<z.ZodObject> | undefined;
  readonly body?: Shape | undefined;
  /**
   * Returns what rules between fields find wrong with a body of which the shape refuses other members, the fields `bad`: one reply
   * names all (reference 3.4). What is bad is left out at any depth, in a list as a gap; what the shape would forget is still there.
   */
  readonly fieldRules?:
    | ((call: BodyCall, sent: Readonly<Record<string, unknown>>, bad: ReadonlySet<string>) => readonly FieldError[])
    | undefined;
  /** Codes that this operation refuses with, beyond those every operation may use. */
  readonly refuses: readonly ErrorCode[];
  /** The authorizer that has to agree as well; its challenges and refusals are among the operation's. */
  readonly authorize?: Authorizer<OperationContext, unknown, unknown, unknown> | undefined;
  /** A call that succeeds. */
  readonly example?: Example | undefined;
}

/** Nobody guesses what stands in a path or a body. */
type NeedsExample<P extends string, B extends Shape> = [PathParams<P>, Shape<z.ZodUndefined>] extends [never, B]
  ? { example?: Example<PathParams<P>> }
  : { example: Example<PathParams<P>> };

/**
 * Declares the operations of one tag of the document, each kept as plain data that can be sorted, counted and mounted.
 * `permission` is what those that do more than read need, unless one says otherwise.
 */
export const operationsOf =
  (tag: string, permission: Permission = 'MANAGE') =>
  <
    const P extends `${Method} /${string}`,
    B extends Shape = Shape<z.ZodUndefined>,
    Q extends Shape<z.ZodObject> = Shape<z.ZodObject<Record<never, never>>>,
    L = undefined,
    W = undefined,
    E = undefined,
  >(
    declared: Described & {
      /** Method and path, as in `GET /customers/{customerId}`. */
      endpoint: P;
      auth?: Scheme;
      permission?: Permission;
      query?: Q;
      body?: B;
      fieldRules?: (
        call: BodyCall<PathParams<P>>,
        sent: Partial<Infer<B>>,
        bad: ReadonlySet<string>,
      ) => readonly FieldError[];
      refuses?: readonly ErrorCode[];
      authorize?: Authorizer<OperationContext<Infer<B>, Infer<Q>, PathParams<P>>, L, W, E>;
    } & NeedsExample<P, B> &
      Handlers<OperationContext<Infer<B>, Infer<Q>, PathParams<P>>, L, W, E>,
  ): Operation => {
    const { endpoint, authorize, ...rest } = declared;
    const [method, path] = endpoint.split(' ') as [Method, string];
    return {
      auth: 'basic',
      permission: method === 'GET' ? 'VIEW' : permission,
      ...rest,
      tag,
      method,
      path,
      authorize,
      replies: eitherOf(declared.replies, authorize?.replies ?? {}),
      refuses: [...(declared.refuses ?? []), ...(authorize?.refuses ?? [])],
      // Body, query and params are parsed by these same shapes, so what handlers receive is what they declare.
    } as unknown as Operation;
  };
