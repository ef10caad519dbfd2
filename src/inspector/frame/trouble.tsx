import type { Failure } from '../../contract/errors.ts';
import type { PageContext } from './page-context.ts';
import { Missing, type PageParts } from './parts.tsx';
import { escapeControlChars } from './text.ts';

/** What is shown where a page cannot be. */
export function trouble(visit: PageContext, failure: Failure | undefined): PageParts {
  const missing = failure?.status === 404;
  return {
    title: missing ? 'Not found' : 'Something went wrong',
    status: failure?.status ?? 500,
    body: (
      <Missing
        title={
          failure
            ? escapeControlChars(failure.message)
            : 'The emulator failed while it built this page. Its log has the error.'
        }
      >
        <p>
          A reset may have removed it, or it is too old. The emulator keeps the last 1,000 requests and 5,000 settled
          webhooks.
        </p>
        <p>
          <a href={visit.to('/')}>Back to the overview</a>
        </p>
      </Missing>
    ),
  };
}
