import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { CONTROLS } from '../../src/control/index.ts';
import { handleOf } from '../../src/handle.ts';
import { type Command, commands, decisions } from '../../src/sandbox/commands/index.ts';
import { kit } from '../kit/sandbox.ts';

const SRC = join(import.meta.dirname, '../../src');

/** The files of what stands in front of the commands, without comments. */
const FRONT = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.tsx?$/.test(name) && /^(?:control\/|inspector\/|handle\.ts$)/.test(name))
  .map((name) => ({
    name,
    code: readFileSync(join(SRC, name), 'utf8').replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, ''),
  }));

const NAMED: readonly (readonly [name: string, command: Command])[] = [
  ...Object.entries(commands as unknown as Record<string, Record<string, Command>>).flatMap(([topic, group]) =>
    Object.entries(group).map(([name, command]) => [`${topic}.${name}`, command] as const),
  ),
  ...decisions.map(({ table, name, command }) => [`${table.name}.${name}`, command as unknown as Command] as const),
];

/** Functions of areas that pages may call: each reads, and has no question among the commands that would do. */
const READ_BY_PAGES: Readonly<Record<string, string>> = {
  deliveryOf: 'a row of the page, or 404',
  nextTryOf: 'a job of the page',
  isPaused: 'cheaper than counting what is held',
  heldDeliveries: 'counted where there are few jobs only',
  isTestEvent: 'which events nobody misses',
  webhookKey: 'the page signs a body as a receiver sees it, with the private key',
};

describe('control API, handle and inspector', () => {
  test('control API, handle and inspector import from areas only tables, types, and what pages may read', () => {
    const wrong = FRONT.flatMap(({ name, code }) =>
      [...code.matchAll(/import (type )?\{([^}]*)\} from '[./]*areas\/[\w-]+\/index\.ts'/g)]
        .filter(([, isType]) => isType === undefined)
        .flatMap(([, , names = '']) => names.split(',').map((one) => one.trim()))
        .filter((one) => one !== '' && !one.startsWith('type ') && !/^[A-Z_]+$/.test(one))
        .filter((one) => !(name.startsWith('inspector/') && Object.hasOwn(READ_BY_PAGES, one)))
        .map((one) => `src/${name}: ${one}`),
    );
    expect(wrong).toEqual([]);
  });

  test('control API, handle and inspector write nothing themselves: no transaction, row, clock, fault or life but by a command', () => {
    const acts =
      /\.transact\(|\.(?:put|insert|delete|update)\(\{|\.begin\(|\.advance(?:By|To)\(|\.set(?:Mode|Speed)\(|faults\.(?:add|remove|clear)\(|host\.(?:create|fork|drop)\(/g;
    const wrong = FRONT.flatMap(({ name, code }) =>
      (code.match(acts) ?? []).map((text) => `src/${name}: ${text}`),
    ).filter((one) => !/: (?:run\()?commands\./.test(one));
    expect(wrong).toEqual([]);
  });

  test('control API, handle and inspector write no address of the control API by hand', () => {
    const wrong = FRONT.flatMap(({ name, code }) =>
      (code.match(/_emulator[\w/:-]*/g) ?? []).map((text) => `src/${name}: ${text}`),
    );
    // The command line asks for health before it loads any table.
    expect(wrong).toEqual(['src/control/reach.ts: _emulator/health', 'src/inspector/frame/page-context.ts: _emulator']);
  });
});

describe('commands', () => {
  test.each(NAMED)(
    'command %s has a description of one sentence, and describes each member of its input',
    (_, command) => {
      expect(command.about).toMatch(/^[A-Z][^\n]{5,}[^.]$/);
      const { properties = {} } = z.toJSONSchema(command.input(), { io: 'input', unrepresentable: 'any' }) as {
        properties?: Record<string, { description?: string }>;
      };
      const undescribed = Object.keys(properties).filter((name) => !properties[name]?.description);
      // The bodies of decisions are declared by areas, whose sentence stands for the whole.
      expect(decisions.some((one) => (one.command as unknown) === command) ? [] : undescribed).toEqual([]);
    },
  );

  test('every command is in the control table once, but for the three that only a program calls', () => {
    const places = (command: Command) => CONTROLS.filter((one) => (one.command as unknown) === command).length;
    const elsewhere = NAMED.filter(([, command]) => places(command) !== 1).map(([name]) => name);
    expect(elsewhere).toEqual(['clock.set', 'clock.settle', 'webhooks.waitFor']);
  });
});

describe('refusals of the handle', () => {
  const refusals: readonly (readonly [
    what: string,
    control: readonly [method: string, path: string, body: unknown],
    handle: (handle: ReturnType<typeof handleOf>) => unknown,
  ])[] = [
    ['a text that is not a duration', ['POST', '/clock', { advance: 'soon' }], (h) => h.clock.advance('soon')],
    [
      'a moment in the past',
      ['POST', '/clock', { to: '2020-01-01T00:00:00Z' }],
      (h) => h.clock.advanceTo('2020-01-01T00:00:00Z'),
    ],
    ['a text that is not a moment', ['POST', '/clock', { to: 'tomorrow' }], (h) => h.clock.advanceTo('tomorrow')],
    ['a speed of 0', ['POST', '/clock', { mode: 'live', speed: 0 }], (h) => h.clock.run(0)],
    [
      'an unknown operation',
      ['POST', '/faults', { match: { operation: 'createCustomr' }, then: { status: 503 } }],
      (h) => h.faults.add({ match: { operation: 'createCustomr' as never }, then: { status: 503 } }),
    ],
    ['a state of a wrong form', ['PUT', '/state', { format: 2 }], (h) => h.restore({ format: 2 } as never)],
  ];

  test.each(refusals)(
    'the handle refuses %s in the same words as the control API',
    async (_, [method, path, body], act) => {
      const { host, sandbox, control } = await kit({ holdClock: true, now: '2026-01-05T09:00:00Z' });
      const handle = handleOf(host, sandbox, 'http://127.0.0.1:4010/2025-10-13');
      const told = await control(method, path, body);
      expect(told.status).toBe(400);
      const said = await Promise.resolve()
        .then(() => act(handle))
        .then(
          () => 'done',
          (error: Error) => error.message,
        );
      // A program's rule is the argument `fault`, the control API's the whole body.
      expect(said.replace(/^fault\./, '')).toBe(told.body.message);
    },
  );

  test('the handle takes a moment without a time, such as a day', async () => {
    const { host, sandbox } = await kit({ holdClock: true, now: '2026-01-05T09:00:00Z' });
    const { clock } = handleOf(host, sandbox, 'http://127.0.0.1:4010/2025-10-13');
    await clock.advanceTo('2026-01-06');
    expect(clock.state()).toEqual({ now: '2026-01-06T00:00:00.000Z', mode: 'held', speed: 1 });
  });

  test('the default sandbox cannot be dropped, and a handle leaves it running; a dropped sandbox may be dropped again', async () => {
    const { host, sandbox, control } = await kit();
    const own = handleOf(host, sandbox, 'http://127.0.0.1:4010/2025-10-13');
    await own.drop();
    expect(host.find(sandbox.id)).toBe(sandbox);
    expect((await control('DELETE', `/sandboxes/${sandbox.id}`)).status).toBe(409);
    const forked = await own.fork();
    await forked.drop();
    await forked.drop();
    expect(host.find(forked.id)).toBeUndefined();
  });
});
