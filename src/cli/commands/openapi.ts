import { openApiOf } from '../../emulator.ts';
import type { OpenApiFlags } from '../options.ts';

/** Prints the document that a start with the same flags serves. */
export async function openApi({ profile, basePath, server }: OpenApiFlags): Promise<void> {
  const document = await openApiOf(profile, server.replace(/\/+$/, ''), basePath);
  process.stdout.write(`${JSON.stringify(document, null, 2)}\n`);
}
