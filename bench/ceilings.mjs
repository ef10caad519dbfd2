// Counts beside what they were.

const whole = (count) => Math.round(count).toLocaleString('en');

/** Each count as a line, and what grew by more than it may: `mayGrow` is a percentage, of every count. */
export function judged(counts, kept, mayGrow) {
  const [lines, grown] = [[], []];
  for (const [name, count] of Object.entries(counts)) {
    const before = kept[name];
    const most = before === undefined ? Number.POSITIVE_INFINITY : before * (1 + mayGrow / 100);
    const change = before === undefined ? 'new' : `${((count / before - 1) * 100).toFixed(1)} %`;
    lines.push(`${count > most ? '✗' : '✓'} ${name.padEnd(46)} ${whole(count).padStart(11)}  ${change}`);
    if (count > most)
      grown.push(
        `${name}: from ${whole(before)} to ${whole(count)}, at most ${whole(most)} (${mayGrow} % more, bench/counts.json)`,
      );
  }
  for (const name of Object.keys(kept)) if (!(name in counts)) grown.push(`${name}: no longer counted`);
  return { lines, grown };
}
