import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type * as z from 'zod';
import { CONTROLS } from '../../src/control/index.ts';
import { kit } from '../kit/sandbox.ts';

const PAGE = readFileSync(new URL('../../docs/control-api.md', import.meta.url), 'utf8');

/** Query parameters as the page lists them, by the control they are of. */
function listed(): string[] {
  const table = /^\| Endpoint \| Parameter \|[\s\S]*?\n\n/m.exec(PAGE)?.[0] ?? '';
  let of = '';
  return table
    .split('\n')
    .slice(2)
    .flatMap((line) => {
      const [, control = '', names = ''] = line.split('|').map((cell) => cell.trim());
      if (control !== '') of = control.replaceAll('`', '').replaceAll(/\{(\w+)\}/g, ':$1');
      return [...names.matchAll(/`(\w+)`/g)].map(([, name]) => `${of}?${name}`);
    })
    .sort();
}

test('docs/control-api.md lists exactly the query parameters of every control (U11)', () => {
  const declared = CONTROLS.flatMap(({ method, path, query }) =>
    Object.keys((query?.() as z.ZodObject | undefined)?.shape ?? {}).map((name) => `${method} ${path}?${name}`),
  );
  expect(declared.length).toBeGreaterThan(5);
  expect(listed()).toEqual(declared.sort());
});

test('docs/control-api.md names every control (U11)', () => {
  const missing = CONTROLS.filter(({ path }) => !PAGE.includes(`\`${path.replaceAll(/:(\w+)/g, '{$1}')}\``));
  expect(missing.map(({ method, path }) => `${method} ${path}`)).toEqual([]);
});

test('an unknown query parameter of a control is refused with 400, which names the known ones (U11)', async () => {
  const it = await kit();
  for (const { method, path } of CONTROLS) {
    if (path.includes(':')) continue;
    const { status, body } = await it.control(method, `${path}?typ=x`);
    expect([path, status, body.code]).toEqual([path, 400, 'INVALID_INPUT']);
    const messages = body.details.errors.map(({ message }: { message: string }) => message);
    expect(messages).toContainEqual(expect.stringMatching(/^there is no query parameter "typ"; there is sandbox/));
  }
  expect((await it.control('GET', '/webhooks?limit=1&sandbox=test')).status).toBe(200);
});

test('a query parameter that is given twice is refused with 400, and a member of a body that is not taken, too', async () => {
  const it = await kit();
  const made = await it.post('/customers', { customerType: 'INDIVIDUAL' });
  expect((await it.control('POST', '/reset?sandbox=b&sandbox=test')).body.message).toBe('sandbox: must be given once');
  expect((await it.control('POST', '/reset', { sandbox: 'b' })).body.message).toMatch(/sandbox.*; it takes no body$/);
  for (const { method, path } of CONTROLS) {
    if (method === 'GET' || path.includes(':') || path === '/state') continue;
    const { status, body } = await it.control(method, path, { typo: 1 });
    expect([path, status, body.code]).toEqual([path, 400, 'INVALID_INPUT']);
  }
  expect((await it.get(`/customers/${made.body.id}`)).status).toBe(200);
});
