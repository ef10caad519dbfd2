import { describe, expect, test } from 'vitest';
import { DELIVERIES } from '../../src/areas/webhooks/index.ts';
import { BALANCES } from '../../src/ledger/ledger.ts';
import { chance } from '../kit/chance.ts';
import { effort } from '../kit/effort.ts';
import { brokenRules } from '../kit/ledger.ts';
import { type Receiver, receiver, signedBy } from '../kit/receiver.ts';
import { type Kit, kit } from '../kit/sandbox.ts';

type Shown = {
  id: string;
  isDeleted: boolean;
  customerType: string;
  region?: string;
  umaAddress: string;
  currencies: string[];
};

/** What must be true, kept beside the emulator by the simplest means. */
class Model {
  /** Customers as they were last shown, oldest first. */
  customers: Shown[] = [];
  /** Balance by account. */
  balances = new Map<string, number>();
  copy(): Model {
    const other = new Model();
    other.customers = [...this.customers];
    other.balances = new Map(this.balances);
    return other;
  }
}

interface Account {
  id: string;
  customerId?: string;
  balance: { currency: { code: string } };
}

class History {
  model = new Model();
  saved: Model | undefined;
  readonly it: Kit;
  readonly hooks: Receiver;
  readonly random: ReturnType<typeof chance>;
  readonly steps: string[] = [];
  /** Events that the receiver has taken since the last jump through time, with how often it took them. */
  taken = new Map<string, number>();
  /** How the receiver answered last. */
  last: number | 'drop' = 200;

  constructor(it: Kit, hooks: Receiver, seed: number) {
    this.it = it;
    this.hooks = hooks;
    this.random = chance(seed);
    const flaky = chance(seed + 1);
    hooks.react = ({ event }) => {
      const reaction = flaky.of([200, 200, 200, 204, 409, 500, 503, 404, 'drop'] as const);
      this.last = reaction;
      if (reaction === 'drop' || reaction >= 300) if (reaction !== 409) return reaction;
      this.taken.set(event.id, (this.taken.get(event.id) ?? 0) + 1);
      return reaction;
    };
  }

  async step(): Promise<void> {
    const { random, it, model } = this;
    const what = random.of([
      'create',
      'create',
      'create',
      'change',
      'delete',
      'fund',
      'fund',
      'fund',
      'refuse',
      'list',
      'clock',
      'clock',
      'test',
      'redeliver',
      'save',
      'restore',
      'reset',
    ] as const);
    this.steps.push(what);
    const live = model.customers.filter((customer) => !customer.isDeleted);
    if (what === 'create') {
      const { status, body } = await it.post('/customers', {
        customerType: random.of(['INDIVIDUAL', 'BUSINESS']),
        fullName: random.of(['Ada Keller', 'Ben Ito 001', 'Cy Novak 002']),
        ...(random.below(2) ? { region: random.of(['US', 'DE']) } : {}),
      });
      expect(status).toBe(201);
      model.customers.push(body);
    } else if (what === 'change' && live.length > 0) {
      const { id } = random.of(live);
      const { body } = await it.patch(`/customers/${id}`, { email: `user${random.below(100)}@example.com` });
      this.replace(body);
    } else if (what === 'delete' && live.length > 3) {
      const { id } = random.of(live);
      this.replace((await it.del(`/customers/${id}`)).body);
    } else if (what === 'fund') {
      const own = (await it.get('/platform/internal-accounts')).body.data;
      const theirs = (await it.get('/customers/internal-accounts', { limit: 100 })).body.data;
      const { id, customerId, balance } = random.of([...own, ...theirs] as Account[]);
      const owner = model.customers.find((customer) => customer.id === customerId);
      const amount = 1 + random.below(1000);
      const { status, body } = await it.post(`/sandbox/internal-accounts/${id}/fund`, { amount });
      // Nobody named currencies: those of a customer are the ones whose required fields are all there.
      const lacking = owner !== undefined && !owner.currencies.includes(balance.currency.code);
      const right = owner?.isDeleted ? 404 : lacking ? 400 : 200;
      expect(status).toBe(right);
      if (right !== 200) return;
      model.balances.set(id, (model.balances.get(id) ?? 0) + amount);
      expect(body.balance.amount).toBe(model.balances.get(id));
    } else if (what === 'refuse') await this.refused(random.of(live));
    else if (what === 'list') await this.list();
    else if (what === 'clock') await it.advance(random.of(['PT1S', 'PT7S', 'PT10M', 'PT3H', 'P2D']));
    else if (what === 'test') {
      await it.settle();
      const { status } = await it.post('/sandbox/webhooks/test');
      expect(status).toBe(this.last === 200 || this.last === 204 ? 200 : 400);
    } else if (what === 'redeliver') {
      await it.settle();
      const open = [...it.sandbox.world.rows(DELIVERIES).rows()].filter((delivery) => delivery.state === 'PENDING');
      if (open.length > 0) await it.control('POST', `/webhooks/${random.of(open).id}/redeliver`);
    } else if (what === 'save') {
      await it.settle();
      await it.control('POST', '/snapshots', { name: 'saved' });
      this.saved = model.copy();
    } else if (what === 'restore' && this.saved) {
      await it.settle();
      expect((await it.control('POST', '/snapshots/saved/restore')).status).toBe(200);
      this.model = this.saved.copy();
      this.taken.clear();
    } else if (what === 'reset' && random.below(4) === 0) {
      await it.settle();
      await it.control('POST', '/reset');
      this.model = new Model();
      this.taken.clear();
    }
  }

  replace(shown: Shown): void {
    this.model.customers = this.model.customers.map((customer) => (customer.id === shown.id ? shown : customer));
  }

  /** What is refused leaves no trace: the kit compares the world before and after. */
  async refused(some: Shown | undefined): Promise<void> {
    await this.it.settle();
    const deleted = this.model.customers.find((customer) => customer.isDeleted);
    const answers = [
      await this.it.post('/customers', { customerType: 'INDIVIDUAL', birthDate: 'x' }),
      await this.it.post('/sandbox/internal-accounts/none/fund', { amount: 1 }),
      ...(some ? [await this.it.post('/customers', { customerType: 'BUSINESS', umaAddress: some.umaAddress })] : []),
      ...(deleted ? [await this.it.patch(`/customers/${deleted.id}`, { email: 'x@example.com' })] : []),
      ...(deleted ? [await this.it.del(`/customers/${deleted.id}`)] : []),
    ];
    expect(answers.map(({ status }) => status).filter((status) => status < 400)).toEqual([]);
  }

  /** Page through a list with a random filter: every row that is right, once, in order. */
  async list(): Promise<void> {
    const { random, it, model } = this;
    const region = random.of([undefined, 'US', 'DE']);
    const customerType = random.of([undefined, 'INDIVIDUAL', 'BUSINESS']);
    const isIncludingDeleted = random.of([undefined, true, false]);
    const filters = Object.fromEntries(
      Object.entries({ region, customerType, isIncludingDeleted }).filter(
        (entry): entry is [string, string] => entry[1] !== undefined,
      ),
    );
    const right = model.customers
      .filter((customer) => isIncludingDeleted || !customer.isDeleted)
      .filter((customer) => (region ?? customer.region) === customer.region)
      .filter((customer) => (customerType ?? customer.customerType) === customer.customerType)
      .map((customer) => customer.id)
      .reverse();
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const { body } = await it.get('/customers', {
        ...filters,
        limit: 1 + random.below(7),
        ...(cursor ? { cursor } : {}),
      });
      seen.push(...body.data.map((customer: Shown) => customer.id));
      expect(body.totalCount).toBe(right.length);
      cursor = body.nextCursor;
    } while (cursor);
    expect(seen).toEqual(right);
  }

  /** What holds after every step. */
  async check(): Promise<void> {
    const { it, model } = this;
    const { world } = it.sandbox;
    expect(brokenRules(world)).toEqual([]);
    for (const { id, available, held } of world.rows(BALANCES).rows()) {
      if (id.startsWith('outside:')) continue;
      expect([available, held]).toEqual([model.balances.get(id), 0]);
    }
    const some = model.customers[this.random.below(Math.max(model.customers.length, 1))];
    if (some) expect((await it.get(`/customers/${some.id}`)).body).toEqual(some);
    // Of each resource at most one event is on its way; whatever waits stands behind it.
    const onItsWay = new Map<string, string>();
    for (const { subject, state, id } of world.rows(DELIVERIES).rows()) {
      if (state === 'PENDING') {
        expect(onItsWay.has(subject), `two of ${subject} on their way: ${id}`).toBe(false);
        onItsWay.set(subject, id);
      } else if (state === 'WAITING') expect(onItsWay.has(subject), `${id} waits for nothing`).toBe(true);
    }
    for (const [id, times] of this.taken) expect(times, `${id} was sent again after it was taken`).toBe(1);
  }
}

const SEEDS = process.env['SIMULATION_SEED']
  ? [Number(process.env['SIMULATION_SEED'])]
  : [1, 2, 3, 4].slice(0, effort(2, 4));

describe('a simulation of customers, money, clock, resets and a receiver that fails', () => {
  test.each(SEEDS)('every invariant holds after every step of a random history (SIMULATION_SEED=%i)', async (seed) => {
    const hooks = await receiver();
    const it = await kit({ seed, webhookUrl: hooks.url, scenario: seed % 2 ? 'default' : 'unregulated' });
    const history = new History(it, hooks, seed);
    // A decision that falls later changes what is shown; the model follows the event.
    it.sandbox.stream.listen((news) => {
      if (news.event !== 'fact' || !news.type.startsWith('CUSTOMER.')) return;
      const told = it.sandbox.world.rows(DELIVERIES).get(news.id);
      if (told && history.model.customers.some((c) => c.id === told.subject))
        history.replace(JSON.parse(JSON.stringify(told.data)));
    });
    try {
      for (let i = 0; i < 120; i += 1) {
        await history.step();
        await history.check();
      }
      // The receiver recovers: within the days of the retries it gets everything, in the order of each resource.
      await it.settle();
      hooks.react = ({ event }) => {
        history.taken.set(event.id, (history.taken.get(event.id) ?? 0) + 1);
        return 200;
      };
      await it.advance('P8D');
      await history.check();
      const deliveries = [...it.sandbox.world.rows(DELIVERIES).rows()];
      expect(deliveries.filter(({ state, type }) => state !== 'DELIVERED' && type !== 'TEST')).toEqual([]);
      const { pem } = (await it.control('GET', '/webhooks/key')).body;
      expect(hooks.received.filter((delivery) => !signedBy(pem, delivery))).toEqual([]);
    } catch (error) {
      throw new Error(`SIMULATION_SEED=${seed} after ${history.steps.join(' ')}`, { cause: error });
    }
  });

  test('the same seed and the same calls give the same world, byte for byte', async () => {
    const worlds: string[] = [];
    for (let i = 0; i < 2; i += 1) {
      const it = await kit({ seed: 5, scenario: 'unregulated' });
      for (const fullName of ['Ada Keller', 'Ben Ito 002'])
        await it.post('/customers', { customerType: 'INDIVIDUAL', fullName });
      const [account] = (await it.get('/platform/internal-accounts')).body.data;
      await it.post(`/sandbox/internal-accounts/${account.id}/fund`, { amount: 5 });
      await it.post('/customers', { customerType: 'INDIVIDUAL', birthDate: 'refused' });
      await it.advance('PT5S');
      worlds.push((await it.control('GET', '/state')).text);
    }
    expect(worlds[1]).toBe(worlds[0]);
  });
});
