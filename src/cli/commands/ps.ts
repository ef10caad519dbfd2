import type { Command } from 'commander';
import type { AnswerOf, commands } from '../../sandbox/commands/index.ts';
import { addExamples } from '../examples.ts';
import { HERE } from '../options.ts';
import { clockText, Remote, type RemoteFlags, remoteOptions, show } from '../remote.ts';
import { type Colours, printable } from '../text.ts';

type Running = AnswerOf<typeof commands.emulator.running>;

type Found = Running & { url: string };

/** Declares `ps`. */
export function declare(command: Command): void {
  for (const option of remoteOptions().filter(({ long }) => long !== '--sandbox')) command.addOption(option);
  addExamples(command, [
    ['ps', 'emulators on port 4010 and at SANDBOX_EMULATOR_URL'],
    [
      'ps --url http://127.0.0.1:4020 --json',
      'also at this URL, as JSON: [{"url","version","profile","sandboxes",...}]',
    ],
  ]);
  command.action(async (flags: RemoteFlags) => {
    const found = await runningAt([flags, ...(flags.url === HERE ? [] : [{ url: HERE }])]);
    show(flags.json, found, (c) => found.flatMap((one) => table(one, c)));
  });
}

/**
 * Returns the emulators that run at addresses, the first of which was given. Throws the error of that one if none runs.
 */
async function runningAt(places: readonly Pick<RemoteFlags, 'url' | 'controlToken'>[]): Promise<Found[]> {
  const answers = await Promise.allSettled(
    places.map(async ({ url, controlToken }) => ({
      url,
      ...(await new Remote({ url, controlToken }).ask<Running>('GET', '/running')),
    })),
  );
  const found = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []));
  const [first] = answers;
  if (found.length === 0 && first?.status === 'rejected') throw first.reason;
  return found;
}

/** Returns lines for people: the process, then a row per sandbox. */
function table({ url, version, profile, uptimeMs, sandboxes, totalCount }: Found, c: Colours) {
  const rows = sandboxes.map(({ id, customers, requests }) => [printable(id), String(customers), String(requests)]);
  const widths = HEADS.map((head, i) => Math.max(head.length, ...rows.map((row) => (row[i] as string).length)));
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, i) => (i === 0 ? cell.padEnd(widths[i] as number) : cell.padStart(widths[i] as number)))
      .join('  ');
  return [
    `${c.bold(printable(url))}  ${printable(version)}, profile ${printable(profile)}, up for ${spanOf(uptimeMs)}`,
    c.dim(`  ${line(HEADS)}  clock`),
    ...rows.map((row, i) => `  ${line(row)}  ${clockText((sandboxes[i] as Running['sandboxes'][number]).clock, c)}`),
    ...(totalCount > sandboxes.length ? [c.dim(`  and ${totalCount - sandboxes.length} more sandboxes`)] : []),
  ];
}

const HEADS = ['sandbox', 'customers', 'requests'];
const UNITS = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1000],
] as const;

/** Returns a span of time in its largest unit, such as `3h`. */
function spanOf(ms: number): string {
  const [unit, size] = UNITS.find(([, size]) => ms >= size) ?? ['s', 1000];
  return `${Math.floor(ms / size)}${unit}`;
}
