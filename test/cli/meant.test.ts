import { expect, test } from 'vitest';
import { commandLine, declared } from '../../src/cli/commands.ts';
import { MEANT, meantBy } from '../../src/cli/meant.ts';
import { CONTROLS } from '../../src/control/index.ts';

const WORDS = MEANT.flatMap(({ words }) => words.split(' '));

test('a word that other tools use for a command is neither a command here nor listed twice', () => {
  const names = commandLine().commands.map((command) => command.name());
  expect(WORDS.filter((word) => names.includes(word))).toEqual([]);
  expect(WORDS.filter((word, i) => WORDS.indexOf(word) !== i)).toEqual([]);
});

test.each(MEANT)('the example for "$words" names a command with flags that it has, or a control', async (meant) => {
  if (meant.call) {
    const [path = ''] = meant.example.split(' ');
    const method = meant.example.includes(' -G') ? 'GET' : 'POST';
    expect(
      CONTROLS.some(
        (one) => one.method === method && new RegExp(`^${one.path.replaceAll(/:\w+/g, '[^/]+')}$`).test(path),
      ),
    ).toBe(true);
    return;
  }
  const [name, ...rest] = meant.example.split(' ');
  let command = commandLine().commands.find((one) => one.name() === name);
  if (!command) throw new Error(`there is no command ${name}`);
  await declared(command);
  command = command.commands.find((one) => one.name() === rest[0]) ?? command;
  const flags = command.options.map(({ long }) => long);
  expect(rest.filter((word) => word.startsWith('--') && !flags.includes(word))).toEqual([]);
});

test('a hint makes its calls to the emulator that SANDBOX_EMULATOR_URL names', () => {
  const env = { SANDBOX_EMULATOR_URL: 'http://127.0.0.1:4020' };
  expect(meantBy('Record', env)).toContain('curl http://127.0.0.1:4020/_emulator/record ');
  expect(meantBy('nothing-like-it')).toBeUndefined();
});
