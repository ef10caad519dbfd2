import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, createServer as createSocketServer, type Server } from 'node:net';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { freePort } from '../kit/port.ts';
import { commandLine } from '../kit/process.ts';
import { folder, run } from './kit.ts';

const parity = (...args: string[]) => run(['parity', ...args]);
const emulator = async (...flags: string[]) => (await commandLine(['--json', '--port', '0', ...flags]).ready()).url;

describe('parity with another emulator', () => {
  test('parity finds no difference to an emulator of the same profile', async () => {
    const url = await emulator();
    const { code, stdout } = await parity('--against', url, '--steps', '60', '--seed', '5');
    expect(stdout).toMatch(/^\d+ calls in \d+ walks compared \(seed 5\): no difference\n$/);
    expect(code).toBe(0);
  });

  test('parity compares with an emulator that asks for a control token', async () => {
    const url = await emulator('--control-token', 'a-token-of-mine');
    const flags = ['--against', url, '--steps', '20', '--seed', '5'];
    const refused = await parity(...flags);
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('the control token is missing')]);
    const env = { SANDBOX_EMULATOR_CONTROL_TOKEN: 'a-token-of-mine' };
    for (const { code, stdout } of [
      await parity(...flags, '--control-token', 'a-token-of-mine'),
      await run(['parity', ...flags], { env }),
    ]) {
      expect(stdout).toMatch(/: no difference\n$/);
      expect(code).toBe(0);
    }
  });

  test('parity finds no difference to an emulator without the shortcuts for speed', async () => {
    const { url } = await commandLine(['--json', '--port', '0'], { env: { SANDBOX_EMULATOR_WITHOUT: 'all' } }).ready();
    const { code, stdout } = await parity('--against', url, '--steps', '150', '--seed', '7');
    expect(stdout).toMatch(/: no difference\n$/);
    expect(code).toBe(0);
  });

  test('a start whose SANDBOX_EMULATOR_WITHOUT names an unknown shortcut exits with 1, and names the known ones', async () => {
    const { code, stderr } = await run(['--port', '0'], { env: { SANDBOX_EMULATOR_WITHOUT: 'luck' } });
    expect(code).toBe(1);
    expect(stderr).toContain('names luck, which is not a shortcut; there are direct, together, walks');
  });

  test('parity prints the differences to the other profile, each with a walk that shows it, and exits with 2', async () => {
    const url = await emulator('--profile', 'grid');
    const flags = [
      '--against-profile',
      'grid',
      '--only',
      'createCustomerKycLink',
      '--steps',
      '20',
      '--seed',
      '1',
      '--scenario',
      'default',
    ];
    const { code, stdout } = await parity('--against', url, ...flags, '--json');
    const { differences } = JSON.parse(stdout);
    const [link] = differences.filter(({ path }: { path: string }) => path === 'provider');
    expect([link.operation, link.kind, link.ours, link.calls]).toEqual([
      'createCustomerKycLink',
      'value',
      'KYC_PROVIDER_1',
      2,
    ]);
    expect(link.shell[1]).toMatch(/^curl -s -X POST -u "\$CREDENTIALS" "\$BASE"'\/customers\/'"\$c\d+_id"'\/kyc-link'/);
    expect(code).toBe(2);
  });

  test('parity finds no difference to an emulator that it calls by its API only, with credentials for each walk', async () => {
    const url = await emulator();
    const flags = [
      '--as-service',
      '--credentials',
      'walk-{n}:hush-hush',
      '--only',
      'customers',
      '--steps',
      '40',
      '--seed',
      '3',
    ];
    const { code, stdout } = await parity('--against', `${url}/2025-10-13`, ...flags);
    expect(stdout).toMatch(/ calls in \d+ walks compared \(seed 3\): no difference\n$/);
    expect(code).toBe(0);
  });
});

describe('a recording of parity', () => {
  test('a recording of parity is compared again without the other side, and holds no credentials', async () => {
    const file = join(folder(), 'said.json');
    const url = await emulator();
    const flags = ['--as-service', '--credentials', 'walk-{n}:hush-hush', '--except', 'getPlatformConfig'];
    const only = ['--only', 'customers', 'apitokens', '--steps', '60', '--seed', '3'];
    expect((await parity('--against', `${url}/2025-10-13`, ...flags, ...only, '--record', file)).code).toBe(0);
    const text = readFileSync(file, 'utf8');
    expect(text).not.toContain('hush-hush');
    expect(text).not.toMatch(/"clientSecret":"[^‹]/);
    const again = await parity('--replay', file);
    expect(again.stdout).toMatch(/ calls in \d+ walks compared \(seed 3\): no difference\n$/);
    expect(again.code).toBe(0);
    writeFileSync(file, text.replace('"status":201', '"status":200'));
    expect((await parity('--replay', file)).code).toBe(2);
  });

  test.each([
    ['not JSON', '{', /^\S+ cannot be read as a recording: it is not JSON\n$/],
    [
      'JSON of another kind',
      '{"a":1}',
      /^\S+ is not a recording of parity, or of another version: it has to say sandbox-emulator parity 1\n$/,
    ],
    ['the JSON value null', 'null', /^\S+ is not a recording of parity, or of another version: /],
    [
      'without a valid walk (X12)',
      '{"format":"sandbox-emulator parity 1","walks":[{"walk":[{"name":"a"}]}]}',
      /^\S+ is a recording that was changed: walk 1 cannot be made\n$/,
    ],
    [
      'without its scenarios (X12)',
      '{"format":"sandbox-emulator parity 1","walks":[]}',
      /^\S+ is a recording that was changed: its seed, profile or scenarios are missing\n$/,
    ],
  ])('a recording of parity that is %s is refused in one sentence', async (_, text, sentence) => {
    const file = join(folder(), 'said.json');
    writeFileSync(file, text);
    const { code, stderr } = await parity('--replay', file);
    expect(stderr).toMatch(sentence);
    expect(code).toBe(1);
  });
});

describe('a file of shapes of parity', () => {
  const flags = ['--only', 'customers', '--steps', '40', '--seed', '3'];
  const SAFE = 'names and types, no values; safe to commit and to send';
  const written = async (...more: string[]): Promise<{ file: string; url: string }> => {
    const file = join(folder(), 'shapes.json');
    const url = await emulator();
    const { code, stdout } = await parity('--against', url, ...flags, '--shapes', file, ...more);
    expect(stdout).toMatch(new RegExp(`: no difference\\nshapes of \\d+ operations written to ${file}: ${SAFE}\\n$`));
    expect(code).toBe(0);
    return { file, url };
  };

  test("a file of shapes holds the types of the other side's replies, and parity compares it by the same walks", async () => {
    const { file } = await written();
    const { format, date, profile, walks, operations } = JSON.parse(readFileSync(file, 'utf8'));
    expect([format, profile, walks.seed]).toEqual(['sandbox-emulator shapes 1', 'spec', 3]);
    expect(date).toMatch(/^\d{4}-\d\d-\d\d$/);
    expect(operations.createCustomer['201'].id).toBe('string');
    expect(Object.keys(operations)).toEqual(Object.keys(operations).sort());
    const { code, stdout } = await parity('--shapes', file);
    expect(stdout).toBe(
      `${stdout.split(' ')[0]} calls in ${walks.count} walks (seed 3) compared with ${file}, profile spec, of ${date}: no difference\n`,
    );
    expect(code).toBe(0);
  });

  test('a file of shapes that differs gives differences by operation, reply, member and kind, and exit code 2', async () => {
    const { file } = await written();
    const shapes = JSON.parse(readFileSync(file, 'utf8'));
    const reply = shapes.operations.createCustomer['201'];
    const { id: _, ...rest } = reply;
    shapes.operations.createCustomer['201'] = { ...rest, createdAt: 'number', tier: 'number' };
    shapes.operations.createCustomer['418 *'] = 'text';
    writeFileSync(file, JSON.stringify(shapes));
    const { code, stdout } = await parity('--shapes', file);
    expect(stdout.split('\n')).toEqual(
      expect.arrayContaining([
        'createCustomer 201, createdAt: another type: here string, there number',
        'createCustomer 201, id: not there: here string',
        'createCustomer 201, tier: only there: there number',
        '  createCustomer 418 *: such a reply, not seen here',
      ]),
    );
    expect(stdout).toMatch(/: 3 differences\n$/);
    expect(code).toBe(2);
    const json = await parity('--shapes', file, '--json');
    expect(JSON.parse(json.stdout)).toMatchObject({
      seed: 3,
      shapes: { file, profile: 'spec' },
      differences: [
        { kind: 'type', path: 'createdAt' },
        { operation: 'createCustomer', reply: '201', kind: 'missing', path: 'id', ours: 'string', theirs: '' },
        { kind: 'added', path: 'tier' },
      ],
      unseen: [{ operation: 'createCustomer', reply: '418 *', by: 'ours' }],
    });
    expect(json.code).toBe(2);
  });

  test('a file of shapes is the same from a recording as from the other side itself', async () => {
    const said = join(folder(), 'said.json');
    const { file } = await written('--record', said);
    const text = readFileSync(file, 'utf8');
    const again = join(folder(), 'shapes.json');
    expect((await parity('--replay', said, '--shapes', again)).code).toBe(0);
    expect(readFileSync(again, 'utf8')).toBe(text);
    const { date: _, ...old } = JSON.parse(readFileSync(said, 'utf8'));
    writeFileSync(said, JSON.stringify(old));
    const refused = await parity('--replay', said, '--shapes', again);
    expect([refused.stderr, refused.code]).toEqual([
      `${said} does not say on which day it was recorded, as an older version wrote it: record it again\n`,
      1,
    ]);
  });

  test('a file of shapes may be overwritten, and no other file', async () => {
    const { file, url } = await written();
    expect((await parity('--against', url, ...flags, '--shapes', file)).code).toBe(0);
    writeFileSync(file, '{"mine":1}');
    const { code, stdout, stderr } = await parity('--against', url, ...flags, '--shapes', file);
    expect([stdout, stderr, code]).toEqual([
      '',
      `${file} is not a file of shapes, so it is not written over: name another file, or delete this one\n`,
      1,
    ]);
    expect(readFileSync(file, 'utf8')).toBe('{"mine":1}');
  });

  const whole = (more: object) =>
    JSON.stringify({
      format: 'sandbox-emulator shapes 1',
      date: '2026-11-25',
      profile: 'spec',
      walks: { seed: 1, count: 5, operations: 'all', scenario: 'default', service: false },
      operations: {},
      ...more,
    });
  test.each([
    [
      'a file that is not JSON',
      '{',
      'is not a file of shapes, or of another version: it has to say sandbox-emulator shapes 1',
    ],
    [
      'a file without a day',
      whole({ date: 'today' }),
      'is a file of shapes that was changed: its date is not a day such as 2026-11-25',
    ],
    [
      'a file of another profile',
      whole({ profile: 'x' }),
      'is a file of shapes that was changed: its profile is neither spec nor grid',
    ],
    [
      'a file without walks',
      whole({ walks: 1 }),
      'is a file of shapes that was changed: its walks cannot be made again',
    ],
    [
      'a file without operations',
      whole({ operations: [] }),
      'is a file of shapes that was changed: it has no operations',
    ],
    [
      'a file with a value',
      whole({ operations: { getQuoteById: { 200: { id: 'Quote:1' } } } }),
      'is a file of shapes that was changed: getQuoteById 200.id is not a shape',
    ],
  ])('parity refuses as a file of shapes in one sentence: %s', async (_, text, sentence) => {
    const file = join(folder(), 'shapes.json');
    writeFileSync(file, text);
    const { code, stderr } = await parity('--shapes', file);
    expect([stderr, code]).toEqual([`${file} ${sentence}\n`, 1]);
  });

  test('a file of shapes that is missing, or whose walks start from a scenario file, is refused in one sentence', async () => {
    const file = join(folder(), 'shapes.json');
    const missing = await parity('--shapes', file);
    expect([missing.stderr, missing.code]).toEqual([`${file} cannot be read: there is no such file or folder\n`, 1]);
    writeFileSync(file, whole({ walks: { seed: 1, count: 5, operations: 'all', scenario: 'a file', service: false } }));
    const { code, stderr } = await parity('--shapes', file);
    expect([stderr, code]).toEqual([
      `the walks of ${file} start from a scenario file that it does not hold: name it by --scenario\n`,
      1,
    ]);
    const recorded = await parity('--shapes', file, '--record', 'said.json');
    expect([recorded.stderr, recorded.code]).toEqual([
      '--record saves what the other side answers: name it by --against\n',
      1,
    ]);
  });
});

/** A server of this machine until the test ends, whatever it keeps open; its host and port. */
async function listening(server: Server): Promise<string> {
  const open = new Set<{ destroy(): void }>();
  server.on('connection', (socket) => open.add(socket));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
    for (const socket of open) socket.destroy();
  });
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const site = (answer: RequestListener) => listening(createServer(answer));
const page = '<!doctype html><title>A shop</title>';
const json =
  (body: unknown, status = 200): RequestListener =>
  (_, response) =>
    void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));

describe('a site that is not the service (W27)', () => {
  const asService = (host: string, ...more: string[]) =>
    parity('--against', `http://${host}/api`, '--credentials', 'me:hush-hush', ...more);
  test.each<[string, RequestListener, string]>([
    [
      'a page in HTML',
      (_, response) => void response.setHeader('content-type', 'text/html').end(page),
      '200 with what is not JSON',
    ],
    ['an error page', (_, response) => void response.writeHead(502).end(page), '502 with what is not JSON'],
    ['a redirect', (_, response) => void response.writeHead(302, { location: '/login' }).end(), '302 without a body'],
    ['nothing', (_, response) => void response.end(), '200 without a body'],
    ['no content', (_, response) => void response.writeHead(204).end(), '204 without a body'],
    ['JSON of another shape', json({ hello: 'world' }), '200 with JSON that the contract does not know'],
    ['null', json(null), '200 with JSON that the contract does not know'],
    ['a list', json([]), '200 with JSON that the contract does not know'],
    ['an error of another API', json({ error: 'not found' }, 404), '404 with JSON that the contract does not know'],
    [
      'a redirect with a page of a list',
      json({ data: [], hasMore: false }, 301),
      '301 with JSON that the contract does not know',
    ],
  ])('parity names in one sentence a site that answers with %s, and writes nothing there', async (_, answer, said) => {
    const asked: string[] = [];
    const host = await site((request, response) => {
      asked.push(`${request.method} ${request.url}`);
      answer(request, response);
    });
    const { code, stdout, stderr } = await asService(host);
    expect(stderr).toBe(`what answers at http://${host}/api is not the service: GET /customers is answered ${said}\n`);
    expect([stdout, code]).toEqual(['', 1]);
    expect(asked).toEqual(['GET /_emulator/health', 'GET /api/customers?limit=1']);
  });

  test.each([
    [401, 'UNAUTHORIZED', '; check --credentials'],
    [403, 'FORBIDDEN', '; check --credentials'],
    [503, 'SERVICE_UNAVAILABLE', ''],
  ])('parity stops in one sentence at a site that refuses the first call with %s %s', async (status, code, advice) => {
    const host = await site(json({ status, code, message: 'not for you' }, status));
    const { code: exit, stdout, stderr } = await asService(host);
    expect(stderr).toBe(
      `http://${host}/api refuses the first call, so there is nothing to compare: GET /customers is answered ${status} ${code}, not for you${advice}\n`,
    );
    expect([stdout, exit]).toEqual(['', 1]);
  });

  test.each<[string, RequestListener]>([
    ['hangs', () => {}],
    ['drips without end', (_, response) => void setInterval(() => response.write(' '), 50).unref()],
    [
      'hangs after its health',
      (request, response) => void (request.url === '/_emulator/health' && response.writeHead(404).end()),
    ],
  ])('parity gives up after three seconds on a site that %s', async (_, answer) => {
    const host = await site(answer);
    const { code, stderr } = await asService(host);
    expect([stderr, code]).toEqual([`${host} does not answer within 3 s\n`, 1]);
  });

  test.each<[string, RequestListener, RegExp]>([
    [
      'answers the rest with pages',
      (_, response) => void response.end(page),
      /^\S+: POST \/_emulator\/sandboxes answers 200 with what is not JSON\n$/,
    ],
    ['makes no sandboxes', json({}), /^\S+: POST \/_emulator\/sandboxes answers with what is not a sandbox\n$/],
    [
      'names another address for its API',
      json({ id: 'a', baseUrl: 'http://127.0.0.1:9/x', credentials: { id: 'a', secret: 'b' } }),
      /^\S+ names another address for its API, which is not called: http:\S+ only is\n$/,
    ],
  ])('parity names in one sentence a site that has the health of an emulator and %s', async (_, answer, sentence) => {
    const host = await site((request, response) =>
      (request.url === '/_emulator/health' ? json({ sandboxes: 1 }) : answer)(request, response),
    );
    const { code, stderr } = await parity('--against', `http://${host}`);
    expect(stderr).toMatch(sentence);
    expect(code).toBe(1);
  });
});

describe('errors of the network (X12)', () => {
  test.each<[string, string, (host: string) => string]>([
    [
      'something other than HTTP',
      'SSH-2.0-shop\r\n',
      (host) => `what ${host} answers is not HTTP (HPE_INVALID_CONSTANT)\n`,
    ],
    [
      'another protocol',
      'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: shop\r\n\r\n',
      (host) => `what ${host} answers is not a reply of an API (it switches protocols)\n`,
    ],
    [
      'half an answer',
      'HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\n{',
      (host) => `${host} closes the connection without an answer (ECONNRESET)\n`,
    ],
    ['nothing', '', (host) => `${host} closes the connection without an answer (ECONNRESET)\n`],
  ])('parity prints one sentence about a server that says %s', async (_, text, sentence) => {
    const host = await listening(
      createSocketServer((socket) => void socket.on('error', () => {}).once('data', () => socket.end(text))),
    );
    const { code, stderr } = await parity('--against', `http://${host}`);
    expect([stderr, code]).toEqual([sentence(host), 1]);
  });

  test('parity prints one sentence about https to a server without TLS', async () => {
    const host = await site((_, response) => void response.end());
    const { code, stderr } = await parity('--against', `https://${host}`);
    expect([stderr, code]).toEqual([
      `no secure connection to ${host}: it speaks no TLS there, or another one (EPROTO)\n`,
      1,
    ]);
  });

  test('parity prints one sentence about a host name that has no address', async () => {
    const flags = ['--credentials', 'me:hush-hush', '--yes'];
    const { code, stderr } = await parity('--against', 'https://service.invalid/api', ...flags);
    expect(stderr).toMatch(/^no address is known for service\.invalid \((?:ENOTFOUND|EAI_AGAIN)\)\n$/);
    expect(code).toBe(1);
  });

  test.each([
    ['read', '--replay', 'there is no such file or folder'],
    ['written', '--record', 'there is no such file or folder'],
  ])('parity refuses a recording that cannot be %s before it calls anything', async (done, flag, why) => {
    const file = join(folder(), 'none', 'said.json');
    const other = flag === '--record' ? ['--against', `http://127.0.0.1:${await freePort()}`] : [];
    const { code, stderr } = await parity(...other, flag, file);
    expect([stderr, code]).toEqual([`${file} cannot be ${done}: ${why}\n`, 1]);
  });
});

describe('calls of parity that cannot be made', () => {
  test.each([
    [
      'a call without another side',
      [],
      'name the other side by --against, or a recording by --replay; --help shows every flag\n',
    ],
    [
      'credentials without a secret',
      ['--against', 'http://127.0.0.1:9', '--credentials', 'my-id'],
      '--credentials must be <id>:<secret>\n',
    ],
    [
      'credentials in the address',
      ['--against', 'http://me:hush@127.0.0.1:9'],
      '--against holds no credentials: name them by --credentials\n',
    ],
    [
      'another machine without --yes',
      ['--against', 'https://sandbox.service.example', '--credentials', 'me:hush-hush'],
      'parity creates, changes and deletes things at sandbox.service.example, as me; say --yes if that is meant\n',
    ],
    [
      'an unknown profile',
      ['--profile', 'none'],
      '--profile <name> must be one of spec, grid, not none; --help shows every flag\n',
    ],
  ])('parity refuses in one sentence: %s', async (_, args, sentence) => {
    const { code, stdout, stderr } = await parity(...args);
    expect([stdout, stderr, code]).toEqual(['', sentence, 1]);
  });

  test('parity prints one sentence about a port where nothing listens', async () => {
    const port = await freePort();
    const { code, stderr } = await parity('--against', `http://127.0.0.1:${port}`);
    expect(stderr).toBe(`nothing answers at 127.0.0.1:${port} (ECONNREFUSED)\n`);
    expect(code).toBe(1);
  });

  test('parity refuses a local server that is not an emulator, without credentials, and follows no redirect of it', async () => {
    const asked: string[] = [];
    const server = createServer((request, response) => {
      asked.push(`${request.headers.host} ${request.url}`);
      response
        .writeHead(302, { location: `http://localhost:${(server.address() as AddressInfo).port}/elsewhere` })
        .end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    const { code, stderr } = await parity('--against', `http://${host}`);
    expect(stderr).toBe(`${host} is not an emulator that can make sandboxes: name --credentials\n`);
    expect(asked).toEqual([`${host} /_emulator/health`]);
    expect(code).toBe(1);
  });
});
