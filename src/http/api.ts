import { OPERATIONS } from '../areas.ts';
import type { Answer } from '../contract/answer.ts';
import { Failure } from '../contract/errors.ts';
import { lazy } from '../contract/lazy.ts';
import { PROFILES, type Profile } from '../contract/profile.ts';
import type { Operation } from '../declare/operation.ts';
import type { Host } from '../sandbox/host.ts';
import { nearest } from '../scenario/nearest.ts';
import { type App, Call, type Route, runSteps } from './exchange.ts';
import { Paths, plainPath } from './paths.ts';
import type { HttpRequest } from './request.ts';
import { routeOf } from './steps.ts';

/** An operation of the service, and its steps. */
interface Built {
  readonly op: Operation;
  readonly route: Route<Call>;
}

type Tree = Paths<Built>;
const trees = new WeakMap<readonly Operation[], Map<Profile, Tree>>();

/** Returns every path of a profile with its steps, built once per process: nothing in it depends on a host. */
function treeOf(profile: Profile, operations: readonly Operation[]): Tree {
  const known = trees.get(operations) ?? new Map<Profile, Tree>();
  trees.set(operations, known);
  let tree = known.get(profile);
  if (tree) return tree;
  tree = new Paths<Built>();
  known.set(profile, tree);
  const built = new Map<string, Built>(operations.map((op) => [op.id, { op, route: routeOf(op.auth, op) }]));
  for (const one of built.values()) tree.add(one.op.method, one.op.path, one);
  for (const { method, from, path } of profile.aliases) {
    const aliased = tree.find(path)?.methods.get(method);
    if (aliased) tree.add(method, from, aliased);
  }
  return tree;
}

/** The API of a host, below each of its base paths. */
export class Api {
  readonly #app: App;
  readonly #bases: readonly string[];
  readonly #paths: () => Tree;
  readonly #nowhere = routeOf('nowhere');

  constructor(app: App, operations: readonly Operation[]) {
    const { host } = app;
    this.#app = app;
    const bases = [...new Set([host.basePath, ...Object.values(PROFILES).map(({ basePath }) => basePath)])];
    // A chosen one may be the beginning of another.
    this.#bases = bases.sort((a, b) => b.length - a.length);
    this.#paths = lazy(() => treeOf(host.profile, operations));
  }

  /** Returns the base path above a path, if it has one. */
  baseOf(path: string): string | undefined {
    return this.#bases.find((base) => path.startsWith(base) && path.charCodeAt(base.length) === 47);
  }

  /** Serves a call. 404 with the nearest path for an unknown one, 405 if the path has another method. */
  answer(request: HttpRequest, path: string): Answer | Promise<Answer> {
    const base = this.baseOf(path);
    const found = base === undefined ? undefined : this.#paths().find(path.slice(base.length));
    const at = found?.at(request.method);
    const plain = found ? plainPath(path.slice(base?.length)) : path;
    if (at) return runSteps(new Call(this.#app, request, at.route, plain, found?.params, at.op), at.route);
    const missing = found ? wrongMethod(request.method, found) : unknownPath(this.#app.host, path, base);
    return this.refuse(request, plain, missing, found?.params);
  }

  /** Refuses a request that no operation serves. */
  refuse(request: HttpRequest, path: string, missing: Failure, params?: Call['params']): Answer | Promise<Answer> {
    return runSteps(new Call(this.#app, request, this.#nowhere, path, params, undefined, missing), this.#nowhere);
  }
}

/**
 * Returns the refusal of a method that a path does not support: 405 `METHOD_NOT_ALLOWED`, with those that it supports.
 */
export const wrongMethod = (
  method: string,
  { path, methods }: { path: string; methods: ReadonlyMap<string, unknown> },
): Failure => {
  const allow = [...methods.keys()];
  const used = method === 'HEAD' ? 'GET' : method;
  return new Failure('METHOD_NOT_ALLOWED', `${path} does not answer ${used}; it answers ${allow.join(', ')}`, {
    details: { allow },
  });
};

/** Every path of the service, for suggestions. */
const DECLARED = lazy(() => {
  const paths = [...new Set(OPERATIONS.map(({ path }) => path))];
  const tree = new Paths<true>();
  for (const path of paths) tree.add('GET', path, true);
  return { paths, tree };
});

/** Returns a path with its ids as parameters; one much longer than any path of the service stays as it is. */
const withoutIds = (path: string): string =>
  path.length > 1000 ? path : path.replaceAll(/\b[A-Z][A-Za-z]{1,40}:[0-9a-f-]+/g, '{id}');

/** Returns the 404 for an unknown path, with the nearest known one. */
function unknownPath(host: Host, path: string, base: string | undefined): Failure {
  const shown = path.slice(base?.length ?? 0);
  const { paths, tree } = DECLARED();
  // An address with the path of the API, given to a program that needs it without.
  if (base !== undefined && /^\/_emulator(?:\/|$)/.test(shown))
    return new Failure('REFERENCE_NOT_FOUND', `there is no ${path}; the control API is at ${shown}, without ${base}`);
  const near = tree.find(shown)?.path ?? nearest(withoutIds(shown), paths);
  return new Failure(
    'REFERENCE_NOT_FOUND',
    `there is no ${path}; ${near ? `did you mean ${host.basePath}${near}?` : `the API lives under ${host.basePath}`}`,
    { details: near ? { nearest: `${host.basePath}${near}` } : undefined },
  );
}
