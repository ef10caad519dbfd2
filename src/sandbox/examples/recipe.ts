import type { Facts } from './facts.ts';

/** What a call is made of, in the names of the specification. */
export interface Ingredients {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** Makes a call that is valid now of what a world has; an operation without a recipe takes what its schema says. */
export type Recipe = (the: Facts) => Ingredients;
export type Recipes = Readonly<Record<string, Recipe>>;

/** A recipe of one parameter in the path. */
export const at =
  (name: string, id: (the: Facts) => string, more: (the: Facts, id: string) => Ingredients = () => ({})): Recipe =>
  (the) => {
    const value = id(the);
    return { ...more(the, value), params: { [name]: value } };
  };
