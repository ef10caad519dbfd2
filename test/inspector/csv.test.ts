import { expect, test } from 'vitest';
import { lived, visitor } from './visit.ts';

test('a list is downloaded as CSV with all rows that pass its filter, and no cell runs as a formula (W13)', async () => {
  const world = await visitor();
  await lived(world);
  const { status: made } = await world.post('/customers', {
    customerType: 'INDIVIDUAL',
    fullName: 'Eve',
    platformCustomerId: '=1+1,"x"',
  });
  expect(made).toBe(201);
  for (let n = 0; n < 60; n += 1) await world.post('/customers', { customerType: 'INDIVIDUAL', fullName: `Una ${n}` });
  expect((await world.open('/inspector/state/customers')).html).toContain('format=csv');
  const { status, headers, html: all } = await world.open('/inspector/state/customers?format=csv');
  expect([status, headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8']);
  expect(headers.get('content-disposition')).toBe('attachment; filename="customers.csv"');
  const { body } = await world.get('/customers', { limit: 1 });
  expect(all.trimEnd().split('\r\n')).toHaveLength(body.totalCount + 1);
  expect(all).toContain(`"'=1+1,""x"""`);
  const { html: some } = await world.open('/inspector/state/customers?format=csv&q=una');
  expect(some.trimEnd().split('\r\n')).toHaveLength(61);
  const { html: payments } = await world.open('/inspector/state/transactions?format=csv');
  expect(payments).toMatch(/^"Payment","Id","Status","Direction","Customer",/);
  expect(payments).toMatch(/"125\.00 USD","Transaction:[^"]+","COMPLETED"/);
});
