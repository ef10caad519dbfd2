import type { Entry } from '../../sandbox/request-log.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { curl } from './curl.ts';
import { fetchCode } from './fetch.ts';
import { go } from './go.ts';
import { java } from './java.ts';
import { python } from './python.ts';
import { type ShownCall, shownCall } from './shown-call.ts';

const WRITERS: Readonly<Record<string, (call: ShownCall) => string>> = { curl, fetch: fetchCode, python, java, go };

/** Returns a request of the log as code in a language of `LANGUAGES`, secrets masked. */
export const codeOf = (sandbox: Sandbox, entry: Entry, origin: string, language: string): string =>
  (WRITERS[language] as (call: ShownCall) => string)(shownCall(sandbox, entry, origin));
