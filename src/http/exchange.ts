import type { Answer } from '../contract/answer.ts';
import type { Failure } from '../contract/errors.ts';
import type { Faults } from '../contract/faults.ts';
import type { Operation, OperationContext, Principal, PrincipalOf, Reply } from '../declare/operation.ts';
import { stopwatch } from '../engine/clock.ts';
import type { Moment } from '../engine/history.ts';
import type { World } from '../engine/world.ts';
import type { Host } from '../sandbox/host.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import type { ControlLock } from './control-lock.ts';
import { type Gate, isPreflight } from './gate.ts';
import type { Slot } from './idempotency.ts';
import type { HttpRequest } from './request.ts';

/** The objects that the steps of every request share. */
export interface App {
  readonly host: Host;
  readonly gate: Gate;
  /** The control token, if one is set. */
  readonly lock: ControlLock;
  /** The functions that find the principal of an access token, from the areas that issue them. */
  readonly principals: readonly PrincipalOf[];
}

/**
 * One step: it returns an answer, or passes the request to the next; an error that it throws is a refusal. `at` is its
 * position.
 */
// biome-ignore lint/suspicious/noConfusingVoidType: most steps return nothing
export type Step<P> = (exchange: P, at: number) => Answer | void | Promise<Answer | void>;

/** The handling of requests to one address: the steps of its column that apply, and the form of its refusals. */
export interface Route<P> {
  readonly steps: readonly Step<P>[];
  readonly refuse: (exchange: P, error: unknown) => Answer | Promise<Answer>;
}

/** One request in progress. */
export interface Exchange {
  readonly request: HttpRequest;
  readonly app: App;
  readonly requestId: string;
  readonly started: number;
  /** Throws if the request may not go on after a wait. */
  assertOpen?(): void;
}

/** Starts a request that no log keeps. */
export const begin = <R extends HttpRequest>(app: App, request: R): Exchange & { readonly request: R } => ({
  request,
  app,
  requestId: app.host.nextUnloggedId(),
  started: stopwatch(),
});

/**
 * A request to the API in progress. A caller who is refused is logged in the sandbox that the credentials name. Without one,
 * the log is that of the sandbox for which this process calls itself, or the default one.
 */
export class Call implements Exchange {
  readonly app: App;
  readonly request: HttpRequest;
  readonly route: Route<Call>;
  /** The path below the version segment. */
  readonly path: string;
  readonly params: Readonly<Record<string, string>>;
  /** The operation; undefined if none serves the request, and `missing` says why. */
  readonly op: Operation | undefined;
  readonly missing: Failure | undefined;
  readonly requestId: string;
  readonly started = stopwatch();
  sandbox: Sandbox;
  /** The life in which it began. */
  world: World;
  principal: Principal | undefined = undefined;
  text = '';
  /** The other origin whose page sent it, if it is allowed. */
  origin: string | undefined = undefined;
  /** The fault that fired, and its effect. */
  fault: string | undefined = undefined;
  /** The state before it, for a rewind: the faults that it met, and the moment of its execution. */
  faults: Faults | undefined = undefined;
  /** True once its faults have been looked at: a refusal may come before. */
  metFaults = false;
  moment: Moment | undefined = undefined;
  form: { body: unknown; files: OperationContext['files'] } | undefined = undefined;
  context: OperationContext | undefined = undefined;
  slot: Slot | undefined = undefined;
  /** True if from here on the reply, even a refusal, is the first reply to an idempotency key. */
  settled = false;
  evidence: unknown = undefined;
  loaded: unknown = undefined;
  waited: unknown = undefined;
  /** True while the earlier loads and checks still hold. */
  examined = false;
  challenged = false;
  reply: Reply | undefined = undefined;
  replyText = '';

  constructor(
    app: App,
    request: HttpRequest,
    route: Route<Call>,
    path: string,
    params: Call['params'] = {},
    op?: Operation,
    missing?: Failure,
  ) {
    this.app = app;
    this.request = request;
    this.route = route;
    this.path = path;
    this.params = params;
    this.op = op;
    this.missing = missing;
    this.requestId = isPreflight(request) ? app.host.nextUnloggedId() : app.host.nextRequestId();
    this.sandbox = request.sandbox ?? app.host.default;
    this.world = this.sandbox.world;
  }

  /** Assigns it to a sandbox, in the life that this has now. */
  belongTo(sandbox = this.sandbox): void {
    this.sandbox = sandbox;
    this.world = sandbox.world;
  }

  /** Refuses 409 `CONFLICT` once the life in which it began is over. */
  assertOpen(): void {
    this.world.assertOpen();
  }

  get host(): Host {
    return this.app.host;
  }
}

/**
 * Runs the steps of a route from one of them on. Without a wait there is no promise, so that reads do not pay for other
 * calls.
 */
export function runSteps<P extends object>(
  exchange: P & { assertOpen?(): void },
  route: Route<P>,
  from = 0,
): Answer | Promise<Answer> {
  const { steps } = route;
  try {
    if (from > 0) exchange.assertOpen?.();
    for (let at = from; at < steps.length; at += 1) {
      const done = (steps[at] as Step<P>)(exchange, at);
      if (!done) continue;
      if (!(done instanceof Promise)) return done;
      return done.then(
        (answer) => answer ?? runSteps(exchange, route, at + 1),
        (error) => route.refuse(exchange, error),
      );
    }
  } catch (error) {
    return route.refuse(exchange, error);
  }
  throw new Error('no step answered');
}
