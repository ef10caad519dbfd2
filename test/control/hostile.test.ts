import { expect, test } from 'vitest';
import { CONTROLS } from '../../src/control/index.ts';
import { createApp } from '../../src/http/app.ts';
import { kit } from '../kit/sandbox.ts';
import { sane } from '../kit/sane.ts';

const BODIES: readonly (string | Uint8Array<ArrayBuffer>)[] = [
  '',
  '{',
  'null',
  '[]',
  '7',
  '"x"',
  '{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}',
  new Uint8Array([0x7b, 0xff, 0x7d]),
  '['.repeat(50_000) + ']'.repeat(50_000),
  ...[
    'advance',
    'to',
    'mode',
    'speed',
    'name',
    'url',
    'scenario',
    'seed',
    'webhookUrl',
    'decision',
    'format',
    'tables',
  ].flatMap((key) =>
    [null, 7, 1e308, true, {}, [], '', 'x', '\u0000'].map((value) => JSON.stringify({ [key]: value })),
  ),
  JSON.stringify({
    format: 1,
    clock: { now: '2026-01-05T09:00:00.000Z', mode: 'held', speed: 1 },
    ids: { seed: '1', drawn: 1e15, lastMs: 0, tick: 0 },
    settings: { policies: { x: 'y' }, limits: {} },
    tables: [{ name: 'platform', next: 1, rows: [null] }],
  }),
];

const streams = (path: string) => path === '/events';

test.each(CONTROLS.filter((door) => !streams(door.path)).map((door) => [`${door.method} ${door.path}`, door] as const))(
  'the control %s answers hostile paths, queries and bodies without a failure',
  async (_, door) => {
    const { host } = await kit();
    const app = createApp(host);
    const ask = async (path: string, body: (typeof BODIES)[number] | undefined) => {
      const response = await app.request(`http://127.0.0.1:4010/_emulator${path}`, {
        method: door.method,
        ...(body === undefined || door.method === 'GET' ? {} : { body }),
      });
      const what = `${path} ${String(body).slice(0, 100)}`;
      const { status, headers } = response;
      const text = await response.text();
      sane(
        { status, headers, text, body: headers.get('content-type')?.includes('json') ? JSON.parse(text) : text },
        what,
      );
    };
    const path = (value: string) => door.path.replaceAll(/:\w+/g, value);
    for (const value of ['x', '%00', '%FF', '__proto__', 'constructor', 'x'.repeat(3000)]) await ask(path(value), '{}');
    for (const query of [
      '?sandbox=',
      '?sandbox=nobody',
      '?sandbox=__proto__',
      '?sandbox=a&sandbox=b',
      '?limit=x',
      '?cursor=x',
      '?limit=%FF',
      '?type=%00',
      '?status=x',
      '?__proto__=x',
    ])
      await ask(path('x') + query, '{}');
    // A GET is sent without one.
    for (const body of door.method === 'GET' ? ['{}'] : BODIES) await ask(path('x'), body);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  },
);
