import { transformSync } from 'esbuild';
import { expect, test } from 'vitest';
import { readScenarioText } from '../../src/scenario/load.ts';
import { fullLife } from '../kit/full-life.ts';
import { type Kit, kit } from '../kit/sandbox.ts';

const ADA = { customerType: 'INDIVIDUAL', fullName: 'Ada Keller', email: 'ada@example.com' };
const latest = ({ sandbox }: Kit): string => [...sandbox.requestLog.newest()][0]?.id as string;
const record = (it: Kit, requests: unknown, as = 'vitest') => it.control('POST', '/record', { requests, as });

test.each(['spec', 'grid'] as const)(
  'a full life is recorded in every form, and no form tells a secret, profile %s',
  async (profile) => {
    const it = await fullLife(profile);
    const made = await it.post('/tokens', { name: 'ci', permissions: ['VIEW'] });
    const { clientId, clientSecret } = made.body;
    await it.call('GET', '/customers', undefined, { as: `${clientId}:${clientSecret}` });
    const ids = [...it.sandbox.requestLog.newest()].map(({ id }) => id);
    const now = JSON.stringify(it.sandbox.world.snapshot());
    const texts: Record<string, string> = {};
    for (const as of ['vitest', 'shell', 'scenario', 'bruno']) {
      const { status, text } = await record(it, { from: ids.at(-1), to: ids[0] }, as);
      expect(status, text).toBe(200);
      expect([as, text.includes(clientSecret)]).toEqual([as, false]);
      texts[as] = text;
    }
    expect(transformSync(texts['vitest'] as string, { loader: 'ts' }).warnings).toEqual([]);
    expect(JSON.parse(texts['bruno'] as string).version).toBe('1');
    await readScenarioText(texts['scenario'] as string, 'recorded');
    expect(texts['vitest']).toContain('const clientSecret: string =');
    expect(JSON.stringify(it.sandbox.world.snapshot())).toBe(now);
    expect([...it.host.sandboxes]).toEqual([it.sandbox]);
  },
);

test('what made a customer comes along with the call that uses it', async () => {
  const it = await kit();
  const { id } = (await it.post('/customers', ADA)).body;
  await it.post('/customers', { ...ADA, email: 'other@example.com' });
  await it.get(`/customers/${id}`);
  const { text } = await record(it, [latest(it)]);
  expect(text.match(/sandbox\.fetch\(.[^'`]*/g)).toEqual([
    "sandbox.fetch('/customers",
    `sandbox.fetch(\`/customers/\${customerId}`,
  ]);
});

test('a customer of the scenario is looked up by its place in the list, counted from the oldest', async () => {
  const it = await kit({ scenario: 'payouts' });
  await it.post('/customers', ADA);
  const { data } = (await it.get('/customers')).body;
  const maya = data.find((one: { fullName?: string }) => one.fullName === 'Maya Okafor');
  await it.get(`/customers/${maya.id}`);
  const { text } = await record(it, [latest(it)]);
  expect(text).toContain(`const customerId = await idAt('/customers?limit=100', ${data.indexOf(maya) - data.length});`);
});

test('what cannot be recorded is named in a comment, and nothing at all is 400', async () => {
  const it = await kit();
  await it.control('POST', '/faults', { match: { operation: 'createCustomer', times: 1 }, then: { status: 503 } });
  await it.post('/customers', ADA);
  const faulty = latest(it);
  expect((await record(it, [faulty])).body.details.errors[0].field).toBe('requests');
  await it.post('/customers', ADA);
  const { text } = await record(it, { from: faulty, to: latest(it) });
  expect(text).toMatch(
    new RegExp(`^// POST /2025-10-13/customers \\(${faulty}\\) is left out: a fault answered it`, 'm'),
  );
  const unknown = await record(it, ['req_99']);
  expect([unknown.status, unknown.body.code]).toEqual([404, 'REFERENCE_NOT_FOUND']);
});
