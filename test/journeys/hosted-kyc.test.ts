import { expect, test } from 'vitest';
import { leaveQuoteWaiting } from '../kit/live.ts';
import { receiver } from '../kit/receiver.ts';
import { commandLine } from './command-line.ts';

const form = (fields: Record<string, string>) => ({
  method: 'POST',
  redirect: 'manual' as const,
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
  body: new URLSearchParams(fields),
});

test('an EU customer confirms email and phone, opens the hosted link, and is approved (spec 3.2, 4.2, 4.3, 6)', async () => {
  const hooks = await receiver();
  const { call } = await commandLine('--scenario', 'contact-verification', '--webhook-url', hooks.url);

  // Something that is due in minutes; nothing below waits for it.
  await leaveQuoteWaiting(call);
  const { body: rosa } = await call('POST', '/customers', {
    customerType: 'INDIVIDUAL',
    fullName: 'Rosa Keller',
    region: 'DE',
    email: 'rosa@example.net',
    phoneNumber: '+491701234567',
  });
  expect(rosa).toMatchObject({ kycStatus: 'PENDING', contactVerification: { email: 'PENDING', phone: 'PENDING' } });
  const path = `/customers/${rosa.id}`;
  expect((await call('POST', `${path}/kyc-link`)).status).toBe(409);

  for (const channel of ['email', 'phone']) {
    expect((await call('POST', `${path}/verify-${channel}`)).status).toBe(204);
    const confirmed = await call('POST', `${path}/verify-${channel}/confirm`, { code: '123456' });
    expect(confirmed.body.contactVerification[channel]).toBe('VERIFIED');
  }

  const { status, body: link } = await call('POST', `${path}/kyc-link`, { redirectUri: 'https://app.example/done' });
  expect(status).toBe(201);
  expect(await (await fetch(link.kycUrl)).text()).toContain('Rosa Keller');
  const sent = await fetch(link.kycUrl, form({ outcome: 'approve', birthDate: '1987-11-02' }));
  expect([sent.status, sent.headers.get('location')]).toEqual([303, 'https://app.example/done']);

  await hooks.until(3);
  expect(hooks.types().filter((type) => type.startsWith('CUSTOMER'))).toEqual([
    'CUSTOMER.KYC_PENDING',
    'CUSTOMER.KYC_APPROVED',
  ]);
  expect((await call('GET', path)).body).toMatchObject({ kycStatus: 'APPROVED', birthDate: '1987-11-02' });
  expect((await fetch(link.kycUrl)).status).toBe(410);
});
