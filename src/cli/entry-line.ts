import { ignoredIn, ignoredText } from '../sandbox/ignored.ts';
import { maskPath, maskShown } from '../sandbox/mask.ts';
import type { Entry } from '../sandbox/request-log.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { shownTraceparent } from '../sandbox/traces/traceparent.ts';
import type { RequestLine } from './output.ts';

/** Returns a request as the emulator's own log shows it. */
export const lineOfEntry = (sandbox: Sandbox, entry: Entry): RequestLine => ({
  ...entry,
  sandbox: sandbox.id,
  path: maskPath(entry),
  traceparent: shownTraceparent(entry),
  ignored: ignoredIn(entry, sandbox.world.profile).map(ignoredText),
  magic: entry.caused?.magic.length ? maskShown(entry, entry.caused.magic) : [],
});
