import * as z from 'zod';
import type { ErrorCode, FieldError } from '../contract/errors.ts';
import { lazy, type Shape } from '../contract/lazy.ts';
import type { Profile } from '../contract/profile.ts';
import type { World } from '../engine/world.ts';
import type { Example } from './example.ts';

export type Infer<S extends Shape> = z.output<ReturnType<S>>;

/** The permission of a token; reading needs `VIEW`. */
export type Permission = 'VIEW' | 'TRANSACT' | 'MANAGE';

/** The authentication of an operation: HTTP Basic, an access token, or not at all. */
export type Scheme = 'basic' | 'bearer' | 'none';

/** An API token of the platform; its id is the Basic user name (spec 5.1). */
export interface PlatformPrincipal {
  readonly kind: 'platform';
  readonly tokenId: string;
  readonly permissions: ReadonlySet<Permission>;
}

/** An agent, identified by its access token; the area that resolves the token may add members. */
export interface AgentPrincipal {
  readonly kind: 'agent';
  readonly agentId: string;
}

/** The caller; `anonymous` for operations that need no credentials. */
export type Principal = PlatformPrincipal | AgentPrincipal | { readonly kind: 'anonymous' };

/**
 * Returns the name under which a principal's challenges and idempotency keys are kept. All tokens of a platform share
 * one: undefined.
 */
export const ownerOf = (principal: Principal): string | undefined =>
  principal.kind === 'platform' ? undefined : principal.kind === 'agent' ? principal.agentId : 'anonymous';

/** Finds the principal of an access token in a world; each area that issues tokens provides one. */
export type PrincipalOf = (world: World, token: string) => Principal | undefined;

/** An uploaded file, kept only while its request is handled. */
export interface Upload {
  name: string;
  type: string;
  bytes: Uint8Array;
}

/** A form with files (`multipart/form-data`): text parts become the body, file parts become `files`. */
export interface UploadRule {
  /** The largest request body, all parts together, in bytes. */
  readonly maxBytes: number;
  /** File parts by name; by default one required part, `file`. */
  readonly files?: Readonly<Record<string, { readonly required: boolean; readonly description?: string }>> | undefined;
  /** Streams the one file of a form without text parts: `incoming` yields its chunks, for `wait` to consume. */
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
  /** The exact body text, which fingerprints need. */
  readonly text: string;
  readonly method: string;
  readonly path: string;
  /** Returns a request header by its lower-case name. */
  header(name: string): string | undefined;
  readonly files: Readonly<Record<string, Upload>>;
  /** The chunks of a streamed file as they arrive, once; a malformed form is refused while it is read. */
  readonly incoming: AsyncIterable<Uint8Array>;
  /** The base URL of this emulator, for links in replies. */
  readonly origin: string;
}

/** A reply: a status, and the value that its declared shape describes (none for 204). */
export interface Reply {
  readonly status: number;
  readonly value?: unknown;
  /** An immutable object, such as a row, on which alone `value` depends: the text of the reply may then be cached. */
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
  /** The shapes of its challenges, by status. */
  readonly replies: Readonly<Record<number, Shape>>;
  readonly refuses: readonly ErrorCode[];
}

/**
 * Grants the call, where `settle` uses up the proof once every authorizer has granted it; or replies with `challenge`.
 */
export type Decision = { readonly settle?: () => void; readonly challenge?: undefined } | { readonly challenge: Reply };

/**
 * Decides whether a call by a known and permitted caller may proceed: the owner of a wallet signs, or a person
 * confirms.
 */
export interface Authorizer<A = OperationContext, L = unknown, W = unknown, E = unknown>
  extends Omit<AuthorizerOffer, 'headers'> {
  /** Returns what a profile shows of the declaration; all of it by default. */
  readonly offeredIn: (profile: Profile) => AuthorizerOffer;
  /** Reads the proof that a call carries, before rows are loaded and again after a wait. Writes nothing. */
  readonly read: (context: A) => E;
  /** Decides, and writes what a challenge needs. */
  readonly decide: (context: A, evidence: E, loaded: L, waited: W) => Decision;
}

type Replies = Readonly<Record<number, Shape | null>>;

/** Returns the replies of both; a status that both have takes either shape. */
function eitherOf<A extends Replies, B extends Replies>(a: A, b: B): A & B {
  const shared = Object.keys(a).flatMap((status) => {
    const [one, other] = [a[Number(status)], b[Number(status)]];
    return one && other ? [[status, lazy(() => z.union([one(), other()]))]] : [];
  });
  return { ...a, ...b, ...Object.fromEntries(shared) };
}

/** Combines two authorizers: the second decides once the first has granted, and proofs are used up once both have. */
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
  /**
   * By table, where the reply shows members of the row that it makes, such as an id that is not the reply's `id`.
   * `{name}` is a parameter.
   */
  readonly makes?: Readonly<Record<string, Readonly<Record<string, string>>>> | undefined;
  /** True if the body may be left out. */
  readonly bodyOptional?: boolean | undefined;
  /** Set if the body is a form with files. */
  readonly upload?: UploadRule | undefined;
  /** The declared replies; `null` means no body. */
  readonly replies: Readonly<Record<number, Shape | null>>;
  readonly idempotency?: 'optional' | 'required' | undefined;
  /**
   * True if the `Idempotency-Key` alone names the request: a retry gets the first reply, whatever its body (spec 4.2).
   */
  readonly keyAlone?: boolean | undefined;
  /** For calls without credentials: returns whether the call is meant for this world. */
  readonly isFor?: ((world: World, params: Readonly<Record<string, string>>) => boolean) | undefined;
  /**
   * Returns a call that fits something under way and is slow to make. People are shown it instead of the example, if
   * there is one.
   */
  readonly exampleNow?:
    | ((world: World) => Promise<{ params: Readonly<Record<string, string>>; body: object } | undefined>)
    | undefined;
}

/** The functions of an operation, in the order in which they run. Only `write` writes. */
interface Handlers<A, L, W, E> {
  /** Finds the rows that the call names, or refuses with 404. Runs again after a wait, as does `check`. */
  readonly load?: ((context: A) => L) | undefined;
  /** Refuses a call whose preconditions do not hold. */
  readonly check?: ((context: A, loaded: L) => void) | undefined;
  /**
   * Does asynchronous work, such as cryptography, and passes its result to `write`. Nothing waits unless it returns a
   * promise.
   */
  readonly wait?: ((context: A, loaded: L, evidence: E) => W | Promise<W>) | undefined;
  /** Replies to a GET. */
  readonly read?: ((context: A, loaded: L) => Reply) | undefined;
  /** Decides and writes, synchronously: on one thread, that happens completely or not at all. */
  readonly write?: ((context: A, loaded: L, waited: W, evidence: E) => Reply) | undefined;
}

/** A call whose body is examined before anything is decided. */
export type BodyCall<P extends string = string> = Pick<OperationContext<unknown, unknown, P>, 'world' | 'params'> & {
  readonly principal?: Principal | undefined;
};

export interface Operation extends Described, Handlers<OperationContext, unknown, unknown, unknown> {
  readonly tag: string;
  readonly method: Method;
  readonly path: string;
  readonly auth: Scheme;
  /** The permission that a platform token needs. */
  readonly permission: Permission;
  readonly query?: Shape<z.ZodObject> | undefined;
  readonly body?: Shape | undefined;
  /**
   * Returns what rules between fields find wrong with a body although the schema already refuses the members in `bad`.
   * One reply then names all errors (reference 3.4). `sent` lacks the bad members at any depth, with gaps in lists; it
   * keeps members that the schema would drop.
   */
  readonly fieldRules?:
    | ((call: BodyCall, sent: Readonly<Record<string, unknown>>, bad: ReadonlySet<string>) => readonly FieldError[])
    | undefined;
  /** Codes that this operation refuses with, beyond those that every operation may use. */
  readonly refuses: readonly ErrorCode[];
  /** An authorizer that must also grant the call; its challenges and refusals count among the operation's. */
  readonly authorize?: Authorizer<OperationContext, unknown, unknown, unknown> | undefined;
  /** A call that succeeds. */
  readonly example?: Example | undefined;
}

/** Requires an example of operations with a path parameter or a body: nobody could guess those. */
type NeedsExample<P extends string, B extends Shape> = [PathParams<P>, Shape<z.ZodUndefined>] extends [never, B]
  ? { example?: Example<PathParams<P>> }
  : { example: Example<PathParams<P>> };

/**
 * Declares the operations of one tag of the document, each as plain data that can be sorted, counted and mounted.
 * `permission` is the default for operations that do more than read.
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
