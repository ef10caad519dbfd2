import { curl, shownCall } from '../../calls/index.ts';
import type { Entry } from '../../sandbox/request-log.ts';
import type { PageContext } from './page-context.ts';

/** The call as a line for a terminal. What is masked in the log is masked here. */
export const curlOfEntry = ({ sandbox, origin }: PageContext, entry: Entry): string =>
  curl(shownCall(sandbox, entry, origin));
