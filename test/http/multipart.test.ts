import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { Failure } from '../../src/contract/errors.ts';
import { operationsOf, reply, type UploadRule } from '../../src/declare/operation.ts';
import { FetchRequest } from '../../src/http/fetch.ts';
import { formSchema, readForm, streamFile } from '../../src/http/multipart.ts';

const LIMIT = 300_000;
const withText = operationsOf('Test')({
  id: 'upload',
  endpoint: 'POST /documents',
  summary: 'A form with text and files',
  body: () => z.object({ kind: z.enum(['A', 'B']), note: z.string().optional() }),
  example: { body: { kind: 'A' } },
  upload: {
    maxBytes: LIMIT,
    files: { file: { required: true, description: 'The page' }, back: { required: false } },
  },
  replies: { 201: null },
  write: () => reply(201),
});

/** Send a body to a form reader; answers what it made of it, or the code and fields it refused with. */
async function send(
  body: RequestInit['body'] | undefined,
  type?: string,
  rule: UploadRule = withText.upload as UploadRule,
) {
  const request = new FetchRequest(
    new Request('http://127.0.0.1:4010/', {
      method: 'POST',
      ...(body === undefined ? {} : { body }),
      ...(type ? { headers: { 'content-type': type } } : {}),
    }),
  );
  // biome-ignore lint/suspicious/noExplicitAny: tests look into whatever came out
  let got: any;
  try {
    if (rule.stream) {
      const parts: Uint8Array[] = [];
      for await (const bytes of streamFile(request, rule)) parts.push(bytes);
      got = { parts, text: Buffer.concat(parts).toString() };
    } else got = await readForm(request, withText, rule);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const errors = (error.details?.['errors'] ?? []) as { field: string; message: string }[];
    got = { refused: error.code, status: error.status, message: error.message, errors };
  }
  return got;
}

const form = (members: [string, string | Blob, string?][]): FormData => {
  const data = new FormData();
  for (const [name, value, file] of members)
    if (typeof value === 'string') data.append(name, value);
    else data.append(name, value, file ?? 'file');
  return data;
};
const pdf = new Blob([Buffer.from('%PDF-1.7 \r\n--x\0\xff', 'latin1')], { type: 'application/pdf' });
const B = 'multipart/form-data; boundary=x';
const lines = (...text: string[]): string => text.join('\r\n');

describe('forms', () => {
  test('text parts of a form become the body, and file parts keep name, type and every byte', async () => {
    const got = await send(
      form([
        ['kind', 'A'],
        ['note', 'größe'],
        ['file', pdf, 'paß.pdf'],
      ]),
    );
    expect(got.body).toEqual({ kind: 'A', note: 'größe' });
    expect(got.files.file).toMatchObject({ name: 'paß.pdf', type: 'application/pdf' });
    expect(Buffer.from(got.files.file.bytes).toString('latin1')).toBe('%PDF-1.7 \r\n--x\0\xff');
  });

  test('a file of several network chunks and an empty file arrive unchanged', async () => {
    const big = Buffer.alloc(250_000, 'abc\r\n--');
    const got = await send(
      form([
        ['kind', 'B'],
        ['file', new Blob([big])],
        ['back', new Blob([])],
      ]),
    );
    expect(Buffer.compare(got.files.file.bytes, big)).toBe(0);
    expect(got.files.back.bytes.length).toBe(0);
  });

  test('the log shows a file of a form by name, type and size, and none of its bytes', async () => {
    const got = await send(
      form([
        ['kind', 'A'],
        ['file', pdf, 'a.pdf'],
      ]),
    );
    expect(JSON.parse(got.note)).toEqual({ kind: 'A', file: 'a.pdf (application/pdf, 16 bytes)' });
  });

  test('parts of a form without a name, and text parts that the operation does not know, are left out', async () => {
    const got = await send(
      lines(
        '--x',
        'Content-Disposition: form-data',
        '',
        'nameless',
        '--x',
        'X: y',
        '',
        'z',
        '--x',
        'Content-Disposition: form-data; name="kind"',
        '',
        'A',
        '--x',
        'Content-Disposition: form-data; name="file"; filename="f"',
        '',
        'F',
        '--x--',
        '',
      ),
      B,
    );
    expect(got.body).toEqual({ kind: 'A' });
  });

  test('parts of a form with names such as __proto__ are harmless', async () => {
    const got = await send(
      form([
        ['__proto__', '{"polluted": true}'],
        ['constructor', 'x'],
        ['toString', 'y'],
        ['hasOwnProperty', 'z'],
        ['kind', 'A'],
        ['file', pdf],
        ['__proto__', pdf],
      ]),
    );
    expect(got.body).toEqual({ kind: 'A' });
    expect(Object.keys(got.files).sort()).toEqual(['__proto__', 'file']);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });
});

describe('400 INVALID_INPUT', () => {
  test('bad text parts and missing files of a form are reported in one refusal (spec 2.1 rule 4)', async () => {
    const got = await send(form([['kind', 'C']]));
    expect(got).toMatchObject({ refused: 'INVALID_INPUT', status: 400 });
    expect(got.errors.map((e: { field: string }) => e.field)).toEqual(['kind', 'file']);
  });

  test('a file without a filename, and a text part that is sent twice, are refused in one reply', async () => {
    const got = await send(
      form([
        ['kind', 'A'],
        ['kind', 'B'],
        ['file', 'text'],
      ]),
    );
    expect(got.errors).toMatchObject([
      { field: 'kind' },
      { field: 'file', message: 'must be sent as a file, with a filename' },
    ]);
  });

  test('a file that is sent twice is refused', async () => {
    expect(
      (
        await send(
          form([
            ['kind', 'A'],
            ['file', pdf],
            ['file', pdf],
          ]),
        )
      ).errors,
    ).toEqual([{ field: 'file', message: 'sent twice' }]);
  });

  test.each([
    [
      'too many bytes',
      form([
        ['kind', 'A'],
        ['file', new Blob([Buffer.alloc(LIMIT)])],
      ]),
      `${LIMIT}`,
    ],
    ['a long text part', form([['note', 'x'.repeat(70_000)]]), '65536'],
    ['too many parts', form(Array.from({ length: 150 }, (_, i) => [`f${i}`, 'x'])), '100'],
    ['too many files', form(Array.from({ length: 30 }, (_, i) => [`f${i}`, pdf])), '20'],
  ])('a form with %s is refused with INVALID_INPUT, which names the limit', async (_name, body, limit) => {
    expect(await send(body)).toMatchObject({ refused: 'INVALID_INPUT', message: expect.stringContaining(limit) });
  });
});

describe('400 INVALID_REQUEST_FORMAT', () => {
  const part = lines('--x', 'Content-Disposition: form-data; name="kind"', '', 'A');
  const file = lines('--x', 'Content-Disposition: form-data; name="file"; filename="f"', '', 'F');
  test.each([
    ['no content type', 'x', 'text/plain'],
    ['a JSON body', '{}', 'application/json'],
    ['a URL-encoded body', 'kind=A', 'application/x-www-form-urlencoded'],
    ['no boundary', 'x', 'multipart/form-data'],
    ['an empty boundary', 'x', 'multipart/form-data; boundary='],
    ['no body', undefined, B],
    ['an empty body', '', B],
    ['a body without any boundary', 'hello', B],
    ['another boundary', lines('--y', 'Content-Disposition: form-data; name="kind"', '', 'A', '--y--', ''), B],
    ['an end inside a text part', part, B],
    ['an end inside a file', file, B],
    ['an end inside headers', lines('--x', 'Content-Disposition: form-'), B],
    ['an end after a boundary', lines(part, '--x'), B],
  ])('a form with %s is refused with 400 INVALID_REQUEST_FORMAT', async (_name, body, type) => {
    expect(await send(body, type)).toMatchObject({ refused: 'INVALID_REQUEST_FORMAT', status: 400 });
  });

  test('a form with any arrangement of boundary, line ends and quotes is read or refused', async () => {
    const bits = [
      '--x',
      '--x--',
      '\r\n',
      '\r\n\r\n',
      '\n',
      '-',
      'Content-Disposition: form-data; name="kind"',
      'Content-Disposition: form-data; name="file"; filename="a',
      '"',
      'A',
      ':',
      '\0',
    ];
    let seed = 7;
    for (let round = 0; round < 400; round += 1) {
      let body = '';
      for (let i = 0; i < 12; i += 1) {
        seed = (seed * 48271) % 2147483647;
        body += bits[seed % bits.length];
      }
      const got = await send(body, B);
      expect(got.refused ?? got.body, JSON.stringify(body)).toBeDefined();
    }
  });
});

describe('a streamed file', () => {
  const rule: UploadRule = { maxBytes: LIMIT, stream: true };
  test('a streamed file arrives in chunks of at most 16 KiB', async () => {
    const text = 'row\r\n'.repeat(50_000);
    const boundary = lines(
      '--x',
      'Content-Disposition: form-data; name="other"',
      '',
      'A',
      '--x',
      'Content-Disposition: form-data; name="file"; filename="f"',
      '',
      text,
      '--x--',
      '',
    );
    const bytes = Buffer.from(boundary);
    const body = new ReadableStream({
      start(controller) {
        for (let at = 0; at < bytes.length; at += 16_384) controller.enqueue(bytes.subarray(at, at + 16_384));
        controller.close();
      },
    });
    const init = { method: 'POST', body, headers: { 'content-type': B }, duplex: 'half' } as RequestInit;
    let most = 0;
    let all = '';
    for await (const piece of streamFile(new FetchRequest(new Request('http://127.0.0.1:4010/', init)), rule)) {
      most = Math.max(most, piece.length);
      all += Buffer.from(piece).toString();
    }
    expect(all).toBe(text);
    expect(most).toBeLessThanOrEqual(16_384);
  });

  test('a streamed file that is missing, doubled, too large or cut off is refused as in a gathered form', async () => {
    expect((await send(form([['other', 'A']]), undefined, rule)).errors).toEqual([
      { field: 'file', message: 'required' },
    ]);
    expect((await send(form([['file', 'text']]), undefined, rule)).errors).toMatchObject([
      { message: 'must be sent as a file, with a filename' },
    ]);
    expect(
      (
        await send(
          form([
            ['file', pdf],
            ['file', pdf],
          ]),
          undefined,
          rule,
        )
      ).errors,
    ).toEqual([{ field: 'file', message: 'sent twice' }]);
    expect(await send(form([['file', new Blob([Buffer.alloc(LIMIT)])]]), undefined, rule)).toMatchObject({
      refused: 'INVALID_INPUT',
    });
    expect(
      await send(lines('--x', 'Content-Disposition: form-data; name="file"; filename="f"', '', 'F'), B, rule),
    ).toMatchObject({ refused: 'INVALID_REQUEST_FORMAT' });
  });
});

test('the OpenAPI document shows text parts and files as one form', () => {
  expect(
    formSchema(withText.upload as UploadRule, {
      type: 'object',
      properties: { kind: { type: 'string' } },
      required: ['kind'],
    }),
  ).toEqual({
    type: 'object',
    properties: {
      kind: { type: 'string' },
      file: { type: 'string', format: 'binary', description: 'The page' },
      back: { type: 'string', format: 'binary' },
    },
    required: ['kind', 'file'],
  });
});
