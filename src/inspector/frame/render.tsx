import { Layout } from './layout.tsx';
import type { PageContext } from './page-context.ts';
import type { PageParts } from './parts.tsx';

/** A page as HTML text; every value in it was escaped as it was written. */
export const render = async (visit: PageContext, page: PageParts): Promise<string> =>
  `<!doctype html>${await (<Layout visit={visit} page={page} />).toString()}`;
