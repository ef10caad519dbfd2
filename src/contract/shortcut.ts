/** Optimizations that lead to the same result sooner. docs/architecture.md says what each saves and what it costs. */
const SHORTCUTS = ['direct', 'together', 'walks', 'list-texts', 'reply-texts', 'heap'] as const;
export type Shortcut = (typeof SHORTCUTS)[number];

const VARIABLE = 'SANDBOX_EMULATOR_WITHOUT';

/**
 * Returns the shortcuts that the variable switches off: names with commas between them, or `all`. Throws for any other
 * name.
 */
function leftOut(text: string): ReadonlySet<string> {
  if (text === 'all') return new Set(SHORTCUTS);
  const names = text.split(',').filter((name) => name !== '');
  const strange = names.find((name) => !SHORTCUTS.some((shortcut) => shortcut === name));
  if (strange !== undefined)
    throw new Error(`${VARIABLE} names ${strange}, which is not a shortcut; there are ${SHORTCUTS.join(', ')}`);
  return new Set(names);
}

const LEFT_OUT = leftOut(process.env[VARIABLE] ?? '');

/**
 * Returns whether this process takes a shortcut: `SANDBOX_EMULATOR_WITHOUT` switches it off, to compare or to rule it
 * out.
 */
export const takes = (shortcut: Shortcut): boolean => !LEFT_OUT.has(shortcut);
