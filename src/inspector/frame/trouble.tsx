import type { Failure } from '../../contract/errors.ts';
import type { PageContext } from './page-context.ts';
import { Missing, type PageParts } from './parts.tsx';
import { escapeControlChars } from './text.ts';

/** What is shown where a page cannot be. */
export function trouble(visit: PageContext, failure: Failure | undefined): PageParts {
  const missing = failure?.status === 404;
  return {
    title: missing ? 'Not here' : 'That did not work',
    status: failure?.status ?? 500,
    body: (
      <Missing
        title={
          failure
            ? escapeControlChars(failure.message)
            : 'The emulator broke while it made this page; its log says how.'
        }
      >
        <p>
          It may have been reset away, or forgotten: the last 1,000 requests and 5,000 settled webhooks are remembered.
        </p>
        <p>
          <a href={visit.to('/')}>Back to the overview</a>
        </p>
      </Missing>
    ),
  };
}
