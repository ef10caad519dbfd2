import * as z from 'zod';
import { issueText } from '../contract/issue-text.ts';
import { jsonOrText } from '../contract/json.ts';
import { lazy, type Shape } from '../contract/lazy.ts';
import { nearest } from '../scenario/nearest.ts';
import type { Client } from './client.ts';

type Members = Readonly<Record<string, z.ZodType>>;

/** A result: the findings, and in one sentence what to do next. */
export interface ToolAnswer {
  readonly [member: string]: unknown;
  readonly next?: string | undefined;
}

/** A tool as a coding agent sees it. */
export interface Tool {
  readonly name: string;
  readonly title: string;
  /** A description: what it does, when to use it, and its result. */
  readonly about: string;
  /** True if it changes nothing, however it is called. */
  readonly reads: boolean;
  /** True if it can remove something: rows, a state, a whole sandbox. */
  readonly destroys: boolean;
  /** The most characters of its result, if only the whole result is useful. */
  readonly most?: number | undefined;
  readonly input: Shape<z.ZodObject>;
  /**
   * The members that its results may have; lists and objects by name only, because a long one is shortened to a text.
   */
  readonly output: Shape<z.ZodObject>;
  run(client: Client, input: unknown): Promise<ToolAnswer>;
}

/** The member that every tool has: the sandbox. */
const whose = () => ({
  sandbox: z.string().max(200).optional().describe('Id of another sandbox, such as one that was forked or loaded'),
});

/** Declares a tool. Its input is refused if it has an undeclared member. */
export function tool<M extends Members>(
  name: string,
  describes: { title: string; about: string; reads?: true; destroys?: true; most?: number; answers?: () => Members },
  members: () => M,
  run: (client: Client, input: z.output<z.ZodObject<{ -readonly [K in keyof M]: M[K] }>>) => Promise<ToolAnswer>,
): Tool {
  return {
    name,
    title: describes.title,
    about: describes.about,
    reads: describes.reads ?? false,
    destroys: describes.destroys ?? false,
    most: describes.most,
    input: lazy(() => z.strictObject({ ...members(), ...whose() }) as unknown as z.ZodObject),
    output: lazy(() => z.looseObject({ ...partial(describes.answers?.() ?? {}), next: z.string().optional() })),
    run: (client, input) => run(client.in((input as { sandbox?: string }).sandbox), input as never),
  };
}

/** Returns the members as optional ones: a result has those that its act concerns. */
const partial = (members: Members): Members =>
  Object.fromEntries(Object.entries(members).map(([name, member]) => [name, member.optional()]));

/** Returns members of a result by their names: texts, and other values. */
export const texts = (...names: readonly string[]): Members =>
  Object.fromEntries(names.map((name) => [name, z.string()]));
export const things = (...names: readonly string[]): Members =>
  Object.fromEntries(names.map((name) => [name, z.unknown()]));

/** Returns a member that a tool with several acts needs. Throws one sentence. */
export function needed<T>(value: T | undefined, member: string, act: string): T {
  if (value === undefined) throw new Error(`${act} needs ${member}`);
  return value;
}

/** Returns the members for the rows per page, and for the next page. */
export const paged = () => ({
  limit: z.int().min(1).max(50).default(10).describe('How many to return'),
  cursor: z.string().max(200).optional().describe('nextCursor of the previous answer'),
});

/** An object, or the JSON text of one, as some clients send it (G2). */
export const JsonObject = () =>
  z
    .preprocess((sent) => (typeof sent === 'string' ? jsonOrText(sent) : sent), z.record(z.string(), z.unknown()))
    .meta({ type: 'object' });

/** The length from which on a near name is worth guessing: with two letters, any two others are near. */
const GUESSED = 3;

/** Returns the message for unknown members of an input: the near name, and in any case all names. */
export function unknownMembers(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.code !== 'unrecognized_keys') return undefined;
  const { shape = {} } = (issue.inst as { def?: { shape?: object } } | undefined)?.def ?? {};
  const known = Object.keys(shape);
  const [key = ''] = issue.keys;
  const near = key.length < GUESSED ? undefined : nearest(key, known);
  const all = known.join(', ');
  return `${issueText(issue)}; ${near === undefined ? `there are ${all}` : `did you mean ${near}? There are ${all}`}`;
}
