import { type Profile, render } from '../contract/profile.ts';
import { ingredientsOf } from '../declare/example.ts';
import type { Operation } from '../declare/operation.ts';
import type { World } from '../engine/world.ts';
import { exampleKey } from './key.ts';
import { pathNames } from './operation.ts';
import { Rows } from './rows.ts';

/** The input of an operation, in the names of the profile. */
export interface Example {
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** The operation that makes what the example lacks in this sandbox; until then the example is refused. */
  readonly needs?: string;
}

type Texts = Readonly<Record<string, string>>;

/** Returns an example of a call, made from the rows that a world has now. */
export function exampleOf(world: World, operation: Operation): Example {
  const the = new Rows(world);
  const { params, query, headers, body } = ingredientsOf(the, operation.example);
  const named = Object.fromEntries(pathNames(operation).map((name) => [name, `<${name}>`]));
  return {
    params: { ...named, ...(params as Texts) },
    query: query as Texts,
    headers: {
      ...(operation.idempotency === 'required' ? { 'Idempotency-Key': exampleKey(world) } : {}),
      ...(headers as Texts),
    },
    ...(body === undefined ? {} : { body: inNames(world.profile, body) }),
    ...(the.needs === undefined ? {} : { needs: the.needs }),
  };
}

const inNames = (profile: Profile, value: unknown): unknown => JSON.parse(render(profile, value));
