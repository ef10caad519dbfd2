import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { SAMPLES } from '../areas/external-accounts/material.ts';
import { within } from '../kit/live.ts';
import { receiver, signedBy } from '../kit/receiver.ts';
import { doneWith } from '../kit/sure.ts';
import { commandLine } from './command-line.ts';

/** What each payout ends as: the last characters of the account number decide, as in the hosted sandbox. */
const TRANSFER_ENDS: Record<string, string> = {
  '002': 'FAILED',
  '003': 'FAILED',
  '004': 'FAILED',
  '005': 'FAILED',
  '900': 'COMPLETED',
};
const QUOTE_ENDS: Record<string, string> = {
  '002': 'FAILED',
  '003': 'COMPLETED',
  '004': 'FAILED',
  '005': 'FAILED',
  '006': 'COMPLETED',
  '007': 'FAILED',
  '900': 'COMPLETED',
};
/** Endings that take half a minute and more: a live day does not wait for them, and they hold up no other. */
const SLOW = { transfer: ['005'], quote: ['003', '005', '006'] };
/** Money that comes back to the account it left. */
const refunded = (transaction: { refund?: { status: string } }) => transaction.refund?.status === 'COMPLETED';

/**
 * A platform's whole payout day: fund, pay people in many countries by many rails, have some payments fail, be
 * returned and refunded, pay and be paid by UMA, approve what comes in, and reconcile to the cent.
 */
test.each(['held', 'live'])(
  'a payout day ends with books, webhooks and balances that agree, its clock %s (spec 3.4, 5.1 rules 7 to 9, 6; L3)',
  async (clock) => {
    const hooks = await receiver();
    const folder = mkdtempSync(join(tmpdir(), 'payout-day-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const scenario = join(folder, 'platform.yaml');
    writeFileSync(
      scenario,
      `platform: { currencies: [${['USD', 'EUR', 'GBP', 'MXN', 'BRL', 'INR', 'NGN', 'PHP', 'SGD', 'THB', 'USDC'].map((code) => `{ code: ${code} }`).join(', ')}] }\n`,
    );
    const emulator = await commandLine(
      '--scenario',
      scenario,
      '--webhook-url',
      hooks.url,
      ...(clock === 'held' ? ['--hold-clock'] : []),
    );
    const heard = async (which: (delivery: (typeof hooks.received)[number]) => boolean) => {
      while (!hooks.received.some(which)) await hooks.until(hooks.received.length + 1);
    };
    const call = async (method: string, path: string, body?: object) => {
      const answer = await emulator.call(method, path, body);
      expect(answer.status, `${method} ${path}: ${JSON.stringify(answer.body)}`).toBe(doneWith(method, path));
      return answer.body;
    };
    const accounts = (await call('GET', '/platform/internal-accounts')).data;
    const usd = accounts.find((a: { balance: { currency: { code: string } } }) => a.balance.currency.code === 'USD');
    await call('POST', `/sandbox/internal-accounts/${usd.id}/fund`, { amount: 100_000_000 });

    // Recipients. The same bank details with other endings are other people, with other fates.
    const recipient = async (currency: string, accountInfo: object) =>
      (await call('POST', '/platform/external-accounts', { currency, accountInfo })).id as string;
    const us = (suffix: string) =>
      recipient('USD', {
        accountType: 'USD_ACCOUNT',
        accountNumber: `123456789${suffix}`,
        routingNumber: '021000021',
        beneficiary: { beneficiaryType: 'INDIVIDUAL', fullName: 'Nora Lind' },
      });
    const mx = (suffix: string) =>
      recipient('MXN', {
        accountType: 'MXN_ACCOUNT',
        clabeNumber: `646180157000004${suffix}`,
        beneficiary: { beneficiaryType: 'INDIVIDUAL', fullName: 'Nora Lind' },
      });

    const isSlow = (by: keyof typeof SLOW, suffix: string) => clock === 'live' && SLOW[by].includes(suffix);
    // Same currency: transfers, every ending of the table.
    const expected = new Map<string, string>();
    for (const [suffix, end] of Object.entries(TRANSFER_ENDS)) {
      const payment = await call('POST', '/transfer-out', {
        source: { accountId: usd.id },
        destination: { accountId: await us(suffix) },
        amount: 10_000,
      });
      if (!isSlow('transfer', suffix)) expected.set(payment.id, end);
    }
    // Across currencies: quotes, every ending of the table, then one account of each of ten types and more.
    const pay = async (accountId: string, end: string | undefined) => {
      const quote = await call('POST', '/quotes', {
        source: { sourceType: 'ACCOUNT', accountId: usd.id },
        destination: { destinationType: 'ACCOUNT', accountId },
        lockedCurrencySide: 'SENDING',
        lockedCurrencyAmount: 12_345,
      });
      await call('POST', `/quotes/${quote.id}/execute`);
      if (end) expected.set(quote.transactionId, end);
    };
    for (const [suffix, end] of Object.entries(QUOTE_ENDS))
      await pay(await mx(suffix), isSlow('quote', suffix) ? undefined : end);
    const wanted = ['EUR', 'GBP', 'BRL', 'INR', 'NGN', 'PHP', 'SGD', 'THB', 'USDC', 'MXN'];
    const types = new Set<unknown>();
    for (const sample of SAMPLES) {
      if (!wanted.includes(sample.currency) || expected.size >= 30) continue;
      types.add(sample.info['accountType']);
      await pay(await recipient(sample.currency, sample.info), 'COMPLETED');
    }
    expect(types.size).toBeGreaterThanOrEqual(10);

    // Ana pays by UMA, and is paid: one payment is approved by the webhook's answer, one by a call.
    const ana = await call('POST', '/customers', {
      customerType: 'INDIVIDUAL',
      fullName: 'Ana Souza',
      birthDate: '1990-01-02',
      nationality: 'BR',
      umaAddress: '$ana@pay.example',
    });
    const hers = (await call('GET', `/customers/internal-accounts?customerId=${ana.id}&currency=USD`)).data[0];
    await call('POST', `/sandbox/internal-accounts/${hers.id}/fund`, { amount: 50_000 });
    const there = await call(
      'GET',
      `/receiver/uma/${encodeURIComponent('$success.eur@sandbox.uma.money')}?customerId=${ana.id}`,
    );
    const uma = await call('POST', '/quotes', {
      lookupId: there.lookupId,
      source: { sourceType: 'ACCOUNT', accountId: hers.id },
      destination: { destinationType: 'UMA_ADDRESS', umaAddress: '$success.eur@sandbox.uma.money' },
      lockedCurrencySide: 'SENDING',
      lockedCurrencyAmount: 20_000,
    });
    await call('POST', `/quotes/${uma.id}/execute`);
    expected.set(uma.transactionId, 'COMPLETED');
    const incoming = async (answer: number) => {
      hooks.react = ({ event }) => (event.type === 'INCOMING_PAYMENT.PENDING' ? answer : 200);
      const payment = await call('POST', '/sandbox/uma/receive', {
        senderUmaAddress: '$success.usd@sandbox.uma.money',
        customerId: ana.id,
        receivingCurrencyCode: 'USD',
        receivingCurrencyAmount: 7_500,
      });
      expected.set(payment.id, 'COMPLETED');
      await heard(({ event }) => event.type === 'INCOMING_PAYMENT.PENDING' && event.data.id === payment.id);
      return payment.id as string;
    };
    await incoming(200);
    const undecided = await incoming(202);
    await call('POST', `/transactions/${undecided}/approve`, {});

    // The day goes by: timeouts run out, slow payments arrive, banks return.
    if (clock === 'held') await emulator.control('POST', '/clock', { advance: 'P1D' });
    for (const [id, end] of clock === 'live' ? expected : [])
      await within(`the end of ${id}`, async () => {
        const row = await call('GET', `/transactions/${id}`);
        return (row.status === end && row.refund?.status !== 'PENDING') || undefined;
      });

    // The list, page by page: every payment ended as its ending says.
    // biome-ignore lint/suspicious/noExplicitAny: a journey says what it expects of a reply, line by line
    const rows = new Map<string, any>();
    let cursor: string | undefined;
    do {
      const page = await call('GET', `/transactions?limit=7${cursor ? `&cursor=${cursor}` : ''}`);
      for (const row of page.data) rows.set(row.id, row);
      cursor = page.nextCursor;
    } while (cursor);
    for (const [id, end] of expected) expect([id, rows.get(id)?.status]).toEqual([id, end]);

    // The books: what was put in, less what left, plus what came back, is what is there. To the cent.
    const booked = (account: string, start: number) =>
      [...rows.values()].reduce((sum, row) => {
        const amount = row.direction === 'DEBIT' ? -row.sentAmount.amount : row.receivedAmount.amount;
        const here = row.source?.accountId === account || row.destination?.accountId === account;
        const umaIn = account === hers.id && row.type === 'INCOMING' && row.customerId === ana.id;
        if (!(here || umaIn) || refunded(row) || row.status === 'EXPIRED') return sum;
        return sum + (row.description === 'Internal account funding' ? 0 : amount);
      }, start);
    const balance = async (path: string, id: string) =>
      (await call('GET', path)).data.find((a: { id: string }) => a.id === id).balance.amount as number;
    const ours = await balance('/platform/internal-accounts?currency=USD', usd.id);
    const anas = await balance(`/customers/internal-accounts?customerId=${ana.id}`, hers.id);
    expect(booked(usd.id, 100_000_000)).toBe(ours);
    expect(booked(hers.id, 50_000)).toBe(anas);

    // The webhooks: signed, and the last word of each says what the API says.
    for (const delivery of hooks.received) expect(signedBy(emulator.webhookPublicKey, delivery)).toBe(true);
    const lastOf = (id: string) => hooks.received.filter(({ event }) => event.data.id === id).at(-1)?.event.data;
    for (const [id, end] of expected)
      expect(await within(`the last webhook of ${id}`, () => (lastOf(id)?.status === end ? end : undefined))).toBe(end);
    const told = (id: string, amount: number) => () => lastOf(id)?.balance.amount === amount || undefined;
    await within('the last balances', told(usd.id, ours));
    await within('the last balances', told(hers.id, anas));
    expect(lastOf(usd.id).balance.amount).toBe(ours);
    expect(lastOf(hers.id).balance.amount).toBe(anas);
  },
);
