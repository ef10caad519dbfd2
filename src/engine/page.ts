import { fail } from '../contract/errors.ts';

/** A page of results (spec 2.7). `nextCursor` exists only if `hasMore` is true. */
export interface Page<T> {
  data: T[];
  hasMore: boolean;
  nextCursor?: string;
  totalCount: number;
}

/** Returns an opaque cursor for a position in one list. */
export const encodeCursor = (list: string, seq: number): string =>
  Buffer.from(`${list}:${seq}`, 'latin1').toString('base64url');

/** Returns the position that a cursor names. 400 INVALID_INPUT if this list never issued it. */
export function decodeCursor(list: string, cursor: string): number {
  const [name, seq] = Buffer.from(cursor, 'base64url').toString('latin1').split(':');
  const place = Number(seq);
  if (name !== list || !Number.isSafeInteger(place) || place < 0 || encodeCursor(list, place) !== cursor)
    fail('INVALID_INPUT', 'cursor: not one that this list gave out', {
      details: { errors: [{ field: 'cursor', message: 'not one that this list gave out' }] },
      why: { rule: 'spec 2.7: nextCursor of the previous page', seen: cursor },
    });
  return place;
}

/** Returns the same page with each row shown as a client sees it. */
export const mapPage = <A, B>(page: Page<A>, show: (row: A) => B): Page<B> => ({ ...page, data: page.data.map(show) });

/** A page whose rows are each shown from the row alone, so that the text of one may be cached. */
export class RowPage {
  readonly page: Page<object>;
  readonly show: (row: object) => unknown;

  constructor(page: Page<object>, show: (row: object) => unknown) {
    this.page = page;
    this.show = show;
  }

  toJSON(): Page<unknown> {
    return mapPage(this.page, this.show);
  }
}

/**
 * Returns the same page, whose rows are shown only when needed. `show` must read nothing but its row; rows never
 * change.
 */
export const pageOfRows = <A extends object>(page: Page<A>, show: (row: A) => unknown): RowPage =>
  new RowPage(page, show as (row: object) => unknown);
