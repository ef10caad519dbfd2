const WIDTH = 140;

/** Returns a JSON text in which lists and objects stand on one line where they fit. */
export function laidOut(value: unknown, indent = ''): string {
  const flat = JSON.stringify(value);
  if (typeof value !== 'object' || value === null || flat.length + indent.length <= WIDTH) return flat;
  const inner = `${indent} `;
  if (!Array.isArray(value)) {
    const members = Object.entries(value).map(
      ([name, one]) => `${inner}${JSON.stringify(name)}: ${laidOut(one, inner)}`,
    );
    return `{\n${members.join(',\n')}\n${indent}}`;
  }
  const texts = value.map((one) => laidOut(one, inner));
  const lines: string[] = [];
  for (const text of texts) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + text.length + 2 <= WIDTH) lines[lines.length - 1] = `${last}, ${text}`;
    else lines.push(`${inner}${text}`);
  }
  return `[\n${lines.join(',\n')}\n${indent}]`;
}
