import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { expect, onTestFinished, test } from 'vitest';
import { certificate, folder } from './certificate.ts';
import { commandLineWith } from './command-line.ts';

/** A proxy that nobody runs, which newer Nodes take for all addresses. */
const PROXY = { NODE_USE_ENV_PROXY: '1', HTTPS_PROXY: 'http://127.0.0.1:9' };

// What is built runs as one script, in which an import works otherwise than in a module.
test.each(['127.0.0.1', 'app.localhost'])(
  'the built command line sends webhooks to an HTTPS receiver: %s',
  async (name) => {
    const { tlsCert, tlsKey } = certificate(folder(), 'receiver');
    const events: string[] = [];
    const resumed: boolean[] = [];
    const receiver = createServer({ cert: readFileSync(tlsCert), key: readFileSync(tlsKey) }, (request, response) => {
      let text = '';
      // A connection for each: with a resumed session, the certificate would not be looked at again.
      response.setHeader('connection', 'close');
      resumed.push((request.socket as TLSSocket).isSessionReused());
      request.setEncoding('utf8').on('data', (part: string) => {
        text += part;
      });
      request.on('end', () => {
        events.push(JSON.parse(text).type);
        response.end('thank you');
      });
    });
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void receiver.close());
    const url = `https://${name}:${(receiver.address() as AddressInfo).port}/hooks`;
    const { call, control } = await commandLineWith({ NODE_EXTRA_CA_CERTS: tlsCert, ...PROXY }, '--webhook-url', url);
    expect(await call('POST', '/sandbox/webhooks/test')).toMatchObject({
      status: 200,
      body: { response_status: 200, response_body: 'thank you' },
    });
    await call('POST', '/customers', { customerType: 'INDIVIDUAL', fullName: 'Ada Keller' });
    const deliveries = async () =>
      (await control('GET', '/webhooks')).body.data.map(
        ({ type, state }: { type: string; state: string }) => `${type} ${state}`,
      );
    await expect.poll(deliveries).toContain('CUSTOMER.KYC_APPROVED DELIVERED');
    expect(events).toEqual(['TEST', 'CUSTOMER.KYC_APPROVED']);
    expect(resumed).toEqual([false, false]);
  },
);
