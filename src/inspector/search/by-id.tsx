import { fail } from '../../contract/errors.ts';
import { href } from '../frame/links.ts';
import type { PageContext } from '../frame/page-context.ts';
import type { PageParts } from '../frame/parts.tsx';

/** Redirects to the page of an id; 404 `REFERENCE_NOT_FOUND` if it names no existing resource. */
export function byId(visit: PageContext, [id = '']: readonly string[]): PageParts {
  const to = href(visit, id) ?? fail('REFERENCE_NOT_FOUND', `there is nothing with the id ${id} any more`);
  return { title: id, body: null, to };
}
