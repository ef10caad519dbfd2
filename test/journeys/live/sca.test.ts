import { expect, test } from 'vitest';
import { SoftwareAuthenticator } from '../../../src/testkit/index.ts';
import { leaveQuoteWaiting, live, NODES } from '../../kit/live.ts';
import { client } from '../../kit/process.ts';
import { sure } from '../../kit/sure.ts';

/**
 * A customer in the EU pays: by a code on the phone, by a passkey, and to an account that is trusted. What a platform's backend
 * does, with the testkit in the place of the customer's browser; time is real, and so is the receiver of the webhooks.
 */
test.each(NODES)(
  'a customer in the EU pays with a code by SMS, with a passkey, and to a trusted account without either, on %s',
  async (node) => {
    const { call, told, hooks, ready } = await live(['--scenario', 'sca'], node);
    const does = sure(call);
    const control = client({ ...ready, baseUrl: `${ready.url}/_emulator` });
    await leaveQuoteWaiting(call);
    const [nora] = (await does('GET', '/customers?platformCustomerId=nora')).data;
    const [from] = (await does('GET', `/customers/internal-accounts?customerId=${nora.id}&currency=EUR`)).data;
    const [to] = (await does('GET', `/customers/external-accounts?customerId=${nora.id}`)).data;
    const of = `customerId=${encodeURIComponent(nora.id)}`;
    const pay = async (more: object = {}) => {
      const quote = await does('POST', '/quotes', {
        source: { sourceType: 'ACCOUNT', accountId: from.id },
        destination: { destinationType: 'ACCOUNT', accountId: to.id },
        lockedCurrencySide: 'SENDING',
        lockedCurrencyAmount: 2500,
        ...more,
      });
      return does('POST', `/quotes/${quote.id}/execute`);
    };
    const completed = (id: string) => told('OUTGOING_PAYMENT.COMPLETED', (data) => data.id === id);

    // The app asks for the code that came by SMS. A slip of the finger costs nothing but a try.
    const bySms = await pay();
    expect(bySms).toMatchObject({ status: 'PENDING_AUTHORIZATION', scaChallenge: { factor: 'SMS_OTP' } });
    await told('OUTGOING_PAYMENT.PENDING_AUTHORIZATION', (data) => data.quoteId === bySms.id);
    expect((await call('POST', `/quotes/${bySms.id}/authorize/resend`)).status).toBe(204);
    const [sent] = (await control('GET', '/codes')).body.data;
    expect(sent).toMatchObject({ to: nora.phoneNumber, purpose: 'payment authorization' });
    expect((await call('POST', `/quotes/${bySms.id}/authorize`, { code: '654321' })).status).toBe(400);
    expect((await does('POST', `/quotes/${bySms.id}/authorize`, { code: sent.code })).status).toBe('PROCESSING');
    await completed(bySms.transactionId);

    // She enrols a passkey, and authorizes the next payment with it.
    const device = new SoftwareAuthenticator({ origin: 'https://app.example.org' });
    const { options } = await does('POST', `/sca/factors?${of}`, { type: 'PASSKEY' });
    const credential = device.create(options);
    await does('POST', `/sca/factors/confirm?${of}`, { type: 'PASSKEY', origin: device.origin, credential });
    const byPasskey = await pay({ scaFactor: 'PASSKEY' });
    const passkeyAssertion = device.get(byPasskey.scaChallenge.passkeyAssertionOptions);
    await does('POST', `/quotes/${byPasskey.id}/authorize`, { passkeyAssertion, origin: device.origin });
    await completed(byPasskey.transactionId);

    // She trusts the account, and pays it without being asked. It cannot be deleted then.
    const account = `/customers/external-accounts/${to.id}`;
    const { scaChallenge } = await does('POST', `${account}/trust`);
    const confirmation = { challengeId: scaChallenge.id, code: sent.code };
    expect(await does('POST', `${account}/trust/confirm`, confirmation)).toEqual({ trusted: true });
    const trusted = await pay();
    expect(trusted.status).toBe('PROCESSING');
    await completed(trusted.transactionId);
    expect((await call('DELETE', account)).body.code).toBe('BENEFICIARY_TRUSTED');

    // What the receiver has heard of each payment, in order.
    const heard = ({ transactionId }: { transactionId: string }) =>
      hooks.received
        .filter(({ event }) => event.data.id === transactionId && event.type.includes('.'))
        .map(({ event }) => event.type.replace('OUTGOING_PAYMENT.', ''));
    for (const authorized of [bySms, byPasskey])
      expect(heard(authorized)).toEqual(['PENDING', 'PENDING_AUTHORIZATION', 'PROCESSING', 'COMPLETED']);
    expect(heard(trusted)).toEqual(['PENDING', 'PROCESSING', 'COMPLETED']);
  },
);
