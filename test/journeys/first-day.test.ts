import { createVerify } from 'node:crypto';
import { createServer } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { leaveQuoteWaiting } from '../kit/live.ts';
import { freePort } from '../kit/port.ts';
import { client, commandLine } from '../kit/process.ts';

/**
 * The first day with the emulator, from one command: start it, create customers, fund an account, page through a list,
 * delete somebody, lose and regain the webhook receiver, and trust every webhook because its signature was verified.
 */
test.each(['held', 'live'])(
  'a platform creates customers, moves money, pages, deletes, and misses no webhook while its receiver is down, its clock %s (L3)',
  async (clock) => {
    // Your webhook receiver: it keeps what it gets, exactly as it was sent.
    const hooks: { raw: string; signature: string }[] = [];
    const server = createServer((request, response) => {
      let raw = '';
      request.setEncoding('utf8').on('data', (text: string) => {
        raw += text;
      });
      request.on('end', () => {
        hooks.push({ raw, signature: String(request.headers['x-service-signature']) });
        response.writeHead(200).end();
      });
    });
    const port = await freePort();
    const listen = () => new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
    const hangUp = () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
    await listen();
    onTestFinished(() => hangUp());
    const events = () => hooks.map(({ raw }) => JSON.parse(raw));
    const arrived = async (count: number) => {
      while (hooks.length < count) await new Promise((resolve) => setTimeout(resolve, 5));
    };

    // The emulator, on any free port. Its first line says where it is and which key signs its webhooks.
    const held = clock === 'held' ? ['--hold-clock'] : [];
    const emulator = commandLine(['--json', '--port', '0', '--webhook-url', `http://127.0.0.1:${port}/hooks`, ...held]);
    const ready = await emulator.ready();
    const api = client(ready);
    const control = client({ ...ready, baseUrl: `${ready.url}/_emulator` });

    // Something that is due in minutes; nothing below waits for it.
    if (clock === 'live') await leaveQuoteWaiting(api);

    // An individual and a business. Both are approved at once, and the receiver hears of it.
    const ada = await api('POST', '/customers', {
      customerType: 'INDIVIDUAL',
      platformCustomerId: 'ada',
      fullName: 'Ada Keller',
      birthDate: '1990-01-02',
      currencies: ['USD', 'USDC'],
    });
    expect(ada).toMatchObject({ status: 201, body: { kycStatus: 'APPROVED' } });
    const acme = await api('POST', '/customers', {
      customerType: 'BUSINESS',
      platformCustomerId: 'acme',
      businessInfo: { legalName: 'Acme LLC', incorporatedOn: '2019-04-30' },
    });
    expect(acme).toMatchObject({ status: 201, body: { kybStatus: 'APPROVED' } });
    await arrived(2);
    expect(
      events()
        .map(({ type, data }) => [type, data.id])
        .sort(),
    ).toEqual([
      ['CUSTOMER.KYB_APPROVED', acme.body.id],
      ['CUSTOMER.KYC_APPROVED', ada.body.id],
    ]);

    // Ada's dollar account is funded: 250.00 USD, and the new balance is told.
    const accounts = await api('GET', `/customers/internal-accounts?customerId=${ada.body.id}&currency=USD`);
    const [account] = accounts.body.data;
    expect(account.balance.amount).toBe(0);
    const funded = await api('POST', `/sandbox/internal-accounts/${account.id}/fund`, { amount: 25_000 });
    expect(funded).toMatchObject({
      status: 200,
      body: { balance: { amount: 25_000, currency: { code: 'USD', decimals: 2 } } },
    });
    await arrived(3);
    expect(events()[2]).toMatchObject({ type: 'INTERNAL_ACCOUNT.BALANCE_UPDATED', data: funded.body });

    // 43 more customers make 45; twenty a page, newest first.
    for (let i = 0; i < 43; i += 1)
      expect(
        (await api('POST', '/customers', { customerType: 'INDIVIDUAL', platformCustomerId: `user-${i}` })).status,
      ).toBe(201);
    const pages: string[][] = [];
    for (let cursor: string | undefined; ; ) {
      const { body } = await api('GET', `/customers${cursor ? `?cursor=${cursor}` : ''}`);
      expect(body.totalCount).toBe(45);
      pages.push(body.data.map((customer: { platformCustomerId: string }) => customer.platformCustomerId));
      if (!body.hasMore) break;
      cursor = body.nextCursor;
    }
    expect(pages.map((page) => page.length)).toEqual([20, 20, 5]);
    expect(pages.flat()).toEqual([...Array.from({ length: 43 }, (_, i) => `user-${42 - i}`), 'acme', 'ada']);
    await arrived(46);

    // The business leaves: hidden from the list, kept as a record.
    expect((await api('DELETE', `/customers/${acme.body.id}`)).body).toMatchObject({ isDeleted: true });
    expect((await api('DELETE', `/customers/${acme.body.id}`)).status).toBe(410);
    expect((await api('GET', '/customers')).body.totalCount).toBe(44);
    expect((await api('GET', `/customers/${acme.body.id}`)).body.isDeleted).toBe(true);

    // The receiver goes down. The API does not mind; the events wait.
    await hangUp();
    expect((await api('POST', `/sandbox/internal-accounts/${account.id}/fund`, { amount: 1 })).status).toBe(200);
    expect((await api('POST', `/sandbox/internal-accounts/${account.id}/fund`, { amount: 2 })).status).toBe(200);
    if (clock === 'held') {
      await control('POST', '/clock', { advance: 'PT10M' });
      const waiting = (await control('GET', '/webhooks?limit=2')).body.data;
      expect(waiting.map((event: { state: string }) => event.state)).toEqual(['WAITING', 'PENDING']);
      expect(waiting[1].attempts.length).toBeGreaterThan(5);
    }
    expect(hooks).toHaveLength(46);

    // It comes back, an hour passes in a blink, or the five seconds of a first retry as they are: nothing was lost or reordered.
    await listen();
    if (clock === 'held') await control('POST', '/clock', { advance: 'PT1H' });
    await arrived(48);
    expect(
      events()
        .slice(46)
        .map(({ data }) => data.balance.amount),
    ).toEqual([25_001, 25_003]);
    expect(new Set(events().map(({ id }) => id)).size).toBe(48);

    // Every webhook was signed by the key of the first line: ECDSA P-256 over SHA-256 of the exact body.
    for (const { raw, signature } of hooks) {
      const { v, s } = JSON.parse(signature);
      expect(v).toBe('1');
      expect(createVerify('SHA256').update(raw).verify(ready.webhookPublicKey, s, 'base64')).toBe(true);
    }
    expect((await control('GET', '/webhooks/key')).body.pem).toBe(ready.webhookPublicKey);

    emulator.child.kill('SIGTERM');
    expect(await emulator.ended).toBe(0);
    expect(emulator.out.stderr).toBe('');
  },
);
