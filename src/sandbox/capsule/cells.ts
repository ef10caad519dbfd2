import { parse } from 'csv-parse/sync';
import { type BulkPiece, packedText, READING, unpack } from '../../areas/bulk/index.ts';
import { isSecretName, plainName } from '../../engine/secrets.ts';
import type { StandIns } from './stand-ins.ts';

/** Returns a waiting part of an import, with stand-ins in the columns whose names are those of secrets. */
export function withoutSecretCells(
  piece: BulkPiece,
  headers: ReadonlyMap<string, string>,
  standIns: StandIns,
): BulkPiece {
  const read = (text: string): string[][] => parse(text, READING);
  const [columns = []] = read(headers.get(piece.id.slice(0, piece.id.lastIndexOf('/'))) ?? '');
  const secret = columns.flatMap((column, at) => (isSecretName(plainName(column)) ? [at] : []));
  if (secret.length === 0) return piece;
  const text = unpack(piece.packed);
  for (const row of read(text)) for (const at of secret) standIns.of(row[at] ?? '');
  return { ...piece, packed: packedText(standIns.clean(text)) };
}
