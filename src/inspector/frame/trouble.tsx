import type { Failure } from '../../contract/errors.ts';
import type { PageContext } from './page-context.ts';
import { Missing, type PageParts } from './parts.tsx';
import { capital, escapeControlChars } from './text.ts';

/** Returns the page that replaces one that failed. */
export function trouble(visit: PageContext, failure: Failure | undefined): PageParts {
  const missing = failure?.status === 404;
  const strange = failure?.details?.['page'] !== undefined;
  return {
    title: strange ? 'Page not found' : missing ? 'Not found' : 'Something went wrong',
    status: failure?.status ?? 500,
    body: (
      <Missing
        title={
          failure
            ? escapeControlChars(capital(failure.message))
            : 'The emulator failed while it built this page. Its log has the error.'
        }
      >
        {strange ? (
          <p>
            Check the address, or <a href={visit.to('/inspector/search')}>search</a> for an id, a name or an amount.
          </p>
        ) : missing ? (
          <p>
            A reset may have removed it, or it is too old. The emulator keeps the last 1,000 requests and 5,000 settled
            webhooks.
          </p>
        ) : null}
        <p>
          <a href={visit.to('/')}>Back to the overview</a>
        </p>
      </Missing>
    ),
  };
}
