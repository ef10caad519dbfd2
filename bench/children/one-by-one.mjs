// Forked by allocation.mjs: prepares 20 customers and money, then makes so many requests of a kind when it is told.
import http from 'node:http';
import { CUSTOMER } from '../kit.mjs';

const [, , base, authorization] = process.argv;
const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
function ask(method, path, body) {
  const text = body === undefined ? '' : JSON.stringify(body);
  const content = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) };
  const headers = { authorization, ...(method === 'POST' ? content : {}) };
  return new Promise((resolve, reject) => {
    const request = http.request(`${base}${path}`, { method, agent, headers }, (response) => {
      const parts = [];
      response.on('data', (part) => parts.push(part));
      response.on('end', () => {
        const answer = Buffer.concat(parts).toString();
        if (response.statusCode < 300) resolve(JSON.parse(answer));
        else reject(new Error(`${method} ${path}: ${response.statusCode} ${answer}`));
      });
    });
    request.on('error', reject);
    request.end(text);
  });
}

const created = [];
for (let i = 0; i < 20; i += 1) created.push(await ask('POST', '/customers', CUSTOMER));
const { data } = await ask('GET', '/platform/internal-accounts?currency=USD');
await ask('POST', `/sandbox/internal-accounts/${data[0].id}/fund`, { amount: 100_000_000_000 });
const accountInfo = {
  accountType: 'MXN_ACCOUNT',
  clabeNumber: '646180157000004900',
  beneficiary: { beneficiaryType: 'INDIVIDUAL', fullName: 'Nora Lind' },
};
const { id: accountId } = await ask('POST', '/platform/external-accounts', { currency: 'MXN', accountInfo });
const quote = {
  source: { sourceType: 'ACCOUNT', accountId: data[0].id },
  destination: { destinationType: 'ACCOUNT', accountId },
  lockedCurrencySide: 'SENDING',
  lockedCurrencyAmount: 12_345,
};
const KINDS = {
  get: () => ask('GET', `/customers/${created[0].id}`),
  list: () => ask('GET', '/customers?limit=20'),
  post: () => ask('POST', '/customers', CUSTOMER),
  pay: async () => ask('POST', `/quotes/${(await ask('POST', '/quotes', quote)).id}/execute`),
};

process.on('message', async ({ kind, count }) => {
  for (let i = 0; i < count; i += 1) await KINDS[kind]();
  process.send('done');
});
