import * as fc from 'fast-check';

/** Where something is in a value. */
export type Path = (string | number)[];

/** Every place in a value. */
export function places(value: unknown, at: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [at];
  return [
    at,
    ...Object.entries(value).flatMap(([key, member]) =>
      places(member, [...at, Array.isArray(value) ? Number(key) : key]),
    ),
  ];
}

/** A value with one change to it. */
export function changed(value: unknown, at: Path, change: 'drop' | 'add' | { to: unknown }): unknown {
  const copy = structuredClone(value) as Record<string | number, unknown>;
  if (at.length === 0) return typeof change === 'object' ? change.to : copy;
  let node = copy;
  for (const step of at.slice(0, -1)) node = node[step] as typeof node;
  const last = at.at(-1) as string | number;
  if (change === 'drop' && Array.isArray(node)) node.splice(Number(last), 1);
  else if (change === 'drop') delete node[last];
  else if (change === 'add') node[`${last}More`] = 1;
  else node[last] = change.to;
  return copy;
}

/** A way to spoil a value. */
export const change = fc.oneof(
  fc.constantFrom('drop' as const, 'add' as const),
  fc
    .constantFrom(
      null,
      undefined,
      0,
      -1,
      1.5,
      2 ** 60,
      '',
      'x',
      'x'.repeat(2000),
      true,
      [],
      {},
      ['x'],
      { a: 1 },
      '2026-01-05T09:00:00Z',
      '2026-02-30',
      'US',
      'USD',
      'PENDING',
      Number.NaN,
    )
    .map((to) => ({ to })),
);
