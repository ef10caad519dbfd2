import { Layout } from './layout.tsx';
import type { PageContext } from './page-context.ts';
import type { PageParts } from './parts.tsx';

/** Returns a page as HTML text; every value in it is already escaped. */
export const render = async (visit: PageContext, page: PageParts): Promise<string> =>
  `<!doctype html>${below(visit.host.prefix, await (<Layout visit={visit} page={page} />).toString())}`;

/**
 * Attributes that hold an address of ours. Values and texts of a page contain no plain quote, so that nothing else
 * matches.
 */
const ADDRESSES = / (href|src|action|data-url|data-then|data-events|data-root)="\/(?!\/)/g;

/** Puts the path of the public URL before the addresses of a page, whose parts do not know it. */
const below = (prefix: string, html: string): string =>
  prefix === '' ? html : html.replaceAll(ADDRESSES, ` $1="${prefix}/`);
