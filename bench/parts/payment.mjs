// From a quote that executes at once to the webhook of its payment, received and verified, with nothing held or mocked.
import { AUTHORIZATION, BASE, call, child, done, referenceFile } from '../kit.mjs';
import { launch } from '../processes.mjs';
import { quantile, short } from '../statistics.mjs';
import { ready } from './requests.mjs';

const RATE = 50;
const SECONDS = 20;
const WARM_SECONDS = 2;

export async function payment(report) {
  const client = await launch(process.execPath, [child('payments')], { ipc: true });
  const settings = { rate: RATE, seconds: SECONDS, authorization: AUTHORIZATION };
  const p99 = async (options) => {
    await client.ask({ ...settings, ...options, seconds: WARM_SECONDS });
    return quantile(await client.ask({ ...settings, ...options }), 0.99);
  };
  const signer = await launch(process.execPath, [referenceFile('signer'), client.url]);
  const key = (await call(`${signer.url}/key`)).text;
  const { server, quote } = await ready();
  await done(`${server.url}/_emulator/webhooks/endpoint`, { method: 'PUT', body: { url: client.url } });
  const own = (await call(`${server.url}/_emulator/webhooks/key`)).text;
  const body = { ...quote, immediatelyExecute: true };
  const reference = await p99({ url: signer.url, path: '/quotes', key, quote: body });
  const busy = server.cpuMs();
  const value = await p99({ url: server.url, path: `${BASE}/quotes`, key: JSON.parse(own).pem, quote: body });
  const cpu = (server.cpuMs() - busy) / (RATE * (SECONDS + WARM_SECONDS));
  report('payment', { value, reference, ratio: value / reference, note: `each ${short(cpu)} ms of a processor` });
  await Promise.all([client.stop(), signer.stop(), server.stop()]);
}
