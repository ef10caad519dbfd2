import { wordOf, wordsOf } from './words.ts';

/** A text with variables in place of values that earlier replies gave. */
export type Template = readonly (string | { readonly variable: string })[];

/** A JSON value whose texts are templates. */
export type TemplatedNode =
  | { readonly text: Template }
  | { readonly plain: number | boolean | null }
  | { readonly list: readonly TemplatedNode[] }
  | { readonly members: readonly (readonly [name: string, value: TemplatedNode])[] };

/** Names that a recording uses itself in some format, or that are reserved words of its language. */
const TAKEN =
  'emulator sandbox idAt jobIdOf job origin expect test startEmulator onTestFinished sealOtp createClientKey formOf form file Blob Buffer FormData process name after newest next_event endpoint sandbox control base login reply status expected call loginId loginSecret ' +
  'PATH case class const default delete enum export for function if import in new package return switch this var void with';

/** Values and the names of their variables. */
export class Names {
  readonly #names = new Map<string, string>();
  readonly #taken = new Set(TAKEN.split(' '));
  /** The number for the next name that begins with a word. */
  readonly #next = new Map<string, number>();
  /** Values by the word that finds them. */
  readonly #byWord = new Map<string | undefined, string[]>();

  /** Returns the name of a value; undefined if it has none. */
  of(value: string): string | undefined {
    return this.#names.get(value);
  }

  /** Gives a value a unique name like the wanted one. */
  add(value: string, wanted: string): string {
    const word = wanted.replaceAll(/\W+/g, '').replace(/^\d/, '_$&') || 'value';
    let name = word;
    let next = this.#next.get(word) ?? 2;
    for (; this.#taken.has(name); next += 1) name = `${word}${next}`;
    this.#next.set(word, next);
    this.#taken.add(name);
    if (!this.#names.has(value)) {
      const key = wordOf(value);
      const known = this.#byWord.get(key);
      if (known) known.push(value);
      else this.#byWord.set(key, [value]);
    }
    this.#names.set(value, name);
    return name;
  }

  /** Returns a text with its named values as variables. */
  template(text: string): Template {
    let parts: (string | { variable: string })[] = text === '' ? [] : [text];
    for (const value of this.#valuesIn(text)) {
      const variable = this.#names.get(value) as string;
      parts = parts.flatMap((part) =>
        typeof part !== 'string'
          ? [part]
          : part.split(value).flatMap((rest, i) => [...(i > 0 ? [{ variable }] : []), ...(rest === '' ? [] : [rest])]),
      );
    }
    return parts;
  }

  /** Returns the named values in a text, longest first. */
  #valuesIn(text: string): string[] {
    if (this.#names.size === 0) return [];
    return [undefined, ...wordsOf(text)]
      .flatMap((word) => this.#byWord.get(word) ?? [])
      .filter((value) => text.includes(value))
      .sort((a, b) => b.length - a.length);
  }

  /** Returns a JSON value with its texts as templates. */
  node(value: unknown): TemplatedNode {
    if (typeof value === 'string') return { text: this.template(value) };
    if (Array.isArray(value)) return { list: value.map((one) => this.node(one)) };
    if (typeof value !== 'object' || value === null) return { plain: value as number | boolean | null };
    return { members: Object.entries(value).map(([name, one]) => [name, this.node(one)] as const) };
  }
}

/** Returns the variables in a text. */
export const variablesIn = (template: Template): string[] =>
  template.flatMap((part) => (typeof part === 'string' ? [] : [part.variable]));

/** Returns the variables in a JSON value. */
export function variablesWithin(node: TemplatedNode): string[] {
  if ('text' in node) return variablesIn(node.text);
  if ('plain' in node) return [];
  return 'list' in node ? node.list.flatMap(variablesWithin) : node.members.flatMap(([, one]) => variablesWithin(one));
}

/**
 * Returns a name for a value: the type of an id such as `Customer:...` followed by `Id`, otherwise the member that
 * holds it.
 */
export function nameFor(value: string, member: string): string {
  const [, type] = /^([A-Z][A-Za-z]*):/.exec(value) ?? [];
  if (type === undefined) return member;
  return `${type.slice(0, 1).toLowerCase()}${type.slice(1)}Id`;
}

/** Returns a path to a member, as programs and jq write it: `.data[0].id`. */
export const pathText = (path: readonly (string | number)[]): string =>
  path
    .map((step) =>
      typeof step === 'number' ? `[${step}]` : /^[A-Za-z_]\w*$/.test(step) ? `.${step}` : `[${JSON.stringify(step)}]`,
    )
    .join('');

/** Returns every text in a JSON value with the path to it. */
export function* textsIn(
  value: unknown,
  path: readonly (string | number)[] = [],
): Generator<{ text: string; path: readonly (string | number)[] }> {
  if (typeof value === 'string') yield { text: value, path };
  else if (Array.isArray(value)) for (const [i, one] of value.entries()) yield* textsIn(one, [...path, i]);
  else if (typeof value === 'object' && value !== null)
    for (const [name, one] of Object.entries(value)) yield* textsIn(one, [...path, name]);
}
