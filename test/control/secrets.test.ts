import { expect, test } from 'vitest';
import { createApp } from '../../src/http/app.ts';
import { clientKey, stampOf, walletKit } from '../kit/wallet.ts';

test('the control API shows no secret of a call in requests, diffs, faults, jobs, operations or the event stream', async () => {
  const it = await walletKit();
  const stream = (await createApp(it.host).request('http://127.0.0.1:4010/_emulator/events')).body as ReadableStream;
  const reader = stream.getReader();
  await it.control('POST', '/snapshots', { name: 'before' });
  const secrets: string[] = [];

  const { key, session } = await it.login();
  secrets.push(JSON.stringify(key), session.encryptedSessionSigningKey ?? session.id);
  if (session.encryptedSessionSigningKey === undefined) secrets.pop();
  const sealed = await it.sealedCode(clientKey());
  secrets.push(sealed.encryptedOtpBundle);
  await it.post(`/auth/credentials/${it.emailOtp}/verify`, sealed);
  const made = (await it.post('/tokens', { name: 'ci', permissions: ['VIEW'] })).body;
  secrets.push(made.clientSecret);
  await it.call('GET', '/customers', undefined, { as: `${made.clientId}:not-the-secret-of-it` });
  secrets.push('not-the-secret-of-it');
  await it.patch(`/customers/${it.customerId}`, { idType: 'SSN', identifier: '078-05-1120', birthDate: 'never' });
  await it.overlapping('PATCH', `/customers/${it.customerId}`, { idType: 'SSN', identifier: '078-05-1120' });
  secrets.push('078-05-1120');
  const path = `/internal-accounts/${it.accountId}`;
  const first = await it.patch(path, { privateEnabled: true });
  const signature = await stampOf(key, `${first.body.payloadToSign} and more`);
  await it.patch(
    path,
    { privateEnabled: true },
    {
      headers: { 'request-id': first.body.requestId, 'service-wallet-signature': signature },
    },
  );
  secrets.push(signature);
  await it.control('POST', '/faults', { match: { operation: 'verifyAuthCredential' }, then: { status: 503 } });
  await it.post(`/auth/credentials/${it.emailOtp}/verify`, sealed);

  let told = (await it.control('GET', '/requests?limit=1000')).text;
  for (const { id } of (await it.control('GET', '/requests?limit=1000')).body.data)
    told += (await it.control('GET', `/requests/${id}`)).text;
  for (const door of ['/snapshots/before/diff', '/faults', '/jobs', '/operations'])
    told += (await it.control('GET', door)).text;
  for (;;) {
    told += new TextDecoder().decode((await reader.read()).value);
    if (told.includes('event: faults')) break;
  }
  await reader.cancel();
  expect(told).toContain('verifyAuthCredential');
  for (const secret of secrets) {
    expect(secret.length).toBeGreaterThan(5);
    expect(told.includes(secret), `${secret} was told`).toBe(false);
    expect(told.includes(JSON.stringify(secret).slice(1, -1)), `${secret} was told, quoted`).toBe(false);
  }
});
