// A sandbox in use: what a client knows of it, and the requests that it makes. A reset takes all that it knew away.
import { CUSTOMER } from '../customer.mjs';
export const BASE = '/2025-10-13';

const basic = ({ id, secret }) => `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`;
/** What each mixed request is, by how often of 100 it comes. */
const MIX = [
  [38, 'read a customer'],
  [10, 'read a payment'],
  [12, 'list customers'],
  [6, 'list payments'],
  [14, 'create a customer'],
  [10, 'quote'],
  [10, 'execute'],
];
export const SCENARIO = {
  platform: { umaDomain: 'pay.example', currencies: [{ code: 'USD' }, { code: 'USDB' }, { code: 'MXN' }] },
  policies: { 'customer.decide': 'at once' },
};
const KEPT = 200;

export class Platform {
  #pool;
  #known;
  /** Counts lives: an answer from before a reset says nothing of now. */
  #life = 0;

  constructor(pool, { id, credentials }) {
    this.#pool = pool;
    this.id = id;
    this.authorization = basic(credentials);
  }

  ask(method, path, body, due) {
    return this.#pool.ask(method, `${BASE}${path}`, { authorization: this.authorization, body, due });
  }

  async #must(method, path, body) {
    const answer = await this.ask(method, path, body);
    if (answer.status < 200 || answer.status >= 300)
      throw new Error(`${answer.what}: ${answer.status} ${answer.text.slice(0, 300)}`);
    return JSON.parse(answer.text);
  }

  /** Money, somebody to pay, a customer: the start of a life. */
  async prepare() {
    const { data } = await this.#must('GET', '/platform/internal-accounts?currency=USD');
    await this.#must('POST', `/sandbox/internal-accounts/${data[0].id}/fund`, { amount: 100_000_000_000 });
    const accountInfo = {
      accountType: 'MXN_ACCOUNT',
      clabeNumber: '646180157000004900',
      beneficiary: { beneficiaryType: 'INDIVIDUAL', fullName: 'Nora Lind' },
    };
    const { id: accountId } = await this.#must('POST', '/platform/external-accounts', { currency: 'MXN', accountInfo });
    const quote = {
      source: { sourceType: 'ACCOUNT', accountId: data[0].id },
      destination: { destinationType: 'ACCOUNT', accountId },
      lockedCurrencySide: 'SENDING',
      lockedCurrencyAmount: 12_345,
    };
    const { id } = await this.#must('POST', '/customers', CUSTOMER);
    this.#known = { quote, customers: [id], quotes: [], payments: [] };
  }

  /** Whether it can be used now: not while it is reset. */
  get isReady() {
    return this.#known !== undefined;
  }

  /** Back to the scenario, and all that is known with it. */
  async reset() {
    this.#life += 1;
    this.#known = undefined;
    const answer = await this.#pool.ask('POST', `/_emulator/reset?sandbox=${this.id}`, {});
    await this.prepare();
    return answer;
  }

  /** One request of the mix; resolves with its answer, `late` where the sandbox was reset meanwhile. */
  async any(random, due) {
    const life = this.#life;
    const [kind, method, path, body, learn] = this.#draw(random);
    const answer = await this.ask(method, path, body, due);
    const late = life !== this.#life;
    if (!late && learn && answer.status < 300) learn(this.#known, JSON.parse(answer.text));
    return { ...answer, kind, late };
  }

  #draw(random) {
    const { customers, quotes, payments, quote } = this.#known;
    let left = random() * 100;
    let kind = MIX.find(([share]) => (left -= share) < 0)[1];
    if (kind === 'execute' && quotes.length === 0) kind = 'quote';
    if (kind === 'read a payment' && payments.length === 0) kind = 'read a customer';
    const of = (list) => list[Math.floor(random() * list.length)];
    const keep = (list, id) => list.push(id) > KEPT && list.shift();
    switch (kind) {
      case 'read a customer':
        return [kind, 'GET', `/customers/${of(customers)}`];
      case 'read a payment':
        return [kind, 'GET', `/transactions/${of(payments)}`];
      case 'list customers':
        return [kind, 'GET', '/customers?limit=20'];
      case 'list payments':
        return [kind, 'GET', '/transactions?limit=20'];
      case 'create a customer':
        return [kind, 'POST', '/customers', CUSTOMER, (known, { id }) => keep(known.customers, id)];
      case 'quote':
        return [kind, 'POST', '/quotes', quote, (known, { id }) => keep(known.quotes, id)];
      default:
        return [
          kind,
          'POST',
          `/quotes/${quotes.shift()}/execute`,
          undefined,
          (known, { transactionId }) => keep(known.payments, transactionId),
        ];
    }
  }
}

/** A stream of numbers below 1 that a seed decides (mulberry32). */
export function randomOf(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
