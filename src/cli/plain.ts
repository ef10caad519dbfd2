import { type Flag, portFromEnvironment, START_FLAGS, type StartFlags } from './start-flags.ts';

const NAMES = new Map<string, Flag>(
  START_FLAGS.flatMap((flag) =>
    flag.flags
      .replace(/ <.*/, '')
      .split(', ')
      .map((name) => [name, flag] as const),
  ),
);

const takesValue = ({ flags }: Flag): boolean => flags.includes('<');

/** Returns the member for a flag: `webhookUrl` for `--webhook-url <url>`. */
const memberOf = ({ flags }: Flag): string =>
  flags.replace(/^.*--([a-z-]+).*$/, '$1').replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());

class NotPlain extends Error {}

function valueFrom({ choices, parse }: Flag, text: string, before: unknown): unknown {
  if (choices && !choices.includes(text)) throw new NotPlain();
  return parse ? parse(text, before as string[] | undefined) : text;
}

/**
 * Parses the flags of a plain start as the library of the command line would, which takes longer to load than to run.
 * Undefined for any other or wrong command line: the library then parses it, and reports mistakes.
 */
export function plainFlags(args: readonly string[], env: NodeJS.ProcessEnv = process.env): StartFlags | undefined {
  try {
    return read(args[0] === 'start' ? args.slice(1) : args, env);
  } catch {
    return undefined;
  }
}

function read(args: readonly string[], env: NodeJS.ProcessEnv): StartFlags {
  const given = new Map<Flag, unknown>();
  for (let i = 0; i < args.length; i += 1) {
    const arg = args[i] as string;
    const equals = arg.startsWith('--') ? arg.indexOf('=') : -1;
    const flag = NAMES.get(equals < 0 ? arg : arg.slice(0, equals));
    if (!flag) throw new NotPlain();
    if (!takesValue(flag)) {
      if (equals >= 0) throw new NotPlain();
      given.set(flag, true);
      continue;
    }
    if (equals < 0) i += 1;
    const text = equals < 0 ? args[i] : arg.slice(equals + 1);
    if (text === undefined || text.startsWith('-')) throw new NotPlain();
    given.set(flag, valueFrom(flag, text, given.get(flag)));
  }
  const flags: Record<string, unknown> = {};
  for (const flag of START_FLAGS) {
    const value = flag.env === undefined ? undefined : env[flag.env];
    if (given.has(flag)) flags[memberOf(flag)] = given.get(flag);
    else if (value !== undefined) flags[memberOf(flag)] = valueFrom(flag, value, undefined);
    else if (flag.default !== undefined)
      flags[memberOf(flag)] = flag.env === 'SANDBOX_EMULATOR_PORT' ? portFromEnvironment(env) : flag.default;
  }
  return flags as unknown as StartFlags;
}
