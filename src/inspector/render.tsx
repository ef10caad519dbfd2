import { Layout } from './layout.tsx';
import type { PageParts } from './parts.tsx';
import type { Visit } from './visit.ts';

/** A page as HTML text; every value in it was escaped as it was written. */
export const render = async (visit: Visit, page: PageParts): Promise<string> =>
  `<!doctype html>${await (<Layout visit={visit} page={page} />).toString()}`;
