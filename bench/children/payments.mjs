// node payments.mjs: receives webhooks and verifies them; prints its URL. A message {url, path, key, quote, rate, seconds,
// authorization} makes payments at a fixed rate and is answered by the milliseconds of each, from POST /quotes to its webhook.
import { createServer } from 'node:http';
import { verifyWebhook } from '../../dist/testkit.js';
import { Pool } from '../soak/pool.mjs';

let key;
const came = new Map();
const receiver = createServer((request, response) => {
  const parts = [];
  request.on('data', (part) => parts.push(part));
  request.on('end', () => {
    const body = Buffer.concat(parts);
    const { type, data } = JSON.parse(body);
    response.end();
    if (type !== 'OUTGOING_PAYMENT.COMPLETED') return;
    if (!verifyWebhook(key, request.headers['x-service-signature'], body)) throw new Error('a signature does not hold');
    came.set(data.id, performance.now());
  });
});
receiver.keepAliveTimeout = 60_000;
receiver.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${receiver.address().port}`));

process.on('message', async (given) => {
  const { url, path, quote, rate, seconds, authorization } = given;
  key = given.key;
  const pool = new Pool(url, 16);
  const made = [];
  const began = performance.now();
  for (let sent = 0; sent < rate * seconds; sent += 1) {
    const due = began + (sent * 1000) / rate;
    while (performance.now() < due) await new Promise((resolve) => setTimeout(resolve, 1));
    const answer = pool.ask('POST', path, { authorization, body: quote, due });
    made.push(answer.then(({ status, text }) => ({ status, text, due })));
  }
  const took = [];
  for (const { status, text, due } of await Promise.all(made)) {
    if (status !== 201) throw new Error(`${path}: ${status} ${text.slice(0, 300)}`);
    const { transactionId } = JSON.parse(text);
    while (!came.has(transactionId)) await new Promise((resolve) => setTimeout(resolve, 5));
    took.push(came.get(transactionId) - due);
  }
  process.send(took);
});
