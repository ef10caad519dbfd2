import { curl, shownCall } from '../../calls/index.ts';
import type { Entry } from '../../sandbox/request-log.ts';
import type { PageContext } from './page-context.ts';

/** Returns the call as a line for a terminal, masked as in the log. */
export const curlOfEntry = ({ sandbox, origin }: PageContext, entry: Entry): string =>
  curl(shownCall(sandbox, entry, origin));
