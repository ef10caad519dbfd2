import { describe, expect, test } from 'vitest';
import { kit, refusal } from '../kit/sandbox.ts';

describe('the clock', () => {
  test('the clock is read, advanced by a duration or set to a moment, and shows which jobs ran', async () => {
    const { control, post } = await kit({ scenario: 'unregulated' });
    expect((await control('GET', '/clock')).body).toEqual({ now: '2026-01-05T09:00:00.000Z', mode: 'held', speed: 1 });
    const { id } = (await post('/customers', { customerType: 'BUSINESS' })).body;
    const moved = (await control('POST', '/clock', { advance: 'PT1M' })).body;
    expect(moved).toMatchObject({
      now: '2026-01-05T09:01:00.000Z',
      ran: [{ kind: 'customer.decide', at: '2026-01-05T09:00:02.000Z', payload: { customerId: id } }],
    });
    expect((await control('POST', '/clock', { to: '2026-02-01T00:00:00+01:00' })).body).toMatchObject({
      now: '2026-01-31T23:00:00.000Z',
      ran: [],
    });
  });

  test('the clock takes a duration such as 1h30m, and refuses a wrong one with the valid forms (U15)', async () => {
    const { control } = await kit();
    expect((await control('POST', '/clock', { advance: '1h30m' })).body.now).toBe('2026-01-05T10:30:00.000Z');
    const wrong = await control('POST', '/clock', { advance: 'two hours' });
    expect(wrong.body.details.errors).toEqual([
      { field: 'advance', message: 'must be a duration such as 2h, 90s, 1h30m, 7d or PT15M' },
    ]);
  });

  test('a duration beyond the end of the clock is refused with the longest one, which is then taken (X12)', async () => {
    const { control } = await kit();
    for (const advance of ['999999999d', 'P999999W', `${'9'.repeat(400)}d`]) {
      const { status, body } = await control('POST', '/clock', { advance });
      expect([status, body.details.errors]).toEqual([
        400,
        [
          {
            field: 'advance',
            message: 'is too long: at most 2912073d, for the clock ends with the year 9998',
          },
        ],
      ]);
    }
    const late = await control('POST', '/clock', { to: '9999-01-01T00:00:00Z' });
    expect(late.body.details.errors).toEqual([{ field: 'to', message: 'the clock ends with the year 9998' }]);
    expect((await control('POST', '/clock', { advance: '2912073d' })).body.now).toBe('9998-12-31T09:00:00.000Z');
  });

  test('the clock can be held, run and sped up', async () => {
    const { control } = await kit();
    expect((await control('POST', '/clock', { mode: 'live', speed: 60 })).body).toMatchObject({
      mode: 'live',
      speed: 60,
    });
    expect((await control('POST', '/clock', { mode: 'held' })).body).toMatchObject({ mode: 'held' });
    const { now } = (await control('GET', '/clock')).body;
    expect((await control('GET', '/clock')).body.now).toBe(now);
  });

  test.each([
    [{ advance: 'an hour' }],
    [{ advance: 'PT1H', to: '2026-02-01T00:00:00Z' }],
    [{ to: '2026-01-05T08:59:59Z' }],
    [{ to: 'tomorrow' }],
    [{ advance: 'P999999W' }],
    [{ mode: 'slow' }],
    [{ speed: 0 }],
    [{ speed: -1 }],
    [{ more: 1 }],
    ['P1D'],
  ])('a clock body of %j is refused with 400, and the clock stays as it is', async (body) => {
    const { control } = await kit();
    expect(refusal(await control('POST', '/clock', body))).toMatchObject({ status: 400, code: 'INVALID_INPUT' });
    expect((await control('GET', '/clock')).body).toMatchObject({
      now: '2026-01-05T09:00:00.000Z',
      mode: 'held',
      speed: 1,
    });
  });

  test('each sandbox has its own clock', async () => {
    const { control } = await kit();
    await control('POST', '/sandboxes');
    await control('POST', '/clock?sandbox=sandbox-1', { advance: 'P1D' });
    expect((await control('GET', '/clock')).body.now).toBe('2026-01-05T09:00:00.000Z');
    expect((await control('GET', '/clock?sandbox=sandbox-1')).body.now).toBe('2026-01-06T09:00:00.000Z');
  });
});

describe('jobs', () => {
  test('the list of jobs shows the next one first, and a job can be run early, once', async () => {
    const { control, post, get } = await kit({ scenario: 'unregulated' });
    const ids: string[] = [];
    for (let i = 0; i < 3; i += 1) {
      ids.push((await post('/customers', { customerType: 'BUSINESS' })).body.id);
      await control('POST', '/clock', { advance: 'PT0.5S' });
    }
    const { data, totalCount } = (await control('GET', '/jobs')).body;
    expect(totalCount).toBe(3);
    expect(data.map((job: { payload: { customerId: string } }) => job.payload.customerId)).toEqual(ids);
    expect(data[0]).toMatchObject({ kind: 'customer.decide', dueAt: '2026-01-05T09:00:02.000Z' });
    const last = data[2].id;
    expect((await control('POST', `/jobs/${last}/run`)).body).toMatchObject({ id: last, kind: 'customer.decide' });
    expect((await get(`/customers/${ids[2]}`)).body.kycStatus).toBe('APPROVED');
    expect((await get(`/customers/${ids[0]}`)).body.kycStatus).toBe('PENDING');
    expect(refusal(await control('POST', `/jobs/${last}/run`)).status).toBe(404);
  });
});
