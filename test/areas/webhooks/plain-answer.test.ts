import { request } from 'node:http';
import { Duplex } from 'node:stream';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { plainAnswer } from '../../../src/areas/webhooks/plain-answer.ts';
import { effort } from '../../kit/effort.ts';

const KEPT = 2048;
const read = (text: string) => plainAnswer(Buffer.from(text, 'latin1'), KEPT);

/** The same bytes read by Node's client, once as they come and then at their end. */
function byNode(text: string): Promise<{ status: number; body: string; complete: boolean; close: boolean } | string> {
  return new Promise((resolve) => {
    const socket = new Duplex({ read() {}, write: (_chunk, _encoding, done) => done() });
    const sent = request({ method: 'POST', createConnection: () => socket }, (answer) => {
      const parts: Buffer[] = [];
      answer.on('data', (part: Buffer) => parts.push(part));
      answer.on('error', (error) => resolve(String(error)));
      answer.on('end', () =>
        resolve({
          status: answer.statusCode ?? 0,
          body: Buffer.concat(parts).toString('latin1'),
          complete: answer.complete,
          close: /\bclose\b/i.test(answer.headers.connection ?? ''),
        }),
      );
    });
    sent.on('error', (error) => resolve(String(error)));
    sent.end();
    // No end follows: what needs one is no plain answer.
    socket.push(Buffer.from(text, 'latin1'));
    setImmediate(() => setImmediate(() => setImmediate(() => resolve('waits'))));
  });
}

const OK = 'HTTP/1.1 200 OK\r\n';

describe('a plain answer of a receiver', () => {
  test.each([
    ['with a length', `${OK}Content-Length: 5\r\n\r\nhello`, 200, 'hello', 30_000],
    ['without a body', `${OK}Date: now\r\ncontent-length:0\r\n\r\n`, 200, '', 30_000],
    ['without a phrase', 'HTTP/1.1 500\r\nContent-Length: 0\r\n\r\n', 500, '', 30_000],
    ['that has no body', 'HTTP/1.1 204 No Content\r\nKeep-Alive: timeout=5\r\n\r\n', 204, '', 4000],
    ['in chunks', `${OK}Transfer-Encoding: chunked\r\n\r\n3\r\nhel\r\n2\r\nlo\r\n0\r\n\r\n`, 200, 'hello', 30_000],
    ['that closes', `${OK}Connection: close\r\nKeep-Alive: timeout=9\r\nContent-Length: 0\r\n\r\n`, 200, '', 0],
    [
      'kept for a while',
      `${OK}connection: Keep-Alive\r\nKeep-Alive: timeout=72, max=3\r\nContent-Length: 0\r\n\r\n`,
      200,
      '',
      71_000,
    ],
    ['kept for no time', `${OK}Keep-Alive: timeout=1\r\nContent-Length: 0\r\n\r\n`, 200, '', 0],
  ])('%s is read', (_, text, status, body, keepMs) => {
    const answer = read(text);
    expect(answer).toEqual({ status, body: Buffer.from(body), keepMs });
  });

  test('is read as far as it is worth keeping', () => {
    const text = 'x'.repeat(5000);
    expect(read(`${OK}Content-Length: 5000\r\n\r\n${text}`)).toMatchObject({ body: Buffer.alloc(KEPT, 'x') });
    expect(read(`${OK}Transfer-Encoding: chunked\r\n\r\n1388\r\n${text}\r\n0\r\n\r\n`)).toMatchObject({
      body: Buffer.alloc(KEPT, 'x'),
    });
  });

  test.each([
    ['a body that is not whole', `${OK}Content-Length: 5\r\n\r\nhell`],
    ['a chunk that is not whole', `${OK}Transfer-Encoding: chunked\r\n\r\n5\r\nhel`],
    ['a chunk whose end is not there', `${OK}Transfer-Encoding: chunked\r\n\r\n3\r\nhel`],
    ['a chunk too few', `${OK}Transfer-Encoding: chunked\r\n\r\n3\r\nhel\r\n`],
  ])('is waited for: %s', (_, text) => {
    expect(read(text)).toBe('more');
  });

  test.each([
    ['a head that is not whole', 'HTTP/1.1 200 OK\r\nContent-Le'],
    ['another version', 'HTTP/1.0 200 OK\r\nContent-Length: 0\r\n\r\n'],
    ['one on the way', 'HTTP/1.1 100 Continue\r\n\r\n'],
    ['another protocol', 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n'],
    ['no length', `${OK}\r\nhello`],
    ['two lengths', `${OK}Content-Length: 5\r\nContent-Length: 5\r\n\r\nhello`],
    ['a length that is no number', `${OK}Content-Length: 5, 5\r\n\r\nhello`],
    ['a length and chunks', `${OK}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`],
    ['another coding', `${OK}Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n`],
    ['a body where there is none', 'HTTP/1.1 204 No Content\r\nContent-Length: 2\r\n\r\nno'],
    ['more than was said', `${OK}Content-Length: 2\r\n\r\nhello`],
    ['more than the last chunk', `${OK}Transfer-Encoding: chunked\r\n\r\n0\r\n\r\nx`],
    ['a trailer', `${OK}Transfer-Encoding: chunked\r\n\r\n0\r\nx: y\r\n\r\n`],
    ['a chunk with an extension', `${OK}Transfer-Encoding: chunked\r\n\r\n2;x=y\r\nok\r\n0\r\n\r\n`],
    ['a chunk that is longer than it says', `${OK}Transfer-Encoding: chunked\r\n\r\n2\r\nokay\r\n0\r\n\r\n`],
    ['a header in two lines', `${OK}X: a\r\n b\r\nContent-Length: 0\r\n\r\n`],
    ['a header with a space before its colon', `${OK}Content-Length : 0\r\n\r\n`],
    ['a line that ends without return', `${OK}X: a\nContent-Length: 0\r\n\r\n`],
    ['a body of more than 64 KiB', `${OK}Content-Length: 65537\r\n\r\n`],
    ['a head of more than 8 KiB', `${OK}X: ${'x'.repeat(8192)}\r\nContent-Length: 0\r\n\r\n`],
  ])('is left to Node: %s', (_, text) => {
    expect(read(text)).toBe('other');
  });

  const plain = fc.constantFrom(
    ['Content-Length: 0\r\n', ''],
    ['content-length:5\r\n', 'hello'],
    ['Transfer-Encoding: chunked\r\n', '2\r\nok\r\n0\r\n\r\n'],
    ['Transfer-Encoding: Chunked\r\n', '0\r\n\r\n'],
    ['transfer-encoding:\tchunked \r\n', '02\r\nok\r\n5\r\nhello\r\n00\r\n\r\n'],
    ['', ''],
  );
  const usual = fc.constantFrom(
    'Date: Mon',
    'Connection: keep-alive',
    'Connection: close',
    'Keep-Alive: timeout=5',
    'X:',
  );
  const odd = fc
    .tuple(
      fc.constantFrom('Content-Length', 'Transfer-Encoding', 'Connection', 'Keep-Alive', 'Upgrade', 'X ', '', 'é'),
      fc.constantFrom(': ', ':', ' : ', ''),
      fc.constantFrom('0', '5', '+5', '0x5', '', 'chunked', 'close', 'upgrade', 'a\tb', 'é', '\x00', '5 ', '5,5', ' '),
    )
    .map((parts) => parts.join(''));
  const line = fc.oneof({ weight: 6, arbitrary: usual }, { weight: 1, arbitrary: odd });
  const end = fc.oneof(
    { weight: 20, arbitrary: fc.constant('\r\n') },
    fc.constantFrom('\n', '\r', '\r\n ', '\r\n\r\n'),
  );
  const first = fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom('1.1 200 OK', '1.1 409', '1.1 500 ', '1.1 204 No Content', '1.1 304 x') },
    fc.constantFrom(
      '1.0 200 OK',
      '2.0 200 OK',
      '1.1 500 é',
      '1.1 100 Continue',
      '1.1 101 x',
      '1.1 20 x',
      '1.1 2000',
      '1.1  200',
    ),
  );
  const answers = fc
    .record({
      first,
      before: fc.array(fc.tuple(line, end), { maxLength: 2 }),
      plain,
      after: fc.array(fc.tuple(line, end), { maxLength: 2 }),
      cut: fc.nat(60),
      more: fc.constantFrom('', '', '', '', 'x', '\r\n'),
    })
    .map(({ first: status, before, plain: [framing, body], after, cut, more }) => {
      const text = `HTTP/${status}\r\n${before.flat().join('')}${framing}${after.flat().join('')}\r\n${body}`;
      return `${cut > 0 && cut < 12 ? text.slice(0, -cut) : text}${more}`;
    });

  test('whatever a receiver says, what is read says what Node reads of it', async () => {
    const seen = { plain: 0, waits: 0 };
    await fc.assert(
      fc.asyncProperty(answers, async (text) => {
        const answer = read(text);
        if (answer === 'other') return;
        const theirs = await byNode(text);
        if (answer === 'more') {
          seen.waits += 1;
          expect(theirs).toBe('waits');
          return;
        }
        seen.plain += 1;
        expect(theirs).toEqual({
          status: answer.status,
          body: answer.body.toString('latin1'),
          complete: true,
          close: answer.keepMs === 0,
        });
      }),
      { numRuns: effort(3000, 100_000) },
    );
    expect(seen.plain).toBeGreaterThan(100);
    expect(seen.waits).toBeGreaterThan(10);
  });
});
