import { describe, expect, test } from 'vitest';
import { type Kit, kit } from '../kit/sandbox.ts';

const ADA = { customerType: 'INDIVIDUAL', fullName: 'Ada Keller' };

/** Creates customers, and returns the ids of their USD accounts. */
async function accounts(it: Kit, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let nth = 0; nth < count; nth += 1) {
    const made = await it.post('/customers', ADA);
    expect(made.status, made.text).toBe(201);
    const { body } = await it.get('/customers/internal-accounts', { customerId: made.body.id, currency: 'USD' });
    ids.push(body.data[0].id);
  }
  return ids;
}

describe('ids that a scenario pins, or a state brings, are not drawn again', () => {
  test.each([0, 1, 2, 3, 4, 5, 6, 7])(
    'an account id of a seeded run can be pinned in a scenario for the same seed (customer %i of that run)',
    async (nth) => {
      const id = (await accounts(await kit(), 8))[nth] as string;
      const it = await kit({ scenario: { customers: [{ label: 'ada', ...ADA, accountIds: { USD: id } }] } });
      const drawn = await accounts(it, 8);
      expect(new Set([id, ...drawn]).size).toBe(9);
      await it.control('POST', '/reset');
      expect(await accounts(it, 8)).toEqual(drawn);
    },
  );

  test('a state whose position among the ids is behind its rows can be used', async () => {
    const it = await kit();
    await accounts(it, 1);
    const { ids } = JSON.parse((await it.control('GET', '/state')).text);
    await accounts(it, 3);
    const state = JSON.parse((await it.control('GET', '/state')).text);
    const put = await it.control('PUT', '/state', { ...state, ids });
    expect(put.status, put.text).toBe(200);
    await accounts(it, 4);
    await it.advance('P1D');
    expect([...it.sandbox.world.scheduler.jobs.rows()].filter(({ broken }) => broken)).toEqual([]);
  });

  test('a rewind keeps the ids of a scenario pinned', async () => {
    const [, , id = ''] = await accounts(await kit(), 3);
    const it = await kit({ scenario: { customers: [{ label: 'ada', ...ADA, accountIds: { USD: id } }] } });
    await it.post('/customers', ADA);
    const first = await it.control('GET', '/requests');
    const rewound = await it.control('POST', `/requests/${first.body.data[0].id}/rewind`);
    expect(rewound.status, rewound.text).toBe(200);
    await accounts(it, 4);
  });
});
