import { type Profile, render } from '../../contract/profile.ts';
import type { Operation } from '../../declare/operation.ts';
import type { World } from '../../engine/world.ts';
import { AGENTS } from './agents.ts';
import { CARDS } from './cards.ts';
import { COINS } from './coins.ts';
import { Facts } from './facts.ts';
import { freshKey } from './key.ts';
import { MONEY } from './money.ts';
import { pathNames } from './operation.ts';
import { PEOPLE } from './people.ts';
import type { Recipes } from './recipe.ts';
import { sampleOf } from './sample.ts';
import { SCA } from './sca.ts';
import { WALLETS } from './wallets.ts';

/** What to call an operation with, in the names of the profile. */
export interface Example {
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** The operation that makes what the sandbox lacks for it; until then the example is refused. */
  readonly needs?: string;
}

const RECIPES: Recipes = { ...PEOPLE, ...MONEY, ...CARDS, ...AGENTS, ...SCA, ...COINS, ...WALLETS };

/** An example of a call, made from what a world has now; `schema` is that of its body, for what has no recipe. */
export function exampleOf(world: World, operation: Operation, schema: unknown): Example {
  const the = new Facts(world);
  const made = RECIPES[operation.id]?.(the) ?? {};
  const named = Object.fromEntries(pathNames(operation).map((name) => [name, `<${name}>`]));
  const body = 'body' in made || schema === undefined || operation.bodyOptional ? made.body : sampleOf(schema);
  return {
    params: { ...named, ...made.params },
    query: { ...made.query },
    headers: {
      ...(operation.idempotency === 'required' ? { 'Idempotency-Key': freshKey(world) } : {}),
      ...made.headers,
    },
    ...(body === undefined ? {} : { body: inNames(world.profile, body) }),
    ...(the.needs === undefined ? {} : { needs: the.needs }),
  };
}

const inNames = (profile: Profile, value: unknown): unknown => JSON.parse(render(profile, value));
