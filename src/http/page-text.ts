import type * as z from 'zod';
import { type Profile, render } from '../contract/profile.ts';
import { hasShape } from '../contract/shape-check.ts';
import { takes } from '../contract/shortcut.ts';
import type { RowPage } from '../engine/page.ts';

const MOST = 4000;
/** Longer texts are not kept: a client that sends much would fill the memory with them. */
const LONGEST = 8000;

/** Texts of rows that lists showed, so that a row that did not change is not shown, checked and written out anew. */
const kept = new Map<object, { readonly show: unknown; readonly profile: Profile; readonly text: string }>();

const EMPTY = '{"data":[]';

/** The text of a list's reply, row by row; `undefined` where a row or the page has another shape than is declared. */
export function pageText(shape: z.ZodType, profile: Profile, { page, show }: RowPage): string | undefined {
  const element = elementOf(shape);
  const around = { ...page, data: [] };
  if (!element || !hasShape(shape, around)) return undefined;
  const end = render(profile, around);
  if (!end.startsWith(EMPTY)) return undefined;
  let text = '{"data":[';
  for (const row of page.data) {
    const one = rowText(element, profile, row, show);
    if (one === undefined) return undefined;
    text += text.length === EMPTY.length - 1 ? one : `,${one}`;
  }
  return text + end.slice(EMPTY.length - 1);
}

function rowText(element: z.ZodType, profile: Profile, row: object, show: RowPage['show']): string | undefined {
  const before = kept.get(row);
  if (before && before.show === show && before.profile === profile) return before.text;
  const value = show(row);
  if (!hasShape(element, value)) return undefined;
  const text = render(profile, value);
  if (text.length > LONGEST || !takes('list-texts')) return text;
  if (kept.size >= MOST) kept.clear();
  kept.set(row, { show, profile, text });
  return text;
}

/** The shape of a row in the shape of a page. */
const elementOf = (shape: z.ZodType): z.ZodType | undefined =>
  (shape as z.ZodObject<{ data?: z.ZodArray<z.ZodType> }>).shape?.data?.element;
