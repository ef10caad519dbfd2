import type { CommandContext } from '../../sandbox/commands/command.ts';
import { brunoCollection } from './bruno.ts';
import { type Chosen, type Recording, recordingOf } from './recording.ts';
import { scenarioFile } from './scenario.ts';
import { shellScript } from './shell.ts';
import { vitestTest } from './vitest.ts';

const WRITERS: Readonly<Record<string, (context: CommandContext, recording: Recording) => Promise<string>>> = {
  vitest: vitestTest,
  shell: shellScript,
  scenario: scenarioFile,
  bruno: brunoCollection,
};

/**
 * Returns requests of the log as a text in one of the `RECORDINGS` formats. 404 `REFERENCE_NOT_FOUND`, 400
 * `INVALID_INPUT` if none can be recorded.
 */
export async function record(
  context: CommandContext,
  { requests, as, expect }: { requests: Chosen; as: string; expect: 'all' | 'status and ids' },
): Promise<string> {
  const write = WRITERS[as] as (typeof WRITERS)[string];
  return write(context, await recordingOf(context, requests, expect));
}
