import { execFileSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { unescaped, type Visitor, visitor } from '../inspector/visit.ts';

/** The line that a page offers to copy, as a shell would take it apart. */
async function copied(world: Visitor, id: string, env: Record<string, string> = {}): Promise<string[]> {
  const { html } = await world.open(`/inspector/requests/${id}`);
  const [, text = ''] = /data-copy="(curl[^"]*)"[^>]*data-key="curl"/.exec(html) ?? [];
  const line = unescaped(text).replace(/^curl/, "printf '%s\\0'");
  return execFileSync('/bin/sh', ['-c', line], { encoding: 'utf8', env }).split('\0').slice(0, -1);
}

describe('calls copied as curl', () => {
  test('a copied curl command is the same call, with the credentials of the scenario', async () => {
    const world = await visitor();
    const sent = { customerType: 'INDIVIDUAL', fullName: 'O\'Hara $HOME `id` "q" \\ 姓' };
    await world.post('/customers', sent, { headers: { 'idempotency-key': "it's 1" } });
    const args = await copied(world, 'req_1');
    expect(args.slice(0, 4)).toEqual(['-s', '-u', 'test:secret', 'http://127.0.0.1:4010/2025-10-13/customers']);
    expect(args[args.indexOf('-H') + 1]).toMatch(/^(?:content-type|idempotency-key): /);
    expect(args).toContain("idempotency-key: it's 1");
    expect(JSON.parse(args[args.indexOf('--data-raw') + 1] as string)).toEqual(sent);
    expect(args.some((arg) => /^authorization/i.test(arg))).toBe(false);
  });

  test("a copied curl command has a variable in the place of a secret that is not the scenario's", async () => {
    const world = await visitor();
    await world.call('GET', '/customers', undefined, { as: 'mine:very-secret' });
    const { html } = await world.open('/inspector/requests/req_1?sandbox=mine');
    expect(html).not.toContain('very-secret');
    expect(unescaped(html)).toContain(`-u 'mine:'"$SECRET"`);
  });

  test('a copied curl command for a path with quotes makes that call and runs nothing else', async () => {
    const world = await visitor();
    await world.ask(`/2025-10-13/customers/';touch%20x;'$(id)\`id\`?a='b'`, { method: 'DELETE' });
    const args = await copied(world, 'req_1');
    expect(args).toHaveLength(4);
    expect(args.slice(0, 3)).toEqual(['-s', '-X', 'DELETE']);
    expect(args[3]).toMatch(/^http:\/\/127\.0\.0\.1:4010\/2025-10-13\/customers\/(?:'|%27);touch%20x;/);
  });
});
