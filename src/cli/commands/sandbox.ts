import type { Command } from 'commander';
import { Option } from 'commander';
import { DURATION_FORM, parseDuration } from '../../contract/duration-text.ts';
import type { AnswerOf, commands } from '../../sandbox/commands/index.ts';
import { addExamples } from '../examples.ts';
import { clockText, inPath, Remote, type RemoteFlags, remoteOptions, show } from '../remote.ts';
import { httpUrl } from '../start-flags.ts';
import { type Colours, printable } from '../text.ts';

type Created = AnswerOf<typeof commands.sandboxes.create>;
type Listed = AnswerOf<typeof commands.sandboxes.list>;
type Shown = AnswerOf<typeof commands.sandboxes.read>;

interface CreateFlags extends RemoteFlags {
  secret?: string;
  scenario?: string;
  seed?: string;
  webhookUrl?: string;
  idle?: string;
}

/** Parses a duration of real time. */
const duration = (text: string): string => {
  if ((parseDuration(text) ?? 0) <= 0) throw new Error(`--idle must be ${DURATION_FORM}, not ${text}`);
  return text;
};

/** Returns the flags for a running emulator without `--sandbox`: these commands name theirs. */
const options = (): Option[] => remoteOptions().filter(({ long }) => long !== '--sandbox');

/** Declares `sandbox` and its subcommands. */
export function declare(command: Command): void {
  addExamples(command, [
    ['sandbox create pr-42 --idle 7d', 'one for a pull request, dropped after a week without a call'],
    ['sandbox list', 'every sandbox of the emulator'],
    ['sandbox show pr-42', 'its credentials and URLs'],
    ['sandbox drop pr-42', 'end it now'],
  ]);
  const create = command
    .command('create')
    .description('create a sandbox with a name of your own')
    .argument('<id>', 'its name and token id');
  create.addOption(new Option('--secret <secret>', 'its client secret; default: a generated one'));
  create.addOption(new Option('--scenario <name>', 'a built-in scenario; default: that of the emulator'));
  create.addOption(new Option('--seed <seed>', 'make its identifiers and generated data the same in every run'));
  create.addOption(
    new Option('--webhook-url <url>', 'send its webhooks to this URL').argParser(httpUrl('--webhook-url')),
  );
  create.addOption(
    new Option('--idle <duration>', 'drop it after this real time without a call; default: never').argParser(duration),
  );
  for (const option of options()) create.addOption(option);
  create.action(
    async (id: string, { url, controlToken, json, secret, scenario, seed, webhookUrl, idle }: CreateFlags) => {
      const body = { id, secret, scenario, seed, webhookUrl, idle };
      const made = await new Remote({ url, controlToken }).ask<Created>('POST', '/sandboxes', body);
      show(json, made, (c) => [
        `created ${c.bold(printable(made.id))}${idle === undefined ? '' : `, dropped after ${printable(idle)} without a call`}`,
        ...accessTo({ ...made, credentials: [made.credentials] }, c),
      ]);
    },
  );
  const list = command.command('list').description('list the sandboxes');
  for (const option of options()) list.addOption(option);
  list.action(async ({ url, controlToken, json }: RemoteFlags) => {
    const { data } = await new Remote({ url, controlToken }).ask<Listed>('GET', '/sandboxes');
    show(json, data, (c) => data.map((one) => lineOf(one, c)));
  });
  const shown = command
    .command('show')
    .description('print the credentials and URLs of a sandbox')
    .argument('<id>', 'its name');
  for (const option of options()) shown.addOption(option);
  shown.action(async (id: string, { url, controlToken, json }: RemoteFlags) => {
    const one = await new Remote({ url, controlToken }).ask<Shown>('GET', `/sandboxes/${inPath('sandbox', id)}`);
    show(json, one, (c) => [lineOf(one, c), ...accessTo(one, c)]);
  });
  const drop = command.command('drop').description('drop a sandbox').argument('<id>', 'its name');
  for (const option of options()) drop.addOption(option);
  drop.action(async (id: string, { url, controlToken, json }: RemoteFlags) => {
    await new Remote({ url, controlToken }).ask('DELETE', `/sandboxes/${inPath('sandbox', id)}`);
    show(json, null, () => [`dropped ${printable(id)}`]);
  });
}

/** A sandbox with its logins; one that accepts any secret has none to show. */
interface Access extends Pick<Shown, 'baseUrl' | 'inspectorUrl'> {
  readonly credentials: readonly { readonly id?: string | undefined; readonly secret?: string | undefined }[];
}

/** Returns the lines with which somebody can call a sandbox and look at it. */
const accessTo = ({ credentials, baseUrl, inspectorUrl }: Access, c: Colours): string[] => [
  ...credentials.map(
    ({ id = '', secret = '(any secret)' }) => `  ${c.dim('credentials')}  ${printable(`${id}:${secret}`)}`,
  ),
  `  ${c.dim('base URL')}     ${printable(baseUrl)}`,
  `  ${c.dim('inspector')}    ${printable(inspectorUrl)}`,
];

const lineOf = ({ id, clock, isDefault, idle }: Listed['data'][number], c: Colours): string =>
  [
    c.bold(printable(id)),
    clockText(clock, c),
    ...(isDefault ? ['the default one'] : []),
    ...(idle === undefined ? [] : [`idle for ${printable(idle)} at most`]),
  ].join('  ');
