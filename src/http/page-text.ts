import type * as z from 'zod';
import { type Profile, render } from '../contract/profile.ts';
import { hasShape } from '../contract/shape-check.ts';
import { takes } from '../contract/shortcut.ts';
import type { RowPage } from '../engine/page.ts';

const MOST = 4000;
/** The longest text that is kept: a client that sends much would fill the memory with longer ones. */
const LONGEST = 8000;

/** The texts of rows in lists, so that an unchanged row is not shown, checked and serialized again. */
const kept = new Map<object, { readonly show: unknown; readonly profile: Profile; readonly text: string }>();

const EMPTY = '{"data":[]';

/** Returns the text of a list's reply, row by row; `undefined` if a row or the page differs from the declared shape. */
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

/** Returns the shape of a row within the shape of a page. */
const elementOf = (shape: z.ZodType): z.ZodType | undefined =>
  (shape as z.ZodObject<{ data?: z.ZodArray<z.ZodType> }>).shape?.data?.element;
