import { OPERATIONS } from '../../areas.ts';
import { jsonIn } from '../../contract/json.ts';
import { maskSent } from '../../sandbox/mask.ts';
import type { Entry } from '../../sandbox/request-log.ts';
import type { Secrets } from './secrets.ts';
import type { Template } from './template.ts';

/** A form with a file; the log has only the file's name, type and length. */
export interface Form {
  readonly fields: readonly (readonly [name: string, value: Template])[];
  readonly files: readonly FilePart[];
}

export interface FilePart {
  readonly part: string;
  readonly name: string;
  readonly type: string;
  readonly length: number;
  /** Its first characters, in Latin-1. */
  readonly begins: string;
}

/** The note by which the log describes a file. */
const NOTE = /^(.*) \(([\w.+-]+\/[\w.+-]+), (\d+) bytes\)$/s;
/** The most bytes of a made-up file, so that its recording stays readable. */
const LONGEST = 1_000_000;

/** The first characters of files by their type, in Latin-1. */
const PDF = '%PDF-1.7\n';
const BEGINNINGS: Readonly<Record<string, string>> = {
  'application/pdf': PDF,
  'image/png': '\x89PNG\r\n\x1a\n',
  'image/jpeg': '\xff\xd8\xff\xe0',
};

/** Returns the form of an upload as far as the log knows it; undefined if it does not. */
export function formOf(entry: Entry, secrets?: Secrets): Form | undefined {
  const upload = OPERATIONS.find(({ id }) => id === entry.operation)?.upload;
  if (!upload) return undefined;
  const sent = jsonIn(entry.body);
  if (typeof sent !== 'object' || sent === null) return undefined;
  const parts = Object.entries(upload.files ?? { file: {} }).map(([name]) => name);
  const files: FilePart[] = [];
  for (const part of parts) {
    const note = NOTE.exec(String(Reflect.get(sent, part) ?? ''));
    if (!note) continue;
    const [, name = '', type = '', length] = note;
    if (Number(length) > LONGEST) return undefined;
    // A refused file may not have been of its declared type.
    const begins = entry.status === 400 ? '' : (BEGINNINGS[type] ?? PDF).slice(0, Number(length));
    files.push({ part, name, type, length: Number(length), begins });
  }
  if (files.length === 0) return undefined;
  const shown = secrets ? secrets.shown(sent, jsonIn(maskSent(entry))) : {};
  const fields = Object.entries(shown as object).flatMap(([name, value]): Form['fields'][number][] => {
    if (files.some(({ part }) => part === name)) return [];
    // A part that was sent more than once is a list in the log.
    return [value].flat().map((one) => [name, secrets?.names.template(String(one)) ?? []] as const);
  });
  return { fields, files };
}

/** Returns the bytes of a made-up file. */
export const bytesOf = ({ begins, length }: FilePart): Uint8Array<ArrayBuffer> =>
  new Uint8Array(Buffer.from(begins.padEnd(length), 'latin1'));
