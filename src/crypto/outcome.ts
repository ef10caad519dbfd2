/**
 * The result of a check: the value, or a stable sentence that names the failed check. `unread` names a part that could
 * not be parsed at all, so none of it was checked.
 */
export type Outcome<T> = { ok: true; value: T } | { ok: false; reason: string; unread?: string };

export const good = <T>(value: T): Outcome<T> => ({ ok: true, value });
export const unreadable = (unread: string, reason: string): { ok: false; reason: string; unread: string } => ({
  ok: false,
  reason,
  unread,
});
export const bad = (reason: string): { ok: false; reason: string } => ({ ok: false, reason });
