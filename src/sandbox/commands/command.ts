import * as z from 'zod';
import { lazy, type Shape } from '../../contract/lazy.ts';
import { parseAs } from '../../engine/parse-as.ts';
import type { Done } from '../acts.ts';
import type { Host } from '../host.ts';
import type { Sandbox } from '../sandbox.ts';

/** The context of a command. */
export interface CommandContext {
  readonly host: Host;
  readonly sandbox: Sandbox;
  /** The base URL of the API, with its version segment. */
  readonly baseUrl: string;
}

/** Returns the start of every address of the emulator: the base URL without the base path. */
export const rootOf = ({ host, baseUrl }: Pick<CommandContext, 'host' | 'baseUrl'>): string =>
  baseUrl.endsWith(host.basePath) ? baseUrl.slice(0, -host.basePath.length) : new URL(baseUrl).origin;

/** The members of an input, each with its schema. */
export type Members = Readonly<Record<string, z.ZodType>>;
type Input<M extends Members> = z.ZodObject<{ -readonly [K in keyof M]: M[K] }>;

/** An input before its schema has parsed it. */
export type InputOf<M extends Members> = z.input<Input<M>>;

/** An act on a sandbox or a question about one, for every door to it: control API, code, pages. */
export interface Command<M extends Members = Members, R = unknown, C = CommandContext> {
  /** One sentence: what it does or returns. */
  readonly about: string;
  readonly input: Shape<Input<M>>;
  /** Takes an input that its schema has parsed; refuses with a `Failure`, otherwise returns data. */
  run(context: C, input: z.output<Input<M>>): R;
}

/** The result of a command: `AnswerOf<typeof commands.clock.read>`. */
export type AnswerOf<C extends { run: (...all: never[]) => unknown }> = Awaited<ReturnType<C['run']>>;

/**
 * Declares a command: one sentence about it, the members of its input if it takes one, and the function that runs it.
 */
export function command<R, C = CommandContext>(
  about: string,
  run: (context: C) => R,
): Command<Record<never, never>, R, C>;
export function command<R, M extends Members, C = CommandContext>(
  about: string,
  members: () => M,
  run: Command<M, R, C>['run'],
): Command<M, R, C>;
export function command(about: string, ...parts: unknown[]): Command {
  const [run, members = () => ({})] = parts.reverse() as [Command['run'], (() => Members)?];
  return { about, input: lazy(() => z.strictObject(members())), run };
}

/** Runs a command with an input as a program has it. 400 `INVALID_INPUT` names every bad member at once. */
export const execute = <M extends Members, R>(one: Command<M, R>, context: CommandContext, input: InputOf<M>): R =>
  one.run(context, parseAs(one.input(), input));

/** Returns a command that also notes its act in the log, for recordings. `doneBy` runs before the command does. */
export const noted = <M extends Members, R>(
  one: Command<M, R>,
  doneBy: (context: CommandContext, input: z.output<Input<M>>) => Done | undefined,
): Command<M, R> => ({
  ...one,
  run: (context, input) => {
    const { sandbox } = context;
    const done = doneBy(context, input);
    const note = <V>(value: V): V => {
      if (done) sandbox.requestLog.noteAct(sandbox.world.clock.iso(), done);
      return value;
    };
    const result = one.run(context, input);
    return result instanceof Promise ? (result.then(note) as R) : note(result);
  },
});

/** Returns the input of commands about one row. */
export const byId = (what: string) => () => ({ id: z.string().describe(`Id of the ${what}`) });

const HEADER_NAME = /^[\w!#$%&'*+.^`|~-]+$/;
/** Each character is one byte of Latin-1, and none ends the line. */
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

/** The headers of a call to send, by name; one that no client could send is refused. */
export const sentHeaders = <V extends z.ZodType<string | null>>(value: V) =>
  z.record(z.string(), value).superRefine((headers, { addIssue }) => {
    for (const [name, is] of Object.entries(headers)) {
      const wrong = !HEADER_NAME.test(name)
        ? 'not the name of a header'
        : is !== null && !HEADER_VALUE.test(is)
          ? 'not the value of a header: one line, of Latin-1 signs'
          : undefined;
      if (wrong !== undefined) addIssue({ code: 'custom', message: wrong, path: [name] });
    }
  });
