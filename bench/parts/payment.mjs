// From a quote that executes at once to the webhook of its payment, received and verified, with nothing held or mocked.
import { AUTHORIZATION, BASE, call, child, done, referenceFile } from '../kit.mjs';
import { launch } from '../processes.mjs';
import { quantile } from '../statistics.mjs';
import { ready } from './requests.mjs';

const RATE = 50;
const SECONDS = 20;

export async function payment(report) {
  const client = await launch(process.execPath, [child('payments')], { ipc: true });
  const settings = { rate: RATE, seconds: SECONDS, authorization: AUTHORIZATION };
  const p99 = async (options) => {
    await client.ask({ ...settings, ...options, seconds: 2 });
    return quantile(await client.ask({ ...settings, ...options }), 0.99);
  };
  const signer = await launch(process.execPath, [referenceFile('signer'), client.url]);
  const key = (await call(`${signer.url}/key`)).text;
  const { server, quote } = await ready();
  await done(`${server.url}/_emulator/webhooks/endpoint`, { method: 'PUT', body: { url: client.url } });
  const own = (await call(`${server.url}/_emulator/webhooks/key`)).text;
  const body = { ...quote, immediatelyExecute: true };
  const reference = await p99({ url: signer.url, path: '/quotes', key, quote: body });
  const value = await p99({ url: server.url, path: `${BASE}/quotes`, key: keyOf(own), quote: body });
  report('payment', { value, reference, ratio: value / reference, note: `${RATE * SECONDS} payments` });
  await Promise.all([client.stop(), signer.stop(), server.stop()]);
}

/** The key as PEM, whether the control answers with it alone or as a member. */
const keyOf = (text) => (text.startsWith('{') ? JSON.parse(text).pem : text);
