import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { type Command, Option } from 'commander';
import { addExamples } from '../examples.ts';
import { optionOf } from '../options.ts';
import { declareRemote, Remote, type RemoteFlags, show } from '../remote.ts';
import { CONTROL_TOKEN, port } from '../start-flags.ts';
import { printable } from '../text.ts';
import type { CapsuleFlags } from './start.ts';

/** Declares `capsule`. */
export function capsule(command: Command): void {
  command.argument('<file>', 'file to write, such as failed.sandbox.json.gz');
  declareRemote(command, [
    ['capsule failed.sandbox.json.gz', 'write the sandbox to a file; secrets have stand-ins'],
    ['open failed.sandbox.json.gz', 'open it, here or on another machine'],
  ]);
  command.action(async (file: string, flags: RemoteFlags) => {
    const reply = await new Remote(flags).open('/capsule');
    const written = createWriteStream(file);
    await pipeline(reply, written).catch((error: Error) => {
      throw new Error(`cannot write ${file}: ${error.message}`);
    });
    const result = { file, bytes: written.bytesWritten };
    show(flags.json, result, () => [`${printable(file)}  ${result.bytes} bytes`]);
  });
}

/** Declares `open`. */
export function open(command: Command): void {
  command.argument('<file>', 'a capsule that a failed test or the command capsule wrote');
  command.addOption(new Option('-p, --port <n>', 'port to listen on; 0 is any free one').argParser(port).default(4010));
  command.addOption(new Option('--json', 'print JSON only; the first line is the ready event'));
  command.addOption(optionOf(CONTROL_TOKEN));
  command.addOption(new Option('--parent-watch', 'stop when stdin closes'));
  addExamples(command, [
    ['open failed.sandbox.json.gz', 'read, rewind, replay and record what a test left behind'],
    ['open failed.sandbox.json.gz --port 0', 'listen on any free port'],
  ]);
  command.action(async (file: string, flags: CapsuleFlags) => {
    const { readCapsule } = await import('../../sandbox/capsule/read.ts');
    const { startCapsule } = await import('./start.ts');
    await startCapsule(file, await readCapsule(file), flags);
  });
}
