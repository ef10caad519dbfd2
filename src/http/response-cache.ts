import type { Profile } from '../contract/profile.ts';
import { takes } from '../contract/shortcut.ts';
import type { Operation } from '../declare/operation.ts';

const MOST = 1000;

/**
 * Texts of replies that depend on one unchanging value. For a client that polls a resource, they save checking and
 * serializing it each time. A text depends only on the operation, the value and the profile.
 */
const kept = new Map<object, { op: Operation; profile: Profile; text: string }>();

/** Returns the text of this operation's reply for `of`, if it is kept. */
export function cachedText(op: Operation, profile: Profile, of: object | undefined): string | undefined {
  const found = of && kept.get(of);
  return found && found.op === op && found.profile === profile ? found.text : undefined;
}

export function cacheText(op: Operation, profile: Profile, of: object, text: string): void {
  if (!takes('reply-texts')) return;
  if (kept.size >= MOST) kept.clear();
  kept.set(of, { op, profile, text });
}
