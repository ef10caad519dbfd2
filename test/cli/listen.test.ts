import { writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { freePort } from '../kit/port.ts';
import { client, commandLine, type Ready, type Running } from '../kit/process.ts';
import { receiver, signedBy } from '../kit/receiver.ts';
import { eventOf, folder, lineOf, run } from './kit.ts';

const emulator = async (...flags: string[]): Promise<Running & { event: Ready }> => {
  const running = commandLine(['--json', '--log', 'off', '--port', '0', ...flags]);
  return { ...running, event: await running.ready() };
};
const listener = async (...flags: string[]): Promise<Running & { url: string }> => {
  const running = commandLine(['listen', '--json', '--port', '0', ...flags]);
  return { ...running, url: (await running.ready()).url };
};
const customer = (event: Ready, fullName = 'Ada Keller') =>
  client(event)('POST', '/customers', { customerType: 'INDIVIDUAL', fullName });
const post = (url: string, body: string, headers: Record<string, string> = {}) =>
  fetch(url, { method: 'POST', body, headers });
const event = (id: string, more = ''): string => `{"id":"${id}","type":"TEST","data":{}${more}}`;

describe('deliveries of the emulator to listen', () => {
  test.each([[[]], [['--profile', 'grid']]])(
    'listen with --register gets deliveries of an emulator with %j, verified and answered',
    async (flags) => {
      const { event } = await emulator(...flags);
      const hears = await listener('--url', event.url, '--register');
      // A new endpoint gets its TEST, whichever way it is set (U10).
      expect(await eventOf(hears, 'delivery')).toMatchObject({ type: 'TEST', verified: true, status: 200 });
      const { body } = await customer(event);
      expect(await eventOf(hears, 'delivery', 2)).toMatchObject({
        type: 'CUSTOMER.KYC_APPROVED',
        subject: body.id,
        verified: true,
        attempt: 1,
        duplicate: false,
        status: 200,
        payload: { data: { id: body.id, fullName: 'Ada Keller' } },
      });
      expect(await (await fetch(`${event.url}/_emulator/webhooks/endpoint`)).json()).toEqual({ url: hears.url });
    },
  );

  test('listen --register --sandbox gets deliveries of that sandbox only', async () => {
    const { event } = await emulator();
    const mine = { ...event, credentials: { id: 'mine', secret: 'x' } };
    await customer(mine, 'before');
    const hears = await listener('--emulator', event.url, '--register', '--sandbox', 'mine');
    await customer(event, 'of somebody else');
    await customer(mine, 'after');
    expect(await eventOf(hears, 'delivery', 2)).toMatchObject({
      payload: { data: { fullName: 'after' } },
      verified: true,
    });
  });

  test('listen verifies with the new key after a restart of the emulator', async () => {
    const port = String(await freePort());
    const hears = await listener('--emulator', `http://127.0.0.1:${port}`);
    for (const [i, seed] of ['1', '2'].entries()) {
      const { event, child, ended } = await emulator('--port', port, '--seed', seed, '--webhook-url', hears.url);
      await customer(event);
      expect(await eventOf(hears, 'delivery', i + 1)).toMatchObject({ verified: true, status: 200 });
      child.kill('SIGTERM');
      await ended;
    }
  });

  test('listen --register registers again with an emulator that starts in the place of another (W16)', async () => {
    const port = String(await freePort());
    const first = await emulator('--port', port);
    const hears = await listener('--emulator', first.event.url, '--register');
    first.child.kill('SIGTERM');
    await first.ended;
    expect(await eventOf(hears, 'ended')).toEqual({ event: 'ended', emulator: first.event.url, url: hears.url });
    const { event } = await emulator('--port', port);
    expect(await eventOf(hears, 'registered')).toMatchObject({ emulator: event.url, url: hears.url });
    const { body } = await customer(event);
    for (let nth = 1; ; nth += 1) {
      const { subject, verified } = await eventOf(hears, 'delivery', nth);
      if (subject !== body.id) continue;
      expect(verified).toBe(true);
      break;
    }
  });

  test('listen --fail-first answers the first tries with 503, and marks the retries as duplicates', async () => {
    const hears = await listener('--fail-first', '2');
    const { event } = await emulator('--webhook-url', hears.url, '--hold-clock');
    await customer(event);
    await eventOf(hears, 'delivery');
    await fetch(`${event.url}/_emulator/clock`, { method: 'POST', body: '{"advance":"PT1H"}' });
    const all = await Promise.all([1, 2, 3].map((nth) => eventOf(hears, 'delivery', nth)));
    expect(all.map(({ status, attempt, duplicate }) => [status, attempt, duplicate])).toEqual([
      [503, 1, false],
      [503, 2, true],
      [200, 3, true],
    ]);
    expect(new Set(all.map(({ id }) => id)).size).toBe(1);
  });

  test('listen --answer --delay: the emulator gets that status after that wait', async () => {
    const hears = await listener('--answer', '418', '--delay', '60');
    const { event } = await emulator('--webhook-url', hears.url);
    await customer(event);
    expect(await eventOf(hears, 'delivery')).toMatchObject({ status: 418 });
    for (;;) {
      const { data } = (await (await fetch(`${event.url}/_emulator/webhooks`)).json()) as {
        data: { attempts: { status: number; ms: number }[] }[];
      };
      const [attempt] = data[0]?.attempts ?? [];
      if (!attempt) continue;
      expect(attempt.status).toBe(418);
      expect(attempt.ms).toBeGreaterThan(55);
      break;
    }
  });
});

describe('deliveries without a valid signature', () => {
  test('listen refuses an unsigned or a forged delivery with 401, like a real receiver', async () => {
    const { event: ready } = await emulator();
    const hears = await listener('--emulator', ready.url);
    const forged = { 'x-service-signature': '{"v":"1","s":"MEUCIQ=="}' };
    expect((await post(hears.url, event('a'))).status).toBe(401);
    expect((await post(hears.url, event('b'), forged)).status).toBe(401);
    expect((await post(hears.url, event('c'), { 'x-service-signature': 'nonsense' })).status).toBe(401);
    const all = await Promise.all([1, 2, 3].map((nth) => eventOf(hears, 'delivery', nth)));
    expect(all.map(({ verified }) => verified)).toEqual([false, false, false]);
  });

  test('listen takes a delivery as unverified where no emulator answers', async () => {
    const hears = await listener('--emulator', 'http://127.0.0.1:1');
    expect((await post(hears.url, event('a'), { 'x-service-signature': 'x' })).status).toBe(200);
    expect(await eventOf(hears, 'delivery')).toMatchObject({ verified: null, status: 200 });
  });

  test('listen --key verifies with the key of a file, without an emulator', async () => {
    const file = join(folder(), 'key.pem');
    writeFileSync(file, (await run(['keys', '--seed', '5'])).stdout.split('\n\n')[0] as string);
    const hears = await listener('--key', file, '--emulator', 'http://127.0.0.1:1');
    await customer((await emulator('--seed', '5', '--webhook-url', hears.url)).event);
    expect(await eventOf(hears, 'delivery')).toMatchObject({ verified: true, status: 200 });
    await customer((await emulator('--seed', '6', '--webhook-url', hears.url)).event);
    expect(await eventOf(hears, 'delivery', 2)).toMatchObject({ verified: false, status: 401 });
  });
});

describe('deliveries that are forwarded', () => {
  test("listen --forward passes a delivery on as it arrived, and returns the receiver's answer", async () => {
    const hooks = await receiver();
    hooks.react = () => ({ status: 409, headers: { 'content-type': 'text/plain' }, body: 'known' });
    const { event: ready } = await emulator();
    const hears = await listener('--emulator', ready.url, '--register', '--forward', hooks.url);
    await customer(ready);
    expect(await eventOf(hears, 'delivery', 2)).toMatchObject({ verified: true, status: 409, forwarded: true });
    expect(signedBy(ready.webhookPublicKey, hooks.received[0] as (typeof hooks.received)[0])).toBe(true);
    const answer = await post(hears.url, event('é\\u0000'), { 'content-type': 'application/json' });
    expect([answer.status, answer.headers.get('content-type'), await answer.text()]).toEqual([
      409,
      'text/plain',
      'known',
    ]);
    expect(hooks.received.at(-1)?.raw).toBe(event('é\\u0000'));
  });

  test('listen --forward answers 502 where the receiver is down, and notes why', async () => {
    const hears = await listener('--forward', 'http://127.0.0.1:1/hooks');
    expect((await post(hears.url, event('a'))).status).toBe(502);
    expect(await eventOf(hears, 'delivery')).toMatchObject({
      status: 502,
      forwarded: false,
      note: expect.stringMatching(/^http:\/\/127\.0\.0\.1:1\/hooks did not answer: E?\w+/),
    });
  });
});

describe('requests that are not a delivery', () => {
  test.each([
    ['bad JSON', { body: '{"id":' }, 400, 'not JSON'],
    ['JSON that is not an event', { body: '[1]' }, 400, 'not an event'],
    ['an empty body', { body: '' }, 400, 'not JSON'],
    ['bytes that are not text', { body: Buffer.from([0xff, 0xfe, 0]) }, 400, 'not JSON'],
    ['JSON without end', { body: '['.repeat(200_000) }, 400, 'not JSON'],
    [
      'an event that nests without end',
      { body: event('a', `,"x":${'['.repeat(900)}${']'.repeat(900)}`) },
      400,
      'nested too deep',
    ],
    ['more than a megabyte', { body: `"${'x'.repeat(1024 * 1024)}"` }, 413, 'more than 1048576 bytes'],
    ['another method', { method: 'GET' }, 405, 'webhooks are sent with POST'],
    ['another path', { body: event('a'), path: '/elsewhere' }, 404, 'webhooks are taken at /mine'],
  ])(
    'listen refuses %s with a reason, and takes the next delivery',
    async (_, {
      body,
      method = 'POST',
      path,
    }: { body?: string | Buffer; method?: string; path?: string }, status, reason) => {
      const hears = await listener('--path', '/mine', '--emulator', 'http://127.0.0.1:1');
      expect(new URL(hears.url).pathname).toBe('/mine');
      const answer = await fetch(new URL(path ?? '/mine?a=b', hears.url), {
        method,
        ...(body === undefined ? {} : { body: new Uint8Array(Buffer.from(body)) }),
      });
      expect(answer.status).toBe(status);
      expect(await eventOf(hears, 'refused')).toMatchObject({ method, status, reason });
      expect((await post(hears.url, event('a'), { 'x-service-signature': 'x' })).status).toBe(200);
    },
  );

  test('a caller that breaks off leaves no trace in listen', async () => {
    const hears = await listener('--emulator', 'http://127.0.0.1:1');
    const { port } = new URL(hears.url);
    for (const text of [
      'POST /hooks HTTP/1.1\r\nhost: x\r\ncontent-length: 50\r\n\r\n{"id"',
      'NONSENSE\r\n\r\n',
      'CONNECT x:1 HTTP/1.1\r\nhost: x\r\n\r\n',
    ]) {
      const socket = connect(Number(port), '127.0.0.1');
      socket.on('error', () => {});
      await new Promise<void>((resolve) => socket.write(text, () => resolve()));
      socket.destroy();
    }
    expect((await post(hears.url, event('a'), { 'x-service-signature': 'x' })).status).toBe(200);
    expect(hears.out.stderr).toBe('');
  });
});

describe('listen for a person', () => {
  test('listen prints a line for a delivery, the body with --verbose, and no control characters', async () => {
    const hears = commandLine(['listen', '--port', '0', '--verbose', '--emulator', 'http://127.0.0.1:1']);
    const first = await lineOf(hears, (line) => line.startsWith('listening'));
    expect(first).toMatch(/^listening for webhooks on http:\/\/127\.0\.0\.1:\d+\/hooks$/);
    const url = first.split(' ').at(-1) as string;
    const evil = '{"id":"w\\u001b[2J","type":"T\\u009b31m","data":{"id":"c\\u202e","name":"\\u001b]0;x\\u0007"}}';
    await post(url, evil, { 'x-service-signature': 'x' });
    expect(await lineOf(hears, (line) => line.includes('unverified'))).toMatch(
      /^\d\d:\d\d:\d\d\.\d{3} 200 unverified T\\x9b31m c\\u\{202e\} w\\x1b\[2J$/,
    );
    expect(await lineOf(hears, (line) => line.includes('"name"'))).toBe('        "name": "\\u001b]0;x\\u0007"');
    await post(url, evil);
    await lineOf(hears, (line) => line.includes('NOT SIGNED BY THE EMULATOR') && line.endsWith('duplicate, attempt 2'));
    await fetch(`${url}/\u001b?x`);
    await lineOf(hears, (line) => line.includes('405 no webhook GET /hooks/'));
    expect(hears.out.stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
  });

  test('listen ends at SIGTERM after it has printed what arrived', async () => {
    const hears = await listener('--emulator', 'http://127.0.0.1:1');
    await post(hears.url, event('a'), { 'x-service-signature': 'x' });
    hears.child.kill('SIGTERM');
    expect(await hears.ended).toBe(0);
    expect(hears.out.stdout.trim().split('\n')).toHaveLength(2);
  });

  test('listen --parent-watch ends when its stdin does', async () => {
    const hears = await listener('--parent-watch');
    hears.child.stdin?.end();
    expect(await hears.ended).toBe(0);
  });
});
