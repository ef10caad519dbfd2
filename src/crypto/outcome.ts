/** What a check answers: the value, or a stable sentence that names the check that failed. */
export type Outcome<T> = { ok: true; value: T } | { ok: false; reason: string };

export const good = <T>(value: T): Outcome<T> => ({ ok: true, value });
export const bad = (reason: string): { ok: false; reason: string } => ({ ok: false, reason });
