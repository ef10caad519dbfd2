// The least a service with signed webhooks can be: a bare Hono route that answers, then signs an event and posts it.
// Usage: signer.mjs <url of the receiver>; GET /key is the public key.
import { generateKeyPairSync, sign } from 'node:crypto';
import http from 'node:http';
import { serve } from '@hono/node-server';
import { Hono } from 'hono';

const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const agent = new http.Agent({ keepAlive: true });
function post(body) {
  const signature = JSON.stringify({ v: '1', s: sign('SHA256', Buffer.from(body), privateKey).toString('base64') });
  const headers = { 'content-type': 'application/json', 'x-service-signature': signature };
  http.request(process.argv[2], { method: 'POST', agent, headers }, (response) => response.resume()).end(body);
}

const app = new Hono();
let count = 0;
app.get('/key', (c) => c.text(publicKey.export({ type: 'spki', format: 'pem' })));
app.post('/quotes', async (c) => {
  const transactionId = `Transaction:${(count += 1)}`;
  const row = { ...(await c.req.json()), transactionId };
  setImmediate(() => post(JSON.stringify({ type: 'OUTGOING_PAYMENT.COMPLETED', data: { ...row, id: transactionId } })));
  return c.json(row, 201);
});
serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) => console.log(`http://127.0.0.1:${port}`));
