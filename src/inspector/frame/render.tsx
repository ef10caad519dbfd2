import { Layout } from './layout.tsx';
import type { PageContext } from './page-context.ts';
import type { PageParts } from './parts.tsx';

/** A page as HTML text; every value in it was escaped as it was written. */
export const render = async (visit: PageContext, page: PageParts): Promise<string> =>
  `<!doctype html>${below(visit.host.prefix, await (<Layout visit={visit} page={page} />).toString())}`;

/** Attributes that hold an address of ours. Values and texts of a page have no plain quote, so that nothing else looks like one. */
const ADDRESSES = / (href|src|action|data-url|data-then|data-events|data-root)="\/(?!\/)/g;

/** Puts the path of the public URL before the addresses of a page, which its parts know nothing of. */
const below = (prefix: string, html: string): string =>
  prefix === '' ? html : html.replaceAll(ADDRESSES, ` $1="${prefix}/`);
