import * as z from 'zod';
import { issueText } from '../contract/issue-text.ts';
import { jsonOrText } from '../contract/json.ts';
import { lazy, type Shape } from '../contract/lazy.ts';
import { nearest } from '../scenario/nearest.ts';
import type { Client } from './client.ts';

type Members = Readonly<Record<string, z.ZodType>>;

/** An answer: what was found, and in one sentence what to do next. */
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
  /** It changes nothing, however it is called. */
  readonly reads: boolean;
  /** It can take away what is there: rows, a state, a whole sandbox. */
  readonly destroys: boolean;
  /** Characters of its answer, where only the whole answer is of use. */
  readonly most?: number | undefined;
  readonly input: Shape<z.ZodObject>;
  /** The members that its answers may have; of lists and objects the name alone, since a long one is shortened to a text. */
  readonly output: Shape<z.ZodObject>;
  run(client: Client, input: unknown): Promise<ToolAnswer>;
}

/** In every tool: whose sandbox is meant. */
const whose = () => ({
  sandbox: z.string().max(200).optional().describe('Id of another sandbox, such as one that was forked or loaded'),
});

/** Declares a tool. Its input is refused where it has a member that is not declared. */
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

/** An answer has what its act is about. */
const partial = (members: Members): Members =>
  Object.fromEntries(Object.entries(members).map(([name, member]) => [name, member.optional()]));

/** Members of an answer by their names: texts, and whatever else. */
export const texts = (...names: readonly string[]): Members =>
  Object.fromEntries(names.map((name) => [name, z.string()]));
export const things = (...names: readonly string[]): Members =>
  Object.fromEntries(names.map((name) => [name, z.unknown()]));

/** Returns a member that a tool with several acts needs. Throws one sentence. */
export function needed<T>(value: T | undefined, member: string, act: string): T {
  if (value === undefined) throw new Error(`${act} needs ${member}`);
  return value;
}

/** Rows a page, and where it goes on. */
export const paged = () => ({
  limit: z.int().min(1).max(50).default(10).describe('How many to return'),
  cursor: z.string().max(200).optional().describe('nextCursor of the previous answer'),
});

/** An object, or the JSON text of one, as some clients send it (G2). */
export const JsonObject = () =>
  z
    .preprocess((sent) => (typeof sent === 'string' ? jsonOrText(sent) : sent), z.record(z.string(), z.unknown()))
    .meta({ type: 'object' });

/** Letters from which on a near name is a guess worth making: of two letters, any two others are near. */
const GUESSED = 3;

/** Returns the words for members that an input does not have: the near name, and in any case all that there are. */
export function unknownMembers(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.code !== 'unrecognized_keys') return undefined;
  const { shape = {} } = (issue.inst as { def?: { shape?: object } } | undefined)?.def ?? {};
  const known = Object.keys(shape);
  const [key = ''] = issue.keys;
  const near = key.length < GUESSED ? undefined : nearest(key, known);
  const all = known.join(', ');
  return `${issueText(issue)}; ${near === undefined ? `there are ${all}` : `did you mean ${near}? There are ${all}`}`;
}
