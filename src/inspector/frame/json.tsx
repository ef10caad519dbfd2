import type { Child } from 'hono/jsx';
import { jsonIn } from '../../contract/json.ts';
import { href } from './links.ts';
import type { PageContext } from './page-context.ts';
import { Code } from './parts.tsx';
import { DEEPEST, escapeControlChars, ID } from './text.ts';

/** The most lines of a value that a page shows, so that it stays readable; the control API has the rest. */
const MOST_LINES = 2000;
const LONGEST = 4000;

/** JSON in colour, with a link for every id that leads somewhere. */
export const Json = (p: { visit: PageContext; value: unknown; label: string }) => {
  const pieces: Child[] = [];
  const room = { lines: MOST_LINES };
  write(p.visit, p.value, '', pieces, room);
  if (room.lines <= 0) pieces.push('\n… cut here; the control API has it whole');
  return <Code label={p.label} of={pieces} />;
};

/** A body from the log: as JSON if it is, otherwise as text. */
export const Body = (p: { visit: PageContext; text: string; label: string; none: string }) => {
  if (p.text === '') return <p class="none">{p.none}</p>;
  const value = jsonIn(p.text);
  if (value !== undefined) return <Json visit={p.visit} value={value} label={p.label} />;
  return <Code label={p.label} of={linked(p.visit, p.text.slice(0, 20_000))} />;
};

/** Returns a text with its ids as links. */
export function linked(visit: PageContext, text: string): Child[] {
  const pieces: Child[] = [];
  let from = 0;
  for (const match of text.matchAll(ID)) {
    const to = href(visit, match[0]);
    if (!to) continue;
    pieces.push(escapeControlChars(text.slice(from, match.index)), <a href={to}>{match[0]}</a>);
    from = match.index + match[0].length;
  }
  pieces.push(escapeControlChars(text.slice(from)));
  return pieces;
}

function write(visit: PageContext, value: unknown, indent: string, out: Child[], room: { lines: number }): void {
  if (room.lines <= 0) return;
  if (typeof value === 'string') out.push(<Text visit={visit} value={value} />);
  else if (typeof value !== 'object' || value === null) out.push(<span class="n">{String(value)}</span>);
  else if (indent.length > DEEPEST * 2) out.push('…');
  else writeMembers(visit, value, indent, out, room);
}

function writeMembers(visit: PageContext, value: object, indent: string, out: Child[], room: { lines: number }): void {
  const list = Array.isArray(value);
  const entries = Object.entries(value).filter(([, member]) => member !== undefined);
  if (entries.length === 0) {
    out.push(list ? '[]' : '{}');
    return;
  }
  const inner = `${indent}  `;
  out.push(list ? '[\n' : '{\n');
  for (const [i, [name, member]] of entries.entries()) {
    if ((room.lines -= 1) <= 0) break;
    out.push(inner);
    if (!list) out.push(<span class="k">{escapeControlChars(JSON.stringify(name))}</span>, ': ');
    write(visit, member, inner, out, room);
    out.push(i < entries.length - 1 ? ',\n' : '\n');
  }
  out.push(indent, list ? ']' : '}');
}

const Text = ({ visit, value }: { visit: PageContext; value: string }) => {
  // The one address of ours outside these pages: the hosted identity check.
  if (value.startsWith(`${visit.origin}/kyc/`) && /^[\w-]+$/.test(value.slice(visit.origin.length + 5)))
    return (
      <span class="s">
        "<a href={value.slice(visit.origin.length)}>{value}</a>"
      </span>
    );
  const cut = value.length > LONGEST ? `${value.slice(0, LONGEST)}…` : value;
  return <span class="s">{linked(visit, JSON.stringify(cut))}</span>;
};
