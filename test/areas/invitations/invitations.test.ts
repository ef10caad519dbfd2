import { describe, expect, test } from 'vitest';
import { type Kit, kit, refusal } from '../../kit/sandbox.ts';

const inviterUma = '$rosa@pay.example';
/** A sandbox with the inviter, and an invitation by her. */
async function invited(members: Record<string, unknown> = {}, scenario: object = {}) {
  const k = await kit({ scenario });
  await k.post('/customers', { customerType: 'INDIVIDUAL', umaAddress: inviterUma });
  const answer = await k.post('/invitations', { inviterUma, ...members });
  return { ...k, answer, code: answer.body.code as string };
}
const claim = (k: Pick<Kit, 'post'>, code: string, inviteeUma = '$ben@other.example') =>
  k.post(`/invitations/${code}/claim`, { inviteeUma });
/** An id and secret without a permission. */
async function lacking(k: Pick<Kit, 'post'>, permissions: string[]) {
  const { clientId, clientSecret } = (await k.post('/tokens', { name: 'T', permissions })).body;
  return `${clientId}:${clientSecret}`;
}

describe('POST /invitations', () => {
  test('a new invitation is 201 with a short code, a link, and the amount in the currency of the inviter (reference 15)', async () => {
    const { answer, get, code } = await invited({
      inviterUma: '$ROSA@pay.example',
      firstName: 'Ben',
      amountToSend: 1250,
      expiresAt: '2026-02-01T00:00:00Z',
    });
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      code: expect.stringMatching(/^[0-9a-f]{8}$/),
      url: `https://invite.example/i/${code}`,
      inviterUma,
      firstName: 'Ben',
      amountToSend: { amount: 1250, currency: { code: 'USD', name: 'United States Dollar', symbol: '$', decimals: 2 } },
      status: 'PENDING',
      createdAt: '2026-01-05T09:00:00.000Z',
      expiresAt: '2026-02-01T00:00:00.000Z',
    });
    expect((await get(`/invitations/${code}`)).body).toEqual(answer.body);
  });

  test('a new invitation is refused with 400 INVITATIONS_NOT_CONFIGURED where the scenario switches invitations off', async () => {
    const { answer } = await invited({}, { platform: { invitations: false } });
    expect(refusal(answer)).toMatchObject({ status: 400, code: 'INVITATIONS_NOT_CONFIGURED' });
  });

  test('a new invitation is refused with 400 INVALID_UMA_ADDRESS for an inviter who is not a customer, or was deleted', async () => {
    const { post, get, del } = await invited();
    expect(refusal(await post('/invitations', { inviterUma: '$no@pay.example' }))).toEqual({
      status: 400,
      code: 'INVALID_UMA_ADDRESS',
      fields: ['inviterUma'],
    });
    await del(`/customers/${(await get('/customers')).body.data[0].id}`);
    expect(refusal(await post('/invitations', { inviterUma })).code).toBe('INVALID_UMA_ADDRESS');
  });

  test('a new invitation is refused with 400 INVALID_INPUT for bad fields, each named, and for an end that is not in the future', async () => {
    const { post } = await invited();
    const bad = (...fields: string[]) => ({ status: 400, code: 'INVALID_INPUT', fields });
    expect(refusal(await post('/invitations', { amountToSend: 1.5, expiresAt: 'soon' }))).toEqual(
      bad('inviterUma', 'amountToSend', 'expiresAt'),
    );
    const ended = { inviterUma, expiresAt: '2026-01-05T09:00:00Z' };
    expect(refusal(await post('/invitations', ended))).toEqual(bad('expiresAt'));
  });

  test('a new invitation is refused with 401 without credentials, and with 403 for a token that has VIEW alone', async () => {
    const k = await invited();
    expect((await k.post('/invitations', { inviterUma }, { as: null })).status).toBe(401);
    expect((await k.post('/invitations', { inviterUma }, { as: await lacking(k, ['VIEW']) })).status).toBe(403);
  });
});

describe('GET /invitations/{invitationCode}', () => {
  test('an invitation is EXPIRED from the moment that it names, and a read of it writes nothing (reference 15)', async () => {
    const { get, code, control, sandbox } = await invited({ expiresAt: '2026-01-05T10:00:00Z' });
    await control('POST', '/clock', { advance: 'PT59M59S' });
    expect((await get(`/invitations/${code}`)).body.status).toBe('PENDING');
    await control('POST', '/clock', { advance: 'PT1S' });
    const before = JSON.stringify(sandbox.world.snapshot());
    expect((await get(`/invitations/${code}`)).body.status).toBe('EXPIRED');
    expect(JSON.stringify(sandbox.world.snapshot())).toBe(before);
  });

  test('a read of an invitation is refused with 401 without credentials, with 403 without VIEW, and with 404 for an unknown code', async () => {
    const k = await invited();
    expect((await k.call('GET', `/invitations/${k.code}`, undefined, { as: null })).status).toBe(401);
    expect(
      (await k.call('GET', `/invitations/${k.code}`, undefined, { as: await lacking(k, ['MANAGE']) })).status,
    ).toBe(403);
    expect(refusal(await k.get('/invitations/00000000'))).toMatchObject({ status: 404, code: 'INVITATION_NOT_FOUND' });
  });
});

describe('POST /invitations/{invitationCode}/claim', () => {
  test('a claim of an invitation is 200, and the platform that invited gets an event (reference 15, 17.2)', async () => {
    const k = await invited();
    const { status, body } = await claim(k, k.code, '$Ben@other.example');
    expect(status).toBe(200);
    expect(body).toMatchObject({
      status: 'CLAIMED',
      inviteeUma: '$ben@other.example',
      claimedAt: '2026-01-05T09:00:00.000Z',
    });
    expect(k.events('INVITATION.CLAIMED')).toMatchObject([{ data: body }]);
  });

  test('a claim of an invitation is refused with 400 once it was claimed, was cancelled, or expired (reference 15)', async () => {
    const k = await invited({ expiresAt: '2026-01-05T10:00:00Z' });
    const [second, third] = [
      (await k.post('/invitations', { inviterUma })).body.code,
      (await k.post('/invitations', { inviterUma })).body.code,
    ];
    await claim(k, second);
    expect(refusal(await claim(k, second))).toMatchObject({ status: 400, code: 'INVITATION_ALREADY_CLAIMED' });
    await k.post(`/invitations/${third}/cancel`);
    expect(refusal(await claim(k, third))).toMatchObject({ status: 400, code: 'INVITATION_CANCELLED' });
    await k.control('POST', '/clock', { advance: 'PT1H' });
    const late = await claim(k, k.code);
    expect(late.body).toMatchObject({ code: 'INVALID_INPUT', details: { expirationTime: '2026-01-05T10:00:00.000Z' } });
  });

  test('a claim of an invitation with a bad UMA address of the invitee, or none, is refused with 400', async () => {
    const k = await invited();
    for (const bad of ['ben@other.example', '$ben', '$b en@other.example', `$${'b'.repeat(64)}@other.example`])
      expect(refusal(await claim(k, k.code, bad))).toEqual({
        status: 400,
        code: 'INVALID_UMA_ADDRESS',
        fields: ['inviteeUma'],
      });
    expect(refusal(await k.post(`/invitations/${k.code}/claim`, {})).fields).toEqual(['inviteeUma']);
  });

  test('a claim of an invitation is refused with 401 without credentials, with 403 with VIEW alone, and with 404 for an unknown code', async () => {
    const k = await invited();
    const body = { inviteeUma: '$ben@other.example' };
    expect((await k.post(`/invitations/${k.code}/claim`, body, { as: null })).status).toBe(401);
    expect((await k.post(`/invitations/${k.code}/claim`, body, { as: await lacking(k, ['VIEW']) })).status).toBe(403);
    expect(refusal(await claim(k, 'ffffffff'))).toMatchObject({ status: 404, code: 'INVITATION_NOT_FOUND' });
  });
});

describe('POST /invitations/{invitationCode}/cancel', () => {
  test('a cancelled invitation stays CANCELLED, even past its end, and emits no event (reference 15, 17.2)', async () => {
    const k = await invited({ expiresAt: '2026-01-05T10:00:00Z' });
    const told = k.events().length;
    expect((await k.post(`/invitations/${k.code}/cancel`)).body.status).toBe('CANCELLED');
    await k.advance('P1D');
    expect((await k.get(`/invitations/${k.code}`)).body.status).toBe('CANCELLED');
    expect(k.events()).toHaveLength(told);
  });

  test('a cancellation of an invitation is refused with 400 once it was cancelled, was claimed, or expired (reference 15)', async () => {
    const k = await invited({ expiresAt: '2026-01-05T10:00:00Z' });
    const second = (await k.post('/invitations', { inviterUma })).body.code;
    await claim(k, second);
    expect(refusal(await k.post(`/invitations/${second}/cancel`)).code).toBe('INVITATION_ALREADY_CLAIMED');
    const third = (await k.post('/invitations', { inviterUma })).body.code;
    await k.post(`/invitations/${third}/cancel`);
    expect(refusal(await k.post(`/invitations/${third}/cancel`)).code).toBe('INVITATION_CANCELLED');
    await k.control('POST', '/clock', { advance: 'PT1H' });
    expect(refusal(await k.post(`/invitations/${k.code}/cancel`))).toMatchObject({
      status: 400,
      code: 'INVALID_INPUT',
    });
  });

  test('a cancellation of an invitation is refused with 401 without credentials, with 403 with VIEW alone, and with 404 for an unknown code', async () => {
    const k = await invited();
    expect((await k.post(`/invitations/${k.code}/cancel`, undefined, { as: null })).status).toBe(401);
    expect((await k.post(`/invitations/${k.code}/cancel`, undefined, { as: await lacking(k, ['VIEW']) })).status).toBe(
      403,
    );
    expect(refusal(await k.post('/invitations/ffffffff/cancel'))).toMatchObject({
      status: 404,
      code: 'INVITATION_NOT_FOUND',
    });
  });
});

describe('the deletion of the customer who invited', () => {
  test('the deletion of a customer cancels open invitations, whatever the address was then, and leaves an expired one expired (reference 15)', async () => {
    const k = await invited({ expiresAt: '2026-01-05T10:00:00Z' });
    const [{ id }] = (await k.get('/customers')).body.data;
    const open = (await k.post('/invitations', { inviterUma })).body.code;
    await k.patch(`/customers/${id}`, { umaAddress: '$rosa.diaz@pay.example' });
    const newer = (await k.post('/invitations', { inviterUma: '$rosa.diaz@pay.example' })).body.code;
    // Somebody else has the former address now, and an invitation of their own.
    const other = (await k.post('/customers', { customerType: 'INDIVIDUAL', umaAddress: inviterUma })).body;
    const others = (await k.post('/invitations', { inviterUma })).body.code;
    await k.advance('PT1H');
    await k.del(`/customers/${id}`);
    const statusOf = async (code: string) => (await k.get(`/invitations/${code}`)).body.status;
    expect(await Promise.all([k.code, open, newer, others].map(statusOf))).toEqual([
      'EXPIRED',
      'CANCELLED',
      'CANCELLED',
      'PENDING',
    ]);
    await k.del(`/customers/${other.id}`);
    expect(await statusOf(others)).toBe('CANCELLED');
  });
});

test('a UMA address with a letter beyond ASCII is refused with 400, even where its lower case is an ASCII letter (spec 2.8)', async () => {
  const k = await invited();
  const kelvin = '$\u212Aim@pay.example';
  await k.post('/customers', { customerType: 'INDIVIDUAL', umaAddress: '$kim@pay.example' });
  for (const answer of [
    await k.post('/invitations', { inviterUma: kelvin }),
    await claim(k, k.code, kelvin),
    await k.get(`/receiver/uma/${encodeURIComponent(kelvin)}`),
  ])
    expect(refusal(answer)).toMatchObject({ status: 400, code: 'INVALID_UMA_ADDRESS' });
});
