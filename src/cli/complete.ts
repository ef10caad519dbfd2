import type { Argument, Command, Option } from 'commander';
import { commandLine, declared } from './commands.ts';
import { HERE } from './options.ts';
import { printable } from './text.ts';
import { type Candidate, FILES, valuesOf } from './values.ts';

/** Prints the completions of a command line, one per line with its description; nothing if there are none. */
export async function complete(words: readonly string[]): Promise<void> {
  const lines = (await candidates(words)).map(([value, about]) => `${value}\t${printable(about)}\n`);
  process.stdout.write(lines.join(''));
}

/** Returns the completions of the last of the words after the name of the program. */
export async function candidates(words: readonly string[]): Promise<readonly Candidate[]> {
  const current = words.at(-1) ?? '';
  const place = await placeOf(words.slice(0, -1));
  const ask = (what: Option | Argument) => valuesOf(place.command.name(), what, settings(words.slice(0, -1)));
  const starting = (list: readonly Candidate[], text: string) =>
    list.filter(([value]) => value === FILES || value.startsWith(text));
  if (place.option) return starting(await ask(place.option), current);
  const [, flag, value] = place.onlyArguments ? [] : (/^(--[\w-]+)=(.*)$/s.exec(current) ?? []);
  if (flag !== undefined && value !== undefined) {
    const option = optionsOf(place.command).find(({ long }) => long === flag);
    const values = option ? starting(await ask(option), value) : [];
    return values.filter(([text]) => text !== FILES).map(([text, about]) => [`${flag}=${text}`, about]);
  }
  if (current.startsWith('-') && !place.onlyArguments)
    return starting(
      optionsOf(place.command).flatMap(({ long, description }) => (long ? [[long, description] as const] : [])),
      current,
    );
  const { registeredArguments, commands } = place.command;
  const argument = registeredArguments[place.arguments] ?? registeredArguments.find(({ variadic }) => variadic);
  const below = place.arguments > 0 ? [] : commands.map((one) => [one.name(), one.description()] as const);
  return starting([...below, ...(argument ? await ask(argument) : [])], current);
}

/** The position of the next word on the command line. */
interface Place {
  command: Command;
  /** The flag whose value it is. */
  option: Option | undefined;
  /** The number of arguments before it. */
  arguments: number;
  /** True after `--`. */
  onlyArguments: boolean;
}

async function placeOf(before: readonly string[]): Promise<Place> {
  const place: Place = { command: commandLine(), option: undefined, arguments: 0, onlyArguments: false };
  for (const word of before) {
    if (place.option) place.option = undefined;
    else if (place.onlyArguments) place.arguments += 1;
    else if (word === '--') place.onlyArguments = true;
    else if (word.startsWith('-')) place.option = takesValue(place.command, word);
    else {
      const below = place.arguments > 0 ? undefined : place.command.commands.find((one) => one.name() === word);
      if (below) await declared(below);
      if (below) place.command = below;
      else place.arguments += 1;
    }
  }
  return place;
}

/** Returns the flag that a word is, if the word after it is its value. */
const takesValue = (command: Command, word: string): Option | undefined =>
  optionsOf(command).find(({ long, short, required }) => required && (word === long || word === short));

/** Returns the flags of a command as its help shows them: without a subcommand those of `start`, too. */
const optionsOf = (command: Command): Option[] => command.createHelp().visibleOptions(command);

/** Returns the emulator and the sandbox that the unfinished command line would call. */
function settings(words: readonly string[]): { url: string; sandbox?: string; controlToken?: string } {
  const given = (flag: string): string | undefined => {
    const at = words.indexOf(flag);
    return at >= 0 && at < words.length - 1
      ? words[at + 1]
      : words.find((word) => word.startsWith(`${flag}=`))?.split('=')[1];
  };
  const sandbox = given('--sandbox');
  const url = given('--url') ?? process.env['SANDBOX_EMULATOR_URL'] ?? HERE;
  const controlToken = given('--control-token') ?? process.env['SANDBOX_EMULATOR_CONTROL_TOKEN'];
  return {
    url: url.replace(/\/+$/, ''),
    ...(sandbox === undefined ? {} : { sandbox }),
    ...(controlToken ? { controlToken } : {}),
  };
}
