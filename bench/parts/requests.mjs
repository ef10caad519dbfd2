import { BASE, CUSTOMER, done, emulator, reference } from '../kit.mjs';
import { load } from '../load.mjs';
import { file } from '../processes.mjs';
import { beside, inTurns } from '../statistics.mjs';

const ROUNDS = 5;

/** A server with 20 customers, and money to pay with: the paths and steps of every measured request. */
export async function ready(build) {
  const scenario = file('money.yaml', 'platform: { currencies: [{ code: USD }, { code: USDB }, { code: MXN }] }\n');
  const server = await emulator(['--scenario', 'default', '--scenario', scenario], { build });
  const url = `${server.url}${BASE}`;
  const post = (path, body) => done(`${url}${path}`, { method: 'POST', body });
  const created = [];
  for (let i = 0; i < 20; i += 1) created.push(await post('/customers', CUSTOMER));
  const { data } = await done(`${url}/platform/internal-accounts?currency=USD`);
  await post(`/sandbox/internal-accounts/${data[0].id}/fund`, { amount: 100_000_000_000 });
  const accountInfo = {
    accountType: 'MXN_ACCOUNT',
    clabeNumber: '646180157000004900',
    beneficiary: { beneficiaryType: 'INDIVIDUAL', fullName: 'Nora Lind' },
  };
  const { id: accountId } = await post('/platform/external-accounts', { currency: 'MXN', accountInfo });
  const quote = {
    source: { sourceType: 'ACCOUNT', accountId: data[0].id },
    destination: { destinationType: 'ACCOUNT', accountId },
    lockedCurrencySide: 'SENDING',
    lockedCurrencyAmount: 12_345,
  };
  const requests = {
    get: [`${BASE}/customers/${created[0].id}`, {}],
    list: [`${BASE}/customers?limit=20`, {}],
    post: [`${BASE}/customers`, { body: CUSTOMER }],
    pay: [
      '',
      {
        steps: [
          { method: 'POST', path: `${BASE}/quotes`, body: quote },
          { method: 'POST', path: `${BASE}/quotes/{id}/execute` },
        ],
      },
    ],
  };
  return { server, created, quote, requests };
}

export async function requests(report) {
  const ours = await ready();
  const bare = await reference('hono');
  await done(`${bare.url}/seed`, { method: 'POST', body: ours.created });
  const store = { method: 'POST', path: '/customers', body: ours.quote };
  const beyond = {
    get: [`/customers/${ours.created[0].id}`, {}],
    list: ['/customers?limit=20', {}],
    post: ['/customers', { body: CUSTOMER }],
    pay: ['', { steps: [store, store] }],
  };
  for (const name of ['get', 'list', 'post', 'pay']) {
    const at = (server, [path, options]) => {
      return (seconds) => load(server, path, { ...options, seconds });
    };
    const [first, second] = [at(bare, beyond[name]), at(ours.server, ours.requests[name])];
    await first(2);
    await second(2);
    const pairs = await inTurns(
      ROUNDS,
      () => first(3),
      () => second(3),
    );
    const of = (member) => beside(pairs.map((pair) => pair.map((loaded) => loaded[member])));
    report(name, { ...of('rate'), cpuRatio: of('cpuUs').ratio });
    if (name === 'post') report('p99', of('p99Ms'));
  }
  await Promise.all([bare.stop(), ours.server.stop()]);
}
