// Every built-in scenario, in both profiles, from the packed package and with no flag about time: it starts, decides a
// customer, settles a payment with verified webhooks while a quote waits for minutes, and stops.
// Usage: node live.mjs <node binary> <folder where the package is installed>
import { execFileSync, spawn } from 'node:child_process';
import { createVerify } from 'node:crypto';
import { createServer } from 'node:http';
import { join } from 'node:path';

const [node, folder] = process.argv.slice(2);
const bin = join(folder, 'node_modules/sandbox-emulator/bin/sandbox-emulator.js');
const SIGNATURE = { spec: 'x-service-signature', grid: 'x-grid-signature' };

/** Starts one, does a payment, stops it; how many real milliseconds the webhook took. */
async function settle(scenario, profile) {
  const hooks = [];
  const receiver = createServer((request, response) => {
    let raw = '';
    request.setEncoding('utf8').on('data', (text) => {
      raw += text;
    });
    request.on('end', () => {
      hooks.push({ raw, signature: request.headers[SIGNATURE[profile]], event: JSON.parse(raw) });
      response.end();
    });
  });
  await new Promise((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${receiver.address().port}/hooks`;
  const flags = ['--port', '0', '--json', '--scenario', scenario, '--profile', profile, '--webhook-url', url];
  const child = spawn(node, [bin, ...flags], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const ready = await new Promise((resolve, reject) => {
    let out = '';
    child.stdout.setEncoding('utf8').on('data', (text) => {
      out += text;
      if (out.includes('\n')) resolve(JSON.parse(out.split('\n')[0]));
    });
    child.once('exit', (code) => reject(new Error(`it ended with ${code}`)));
  });
  const { id, secret } = ready.credentials;
  const authorization = `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`;
  const call = async (method, path, body) => {
    // Scenario failures refuse some calls on purpose.
    for (let tries = 0; ; tries += 1) {
      const headers = { authorization, ...(body ? { 'content-type': 'application/json' } : {}) };
      const init = { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) };
      const answer = await fetch(`${ready.baseUrl}${path}`, init).catch((error) => error);
      if (answer.ok) return answer.json();
      if (tries === 10) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text?.()}`);
    }
  };
  const within = async (what, look) => {
    const started = Date.now();
    for (;;) {
      const found = await look();
      if (found) return Date.now() - started;
      if (Date.now() - started > 60_000) throw new Error(`${what} did not come`);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  };
  const { data } = await call('GET', '/platform/internal-accounts?currency=USD');
  await call('POST', `/sandbox/internal-accounts/${data[0].id}/fund`, { amount: 1_000_000 });
  const beneficiary = {
    beneficiaryType: 'INDIVIDUAL',
    fullName: 'Nora Lind',
    birthDate: '1990-01-02',
    nationality: 'US',
  };
  const accountInfo = {
    accountType: 'USD_ACCOUNT',
    accountNumber: '123456789900',
    routingNumber: '021000021',
    beneficiary,
  };
  const to = await call('POST', '/platform/external-accounts', { currency: 'USD', accountInfo });
  const quote = () =>
    call('POST', '/quotes', {
      source: { sourceType: 'ACCOUNT', accountId: data[0].id },
      destination: { destinationType: 'ACCOUNT', accountId: to.id },
      lockedCurrencySide: 'SENDING',
      lockedCurrencyAmount: 12_345,
    });
  await quote();
  const paid = await quote();
  await call('POST', `/quotes/${paid.id}/execute`);
  const isIt = ({ event }) => event.type === 'OUTGOING_PAYMENT.COMPLETED' && event.data.id === paid.transactionId;
  const ms = await within('the webhook of the settled payment', () => hooks.find(isIt));
  const { raw, signature } = hooks.find(isIt);
  // Scenario failures signs some deliveries with a wrong key, and says so.
  const { attempts } = await (await fetch(`${ready.url}/_emulator/webhooks/${JSON.parse(raw).id}`)).json();
  const isRight = createVerify('SHA256').update(raw).verify(ready.webhookPublicKey, JSON.parse(signature).s, 'base64');
  if (!isRight && !attempts.some(({ fault }) => fault?.includes('wrong key')))
    throw new Error('the signature is wrong');
  const { status } = await call('GET', `/transactions/${paid.transactionId}`);
  if (status !== 'COMPLETED') throw new Error(`the payment is ${status}`);
  child.kill('SIGTERM');
  const code = await ended;
  if (code !== 0) throw new Error(`it stopped with ${code}`);
  receiver.closeAllConnections();
  receiver.close();
  return ms;
}

const listed = JSON.parse(execFileSync(node, [bin, 'scenarios', '--json'], { encoding: 'utf8' }).split('\n')[0]);
const names = (Array.isArray(listed) ? listed : listed.scenarios).map(({ name }) => name);
const left = ['spec', 'grid'].flatMap((profile) => names.map((name) => ({ name, profile })));
async function worker() {
  for (let next = left.shift(); next; next = left.shift()) {
    const { name, profile } = next;
    const ms = await settle(name, profile).catch((error) => {
      throw new Error(`scenario ${name}, profile ${profile}: ${error.message}`);
    });
    console.log(`scenario ${name}, profile ${profile}: settled, ${ms} ms`);
  }
}
await Promise.all(Array.from({ length: 6 }, worker));
