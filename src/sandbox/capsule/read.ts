import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import * as z from 'zod';
import { TABLES } from '../../areas.ts';
import { jsonIn } from '../../contract/json.ts';
import { hasShape } from '../../contract/shape-check.ts';
import { atOnce } from '../../engine/slices.ts';
import type { Row } from '../../engine/table.ts';
import type { Act } from '../acts.ts';
import { checking } from '../state-check.ts';
import { ActLine, type Capsule, type Change, EntryLine, First, FORMAT, Head } from './schema.ts';

const unzip = promisify(gunzip);
/** The most bytes to which a capsule may unpack: a larger one is made to exhaust memory. */
const MOST_BYTES = 512 * 1024 * 1024;

/**
 * Reads a capsule from a file. Rejects with one sentence if it is not a capsule, is cut short, changed, too large or of a
 * newer version.
 */
export async function readCapsule(file: string): Promise<Capsule> {
  const bytes = await readFile(file).catch((error: NodeJS.ErrnoException) => {
    throw new Error(error.code === 'ENOENT' ? `there is no file ${file}` : `cannot read ${file}: ${error.message}`);
  });
  return capsuleIn(bytes, file);
}

/** Returns the capsule in some bytes; `name` is their name in a sentence. Rejects as `readCapsule` does. */
export async function capsuleIn(bytes: Buffer, name: string, most = MOST_BYTES): Promise<Capsule> {
  const text = await unpacked(bytes, name, most);
  const end = text.indexOf('\n');
  const first = First().safeParse(jsonIn(text.slice(0, Math.max(end, 0))));
  if (!first.success) throw new Error(`${name} is not a capsule of sandbox-emulator`);
  const { capsule, version, sha256 } = first.data;
  if (capsule > FORMAT) throw new Error(`${name} was written by a newer version of sandbox-emulator, ${version}`);
  const content = text.slice(end + 1);
  if (createHash('sha256').update(content).digest('hex') !== sha256)
    throw new Error(`${name} was changed after it was written`);
  try {
    return read(content.split('\n').map((line) => JSON.parse(line)));
  } catch (error) {
    throw new Error(`${name} holds what this version cannot read: ${reasonOf(error)}`);
  }
}

/** Returns the first fault that was found, in a few words. */
function reasonOf(error: unknown): string {
  if (!(error instanceof z.ZodError)) return (error as Error).message.split('\n')[0] as string;
  const [issue] = error.issues;
  return `${issue?.path.join('.')}: ${issue?.message}`;
}

async function unpacked(bytes: Buffer, name: string, most: number): Promise<string> {
  try {
    return (await unzip(bytes, { maxOutputLength: most })).toString('utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ERR_BUFFER_TOO_LARGE')
      throw new Error(`${name} unpacks to more than ${Math.round(most / 1024 / 1024)} MiB, which no capsule does`);
    if (code === 'Z_BUF_ERROR') throw new Error(`${name} is cut short`);
    const isForeign = bytes[0] !== 0x1f || bytes[1] !== 0x8b;
    throw new Error(isForeign ? `${name} is not a capsule of sandbox-emulator` : `${name} is damaged`);
  }
}

function read(lines: unknown[]): Capsule {
  const kinds: Record<string, unknown[][]> = { head: [], entry: [], act: [], row: [], was: [] };
  for (const line of lines) {
    const [kind, ...rest] = Array.isArray(line) ? line : [];
    const list = typeof kind === 'string' && Object.hasOwn(kinds, kind) ? kinds[kind] : undefined;
    if (!list) throw new Error('a line of an unknown kind');
    list.push(rest);
  }
  const of = (kind: string) => kinds[kind] as unknown[][];
  const { clock, ids, settings, tables, ...head } = Head().parse(of('head')[0]?.[0]);
  const rows = new Map<string, { rows: unknown[]; seqs: unknown[] }>();
  for (const { name } of tables) rows.set(name, { rows: [], seqs: [] });
  for (const [name, seq, row] of of('row')) {
    const table = rows.get(String(name));
    if (!table) throw new Error('a row of an unknown table');
    table.rows.push(row);
    table.seqs.push(seq);
  }
  const state = {
    format: 1,
    clock,
    ids,
    settings,
    tables: tables.map(({ name, next }) => {
      const { rows: list = [], seqs = [] } = rows.get(name) ?? {};
      return { name, next, rows: list, ...(seqs.length === next ? {} : { seqs }) };
    }),
  };
  const capsule = {
    ...head,
    state: atOnce(checking(state)),
    entries: of('entry').map(([entry]) => EntryLine().parse(entry)),
    changes: of('was').map(changeOf),
    acts: of('act').map(([act]) => ActLine().parse(act) as unknown as Act),
  };
  for (const { before } of capsule.entries)
    if (before && (before.at > capsule.changes.length || !head.pastSettings[before.settings]))
      throw new Error('a request names a moment that is not in it');
  return capsule;
}

function changeOf([name, seq, before]: unknown[]): Change {
  const token = TABLES.get(String(name));
  const isRow = token && (before === null || hasShape(token.row(), before));
  if (!isRow || !Number.isSafeInteger(seq)) throw new Error(`a change of ${String(name)} that is none`);
  return { table: token.name, seq: seq as number, before: (before as Row | null) ?? undefined };
}
