import { describe, expect, test } from 'vitest';
import { differences } from '../../src/cli/commands/diff.ts';
import { colours } from '../../src/cli/text.ts';
import type { WordedDifferences } from '../../src/sandbox/differences.ts';
import { lived, unescaped, visitor } from '../inspector/visit.ts';
import { type Answer, refusal } from '../kit/sandbox.ts';

type World = Awaited<ReturnType<typeof visitor>>;

const compare = async (world: World, from: string, to?: string): Promise<WordedDifferences> => {
  const query = new URLSearchParams({ from, ...(to === undefined ? {} : { to }) });
  const { status, body } = await world.control('GET', `/compare?${query}`);
  expect([status, body]).toEqual([200, expect.anything()]);
  return body;
};
const idOf = ({ headers }: Answer): string => headers.get('x-request-id') ?? '';
const tablesOf = ({ tables }: WordedDifferences) => tables.map(({ name }) => name);

describe('the comparison of two states (W15)', () => {
  test('a comparison names rows and amounts between a snapshot, the state before a request, a fork and now', async () => {
    const world = await visitor();
    const { usd, alice } = await lived(world);
    await world.control('POST', '/snapshots', { name: 'rich' });
    const requestId = idOf(await world.post(`/sandbox/internal-accounts/${usd.id}/fund`, { amount: 5000 }));
    const since = await compare(world, 'rich');
    expect(since).toMatchObject({ from: 'rich', to: 'now' });
    expect(since.names[usd.id]).toBe('USD account of Alice Doe');
    const [balance] =
      since.tables.find(({ name }) => name === 'balances')?.changed.filter(({ id }) => id === usd.id) ?? [];
    expect(balance?.fields).toEqual([
      expect.objectContaining({ path: 'available', words: '2,375.00 USD -> 2,425.00 USD' }),
    ]);
    const outside = since.tables.flatMap(({ changed }) => changed).find(({ id }) => id.startsWith('outside:'));
    expect(outside?.fields).toEqual([expect.objectContaining({ words: expect.stringContaining(' USD -> ') })]);
    expect(tablesOf(await compare(world, `before:${requestId}`))).toEqual(tablesOf(since));
    expect(tablesOf(await compare(world, 'before:last'))).toEqual(tablesOf(since));
    expect(tablesOf(await compare(world, 'snapshot:rich', 'now'))).toEqual(tablesOf(since));

    const fork = await world.control('POST', '/sandboxes/test/fork', { name: 'trial' });
    expect(fork.body).toMatchObject({ id: 'trial', credentials: { id: 'trial' } });
    // A fork has a login and links of its own; all else is the same.
    expect(tablesOf(await compare(world, 'now', 'sandbox:trial'))).toEqual(['kyc-links', 'tokens']);
    const as = `trial:${fork.body.credentials.secret}`;
    await world.overlapping(
      'PATCH',
      `/customers/${alice.id}`,
      { customerType: 'INDIVIDUAL', fullName: 'Alice Poe' },
      { as },
    );
    const apart = await compare(world, 'now', 'sandbox:trial');
    expect(apart.names[alice.id]).toBe('Alice Poe');
    const [change] = apart.tables.find(({ name }) => name === 'customers')?.changed ?? [];
    expect(change?.fields).toContainEqual({ path: 'details.fullName', before: 'Alice Doe', after: 'Alice Poe' });

    const lines = differences(since, colours(false));
    expect(lines.join('\n')).toContain(`~ USD account of Alice Doe ${usd.id}`);
    expect(lines.join('\n')).toContain('available: 2,375.00 USD -> 2,425.00 USD');
    expect(differences(apart, colours(false))[0]).toContain('from now to sandbox:trial: ');
  });

  test('the page of comparisons offers the states and shows their differences in words', async () => {
    const world = await visitor();
    const { usd } = await lived(world);
    await world.control('POST', '/sandboxes/test/fork', { name: 'trial' });
    const requestId = idOf(await world.post(`/sandbox/internal-accounts/${usd.id}/fund`, { amount: 5000 }));
    const { html: empty } = await world.open('/inspector/compare');
    for (const place of ['now', 'snapshot:before-payday', 'sandbox:trial', `before:${requestId}`])
      expect(empty).toContain(`<option value="${place}"`);
    const { html } = await world.open('/inspector/compare?from=now&to=sandbox%3Atrial');
    const text = unescaped(html.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' '));
    expect(text).toContain('changed USD account of Alice Doe');
    expect(text).toContain('available 2,425.00 USD → 2,375.00 USD');
    const { html: request } = await world.open(`/inspector/requests/${requestId}`);
    expect(request).toContain(`href="/inspector/compare?from=before%3A${requestId}"`);
  });

  test('a fork under a name that is taken is refused with 409, and a comparison with an unknown state with 404', async () => {
    const world = await visitor();
    await world.control('POST', '/sandboxes/test/fork', { name: 'trial' });
    for (const name of ['trial', 'test']) {
      const again = await world.control('POST', '/sandboxes/test/fork', { name });
      expect(refusal(again)).toMatchObject({ status: 409, code: 'CONFLICT' });
    }
    expect((await world.control('POST', '/sandboxes/test/fork', { name: 'a b' })).status).toBe(400);
    for (const place of ['nothing', 'snapshot:nothing', 'sandbox:nothing', 'before:req_99', 'before:last', '']) {
      const { status } = await world.control('GET', `/compare?from=${place}`);
      expect([place, status]).toEqual([place, 404]);
    }
    expect((await world.control('GET', '/compare')).status).toBe(400);
    expect([...world.host.sandboxes].map(({ id }) => id)).toEqual(['test', 'trial']);
  });

  test('a fork of the past takes a name, and a comparison with it masks secrets', async () => {
    const world = await visitor();
    const { alice } = await lived(world);
    const taxed = { customerType: 'INDIVIDUAL', idType: 'SSN', identifier: '987-65-4321' };
    const requestId = idOf(await world.patch(`/customers/${alice.id}`, taxed));
    const { body } = await world.control('POST', `/requests/${requestId}/fork`, { name: 'earlier' });
    expect(body.id).toBe('earlier');
    const found = await compare(world, 'sandbox:earlier', 'now');
    expect(tablesOf(found)).toContain('customers');
    expect(JSON.stringify(found)).not.toContain('987-65-4321');
  });
});
