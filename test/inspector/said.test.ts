import { expect, test } from 'vitest';
import { UNDECIDED, type Visitor, visitor } from './visit.ts';

const page = async (it: Visitor, path: string): Promise<string> => {
  const { status, html } = await it.open(path);
  expect(status, path).toBe(200);
  return html;
};

test('a table names the customer of a row, and a completed payment of the past has no plan', async () => {
  const it = await visitor({ scenario: ['demo', { transactions: [UNDECIDED] }] });
  expect(await page(it, '/inspector/state/transactions')).toContain('>Lighthouse Ceramics Ltd</a>');
  const { data } = (await it.get('/transactions', { limit: 100 })).body;
  const of = (status: string) => data.find((t: { status: string }) => t.status === status).id;
  const shown = (status: string) => page(it, `/inspector/state/transactions/${encodeURIComponent(of(status))}`);
  expect(await shown('COMPLETED')).not.toContain('id="plan"');
  expect(await shown('PROCESSING')).toContain('not decided yet');
});

test('a comparison with a snapshot names the settings that differ, and counts the rows that it does not list', async () => {
  const it = await visitor();
  await it.control('POST', '/snapshots', { name: 'before' });
  await it.control('POST', '/webhooks/pause');
  const paused = await page(it, '/inspector/scenario/before');
  expect(paused).toContain('Policies and limits');
  expect(paused).toContain('webhook.deliver');
  expect(paused).not.toContain('Nothing differs');
  await it.control('POST', '/webhooks/resume');
  expect(await page(it, '/inspector/scenario/before')).toContain('Nothing differs');
  for (let n = 0; n < 42; n += 1) await it.post('/tokens', { name: `t${n}`, permissions: ['VIEW'] });
  const many = await page(it, '/inspector/scenario/before');
  expect(many).toContain('<span class="none">42 added</span>');
  expect(many.match(/<li class="added">/g)).toHaveLength(40);
});

test('a webhook endpoint beyond this machine is shown with the reason why nothing is sent there (C4)', async () => {
  const it = await visitor({ scenario: ['default', { platform: { webhookUrl: 'https://hooks.invalid/in' } }] });
  await it.post('/customers', { customerType: 'INDIVIDUAL', fullName: 'Ada Obi', birthDate: '1990-01-02' });
  await it.settle();
  const [event] = it.events();
  for (const path of ['/', '/inspector/webhooks', `/inspector/webhooks/${encodeURIComponent(event?.id ?? '')}`])
    expect(await page(it, path)).toContain('start with --allow-remote-webhooks');
});
