import { expect, test } from 'vitest';
import { kit } from '../kit/sandbox.ts';

test('a fault that cuts replies short drops one without a body, as over a socket, and nothing breaks', async () => {
  const it = await kit();
  const { body: token } = await it.post('/tokens', { name: 'ci', permissions: ['VIEW'] });
  await it.control('POST', '/faults', { match: { operation: 'deleteTokenById' }, then: { truncate: true } });
  await expect(it.overlapping('DELETE', `/tokens/${token.id}`)).rejects.toThrow('a fault closed the connection');
  expect((await it.get('/tokens')).body.data.map(({ name }: { name: string }) => name)).toEqual(['test']);
});
