import { expect, test } from 'vitest';
import { kit } from '../kit/sandbox.ts';

test('a fault that truncates replies drops a reply without a body, and its call was done', async () => {
  const it = await kit();
  const { body: token } = await it.post('/tokens', { name: 'ci', permissions: ['VIEW'] });
  await it.control('POST', '/faults', { match: { operation: 'deleteTokenById' }, then: { truncate: true } });
  await expect(it.overlapping('DELETE', `/tokens/${token.id}`)).rejects.toThrow('a fault closed the connection');
  expect((await it.get('/tokens')).body.data.map(({ name }: { name: string }) => name)).toEqual(['test']);
});
