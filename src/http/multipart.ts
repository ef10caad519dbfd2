import type { Busboy } from '@fastify/busboy';
import { Failure, type FieldError, failFields } from '../contract/errors.ts';
import type { Operation, OperationContext, Upload, UploadRule } from '../declare/operation.ts';
import { fieldErrors } from '../engine/parse-as.ts';
import { tick } from '../engine/signal.ts';
import type { HttpRequest } from './request.ts';

/** Bounds of a form beside its size: parts, bytes of a text part, headers of a part and their bytes. */
const BOUNDS = { parts: 100, fields: 100, files: 20, fieldSize: 64 * 1024, headerPairs: 20, headerSize: 8192 };
/** The bytes that are parsed per turn: a socket delivers no more, a caller within the process delivers all at once. */
const SLICE = 64 * 1024;
/** The turns of the event loop after which a parser without progress or failure counts as stuck. */
const PATIENCE = 1000;

/** The only file part of most forms. */
const ONE_FILE: NonNullable<UploadRule['files']> = { file: { required: true } };
export const filesOf = (rule: UploadRule): NonNullable<UploadRule['files']> => rule.files ?? ONE_FILE;

/** A piece of a form, in order of arrival; a file begins with its name and continues with its bytes. */
type Piece =
  | { name: string; text: string }
  | { name: string; part: number; file: { name: string; type: string } }
  | { name: string; part: number; bytes: Uint8Array };

/** A form that was read to its end. */
export interface Form {
  body: unknown;
  files: OperationContext['files'];
  /** The note about it in the request log. */
  note: string;
}

/**
 * Reads a whole form. 400 `INVALID_REQUEST_FORMAT` for a malformed form. 400 `INVALID_INPUT` beyond a bound, and for
 * undeclared or invalid text parts and files, all at once.
 */
export async function readForm(request: HttpRequest, op: Operation, rule: UploadRule): Promise<Form> {
  const fields: Record<string, unknown> = Object.create(null);
  const found = new Map<number, { field: string; name: string; type: string; parts: Uint8Array[] }>();
  for await (const piece of pieces(request, rule.maxBytes)) {
    if ('text' in piece) addField(fields, piece.name, piece.text);
    else if ('file' in piece) found.set(piece.part, { field: piece.name, ...piece.file, parts: [] });
    else found.get(piece.part)?.parts.push(piece.bytes);
  }
  const files: Record<string, Upload> = Object.create(null);
  const errors: FieldError[] = [];
  for (const { field, name, type, parts } of found.values()) {
    if (files[field]) errors.push({ field, message: 'sent twice' });
    files[field] = { name, type, bytes: Buffer.concat(parts) };
  }
  for (const [field, { required }] of Object.entries(filesOf(rule)))
    if (required && !files[field])
      errors.push({ field, message: field in fields ? 'must be sent as a file, with a filename' : 'required' });
  const parsed = op.body?.().safeParse(fields);
  if (parsed && !parsed.success) errors.unshift(...fieldErrors(parsed.error, fields));
  if (errors.length > 0) failFields(errors, 'INVALID_INPUT', 'the form of this operation (GET /openapi.json)');
  return { body: parsed?.data, files, note: noteOf(fields, files) };
}

/** Adds a field; a part that is sent twice becomes a list, which no plain field accepts. */
function addField(fields: Record<string, unknown>, name: string, text: string): void {
  const before = fields[name];
  fields[name] = before === undefined ? text : Array.isArray(before) ? [...before, text] : [before, text];
}

const noteOf = (fields: object, files: OperationContext['files']): string =>
  JSON.stringify({
    ...fields,
    ...Object.fromEntries(
      Object.entries(files).map(([field, f]) => [field, `${f.name} (${f.type}, ${f.bytes.length} bytes)`]),
    ),
  });

/** Yields the bytes of the one file of a form, as they arrive; refuses as `readForm` does, but during the reading. */
export async function* streamFile(request: HttpRequest, rule: UploadRule): AsyncGenerator<Uint8Array> {
  const [wanted = 'file'] = Object.keys(filesOf(rule));
  let part: number | undefined;
  let asText = false;
  for await (const piece of pieces(request, rule.maxBytes)) {
    if (piece.name !== wanted) continue;
    if ('text' in piece) asText = true;
    else if ('bytes' in piece && piece.part === part) yield piece.bytes;
    else if ('file' in piece) {
      if (part !== undefined) failFields([{ field: wanted, message: 'sent twice' }]);
      part = piece.part;
    }
  }
  if (part === undefined)
    failFields([{ field: wanted, message: asText ? 'must be sent as a file, with a filename' : 'required' }]);
}

const notForm = (problem: string, seen?: unknown): Failure =>
  new Failure('INVALID_REQUEST_FORMAT', problem, { why: { rule: 'RFC 7578', expected: 'multipart/form-data', seen } });

const beyond = (what: string, limit: number): Failure =>
  new Failure('INVALID_INPUT', `the form has ${what} than ${limit}`, { why: { rule: 'form size', expected: limit } });

/** A parser at work: the pieces since the last call, and the fault in the form, if any. */
interface Reading {
  readonly parser: InstanceType<typeof Busboy>;
  readonly ready: Piece[];
  wrong: Failure | undefined;
}

/** Yields the pieces of a form, at the pace of its consumer: it reads nothing beyond the present chunk. */
async function* pieces(request: HttpRequest, maxBytes: number): AsyncGenerator<Piece> {
  const reading = await open(request.header('content-type'));
  const { parser, ready } = reading;
  for await (const chunk of arriving(request, maxBytes)) {
    await step(reading, (done) => parser.write(chunk, done));
    yield* ready.splice(0);
  }
  await step(reading, (done) => parser.once('finish', done).end());
  yield* ready.splice(0);
}

/** Lets the parser complete one act. Its streams work by themselves, in turns of the event loop. */
async function step(reading: Reading, start: (done: () => void) => void): Promise<void> {
  let done = false;
  start(() => {
    done = true;
  });
  for (let turn = 0; !done && !reading.wrong; turn += 1) {
    if (turn > PATIENCE) reading.wrong = notForm('the form is malformed: a part does not end');
    await tick();
  }
  if (reading.wrong) throw reading.wrong;
}

async function open(type: string | undefined): Promise<Reading> {
  if (type === undefined || !/^multipart\/form-data\s*(?:;|$)/i.test(type))
    throw notForm('the body must be sent as multipart/form-data', type);
  const parser = await parserOf(type);
  const reading: Reading = { parser, ready: [], wrong: undefined };
  const refuse = (failure: Failure) => {
    reading.wrong ??= failure;
  };
  const malformed = (error: unknown) => refuse(notForm(`the form is malformed: ${(error as Error).message}`));
  let files = 0;
  parser.on('field', (name: string | undefined, text, _short, truncated) => {
    if (truncated) refuse(beyond('a text part of more bytes', BOUNDS.fieldSize));
    else if (name !== undefined) reading.ready.push({ name, text });
  });
  parser.on('file', (name: string | undefined, stream, file: string | undefined, _encoding, mime) => {
    const part = (files += 1);
    if (name !== undefined) reading.ready.push({ name, part, file: { name: file ?? '', type: mime } });
    stream.on('error', malformed);
    stream.on('data', (bytes: Uint8Array) => name !== undefined && reading.ready.push({ name, part, bytes }));
  });
  parser.on('partsLimit', () => refuse(beyond('more parts', BOUNDS.parts)));
  parser.on('filesLimit', () => refuse(beyond('more files', BOUNDS.files)));
  parser.on('fieldsLimit', () => refuse(beyond('more text parts', BOUNDS.fields)));
  parser.on('error', malformed);
  return reading;
}

async function parserOf(type: string): Promise<Reading['parser']> {
  // In the bundle, the package has its default export only.
  const { Busboy } = (await import('@fastify/busboy')).default;
  try {
    return new Busboy({ headers: { 'content-type': type }, limits: BOUNDS });
  } catch (error) {
    throw notForm(`the Content-Type is not usable multipart/form-data: ${(error as Error).message}`, type);
  }
}

/**
 * Yields the body in chunks, refused beyond a limit. If the reader stops early, the rest is left unread, not cut off.
 */
async function* arriving(request: HttpRequest, limit: number): AsyncGenerator<Uint8Array> {
  const tooLarge = () => beyond('more bytes', limit);
  if (Number(request.header('content-length') ?? 0) > limit) throw tooLarge();
  const { reader } = request;
  let size = 0;
  for (;;) {
    const chunk = await reader?.read().catch(() => {
      throw notForm('the body ended before it was complete');
    });
    if (!chunk || chunk.done) return;
    size += chunk.value.length;
    if (size > limit) throw tooLarge();
    for (let at = 0; at < chunk.value.length; at += SLICE) yield chunk.value.subarray(at, at + SLICE);
  }
}

/** Returns the schema of a form for the document: that of its text parts, and the files. */
export function formSchema(rule: UploadRule, fields: Record<string, unknown> = {}): Record<string, unknown> {
  const files = Object.entries(filesOf(rule));
  const binary = files.map(([name, { description }]) => [
    name,
    { type: 'string', format: 'binary', ...(description ? { description } : {}) },
  ]);
  const required = [
    ...((fields['required'] as string[] | undefined) ?? []),
    ...files.filter(([, f]) => f.required).map(([name]) => name),
  ];
  return {
    ...fields,
    type: 'object',
    properties: { ...(fields['properties'] as object | undefined), ...Object.fromEntries(binary) },
    ...(required.length > 0 ? { required } : {}),
  };
}
