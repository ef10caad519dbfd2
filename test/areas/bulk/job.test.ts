import { expect, test } from 'vitest';
import { kit, refusal } from '../../kit/sandbox.ts';

test('a bulk job that does not exist is refused with 404 BULK_UPLOAD_JOB_NOT_FOUND (reference 14.2)', async () => {
  const { get } = await kit();
  expect(refusal(await get('/customers/bulk/jobs/Job:0195a7c2-41aa-7d10-9c3e-5b8f2a6d0e11'))).toMatchObject({
    status: 404,
    code: 'BULK_UPLOAD_JOB_NOT_FOUND',
  });
});

test('a bulk job is refused with 401 without credentials, and with 403 without VIEW', async () => {
  const { call, post } = await kit();
  const { clientId, clientSecret } = (await post('/tokens', { name: 'T', permissions: ['TRANSACT'] })).body;
  expect((await call('GET', '/customers/bulk/jobs/x', undefined, { as: null })).status).toBe(401);
  expect((await call('GET', '/customers/bulk/jobs/x', undefined, { as: `${clientId}:${clientSecret}` })).status).toBe(
    403,
  );
});
