import { BASE, CUSTOMER, call, child, done, emulator, reference } from '../kit.mjs';
import { output } from '../processes.mjs';
import { beside, inTurns, median } from '../statistics.mjs';

const COUNT = 10_000;
const ROUNDS = 3;

/** A receiver, and a sender of so many webhooks to it: each time they wait, paused, until all are there. */
export async function sender(build, count = COUNT) {
  const receiver = await reference('receiver');
  const server = await emulator(['--webhook-url', `${receiver.url}/hooks`], { build });
  const control = (path) => done(`${server.url}/_emulator/webhooks/${path}`, { method: 'POST' });
  const came = async () => Number((await call(receiver.url)).text);
  const send = async () => {
    await control('pause');
    let left = count;
    const create = async () => {
      while (left-- > 0) await done(`${server.url}${BASE}/customers`, { method: 'POST', body: CUSTOMER });
    };
    await Promise.all(Array.from({ length: 10 }, create));
    const goal = (await came()) + count;
    const busy = server.cpuMs();
    const began = performance.now();
    await control('resume');
    while ((await came()) < goal) await new Promise((resolve) => setTimeout(resolve, 5));
    const seconds = (performance.now() - began) / 1000;
    return { rate: count / seconds, cpuUs: ((server.cpuMs() - busy) * 1000) / count };
  };
  return { send, stop: () => Promise.all([server.stop(), receiver.stop()]) };
}

export async function webhooks(report) {
  const receiver = await reference('receiver');
  const ours = await sender();
  const bare = async () => JSON.parse(await output(process.execPath, [child('post'), receiver.url, String(COUNT)]));
  await ours.send();
  const pairs = await inTurns(ROUNDS, bare, ours.send);
  const of = (member) => beside(pairs.map((pair) => pair.map((each) => each[member])));
  report('webhooks', { ...of('rate'), cpuRatio: of('cpuUs').ratio });
  await Promise.all([ours.stop(), receiver.stop()]);
}

/** What 160 tries of a delivery to nobody cost, with the clock advanced over them, beside the connections alone. */
export async function retries(report) {
  const held = await emulator(['--webhook-url', 'http://127.0.0.1:9', '--hold-clock']);
  const ours = async () => {
    await done(`${held.url}/_emulator/reset`, { method: 'POST' });
    await done(`${held.url}${BASE}/customers`, { method: 'POST', body: CUSTOMER });
    const began = performance.now();
    const { ran } = await done(`${held.url}/_emulator/clock`, { method: 'POST', body: { advance: 'P8D' } });
    if (ran.length < 160) throw new Error('fewer than 160 retries');
    return performance.now() - began;
  };
  const bare = async () => {
    const began = performance.now();
    for (let i = 0; i < 161; i += 1) await call('http://127.0.0.1:9').catch(() => {});
    return performance.now() - began;
  };
  const pairs = await inTurns(5, bare, ours);
  const own = median(pairs.map(([refused, all]) => all - refused));
  report('retries', { ...beside(pairs), note: `${own.toFixed(0)} ms beyond the connections` });
  await held.stop();
}
