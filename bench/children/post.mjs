// node post.mjs <url> <count>: posts a webhook so many times over kept connections of node:http, as a bare client would;
// prints {rate, cpuUs}.
import http from 'node:http';

const [, , url, count] = process.argv;
const agent = new http.Agent({ keepAlive: true, maxSockets: 32 });
const body = JSON.stringify({
  id: 'Webhook:019542f5-b3e7-1d02-0000-000000000007',
  type: 'CUSTOMER.KYC_APPROVED',
  timestamp: '2026-01-05T09:00:00Z',
  data: { id: 'Customer:019542f5-b3e7-1d02-0000-000000000001', customerType: 'INDIVIDUAL', fullName: 'Ada Keller' },
});
const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
const post = () =>
  new Promise((resolve, reject) => {
    const request = http.request(url, { method: 'POST', agent, headers }, (response) => {
      response.resume();
      response.once('end', resolve);
    });
    request.once('error', reject);
    request.end(body);
  });

let left = Number(count);
const busy = process.cpuUsage();
const began = performance.now();
await Promise.all(
  Array.from({ length: 32 }, async () => {
    while (left-- > 0) await post();
  }),
);
const seconds = (performance.now() - began) / 1000;
const { user, system } = process.cpuUsage(busy);
console.log(JSON.stringify({ rate: Number(count) / seconds, cpuUs: (user + system) / Number(count) }));
process.exit(0);
