import fc from 'fast-check';
import { lookupIdOf } from '../../../src/areas/lookups/index.ts';
import { PAYMENTS } from '../../../src/areas/transactions/index.ts';
import { type MoneyKit, moneyKit } from '../../kit/money.ts';
import { type Receiver, receiver } from '../../kit/receiver.ts';

const SUFFIXES = ['999', '002', '003', '004', '005', '006', '007'];
const OUTCOMES = ['COMPLETED', 'FAILED', 'RETURNED'] as const;
const SENDERS = ['$success.eur', '$pending.long.usd', '$fail.compliance.usd'];

/** One thing that happens on a payday. */
export type Step =
  | { do: 'fund'; amount: number }
  | { do: 'out' | 'in'; suffix: number; amount: number }
  | { do: 'quote'; suffix: number; amount: number; target: 'bank' | 'inner' | 'wallet'; now: boolean; fee: number }
  | { do: 'jit'; suffix: number; amount: number; off: boolean }
  | { do: 'pay Bo'; amount: number }
  | { do: 'receive'; sender: number; amount: number }
  | { do: 'execute' | 'cancel' | 'confirm' | 'decide'; which: number }
  | { do: 'approve' | 'reject'; which: number }
  | { do: 'drain' | 'page' | 'settle' | 'doze' }
  | { do: 'delete'; which: number }
  | { do: 'clock'; seconds: number };

const suffix = fc.nat(SUFFIXES.length - 1);
const amount = fc.integer({ min: 1, max: 30_000 });
const which = fc.nat(400);
const just = <T extends string>(...names: T[]) => fc.constantFrom(...names);

export const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: just('fund'), amount }) },
  { weight: 6, arbitrary: fc.record({ do: just('out', 'in'), suffix, amount }) },
  {
    weight: 8,
    arbitrary: fc.record({
      do: just('quote'),
      suffix,
      amount,
      target: just('bank', 'inner', 'wallet'),
      now: fc.boolean(),
      fee: fc.nat(300),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: just('jit'), suffix, amount, off: fc.boolean() }) },
  { weight: 3, arbitrary: fc.record({ do: just('pay Bo'), amount }) },
  { weight: 4, arbitrary: fc.record({ do: just('receive'), sender: fc.nat(SENDERS.length - 1), amount }) },
  { weight: 10, arbitrary: fc.record({ do: just('execute', 'execute', 'cancel', 'confirm', 'decide'), which }) },
  { weight: 3, arbitrary: fc.record({ do: just('approve', 'approve', 'reject'), which }) },
  { weight: 6, arbitrary: fc.record({ do: just('drain', 'page', 'page', 'page', 'page', 'settle') }) },
  { weight: 4, arbitrary: fc.record({ do: just('doze') }) },
  { weight: 1, arbitrary: fc.record({ do: just('delete'), which }) },
  {
    weight: 6,
    arbitrary: fc.record({ do: just('clock'), seconds: fc.constantFrom(0, 0, 1, 4, 6, 29, 31, 60, 299, 361) }),
  },
);

/** A walk through the pages of a list that goes on while other things happen. */
interface Walk {
  readonly sortOrder: 'asc' | 'desc';
  readonly there: readonly string[];
  readonly seen: string[];
  cursor: string | undefined;
}

/** Ana and Bo, Ana with one account of each suffix; `answers`: a webhook endpoint that answers these in turn. */
export class Payday {
  walks = 0;
  quotes: string[] = [];
  #walk: Walk | undefined;
  readonly it: MoneyKit;
  readonly hooks: Receiver | undefined;
  readonly bo: string;
  readonly #accounts: { usd: string; eur: string; own: string };
  readonly #banks: { USD: string[]; EUR: string[]; wallet: string[]; own: string };

  static async open(answers: readonly number[]): Promise<Payday> {
    const hooks = answers.length > 0 ? await receiver() : undefined;
    let turn = 0;
    if (hooks)
      hooks.react = ({ event }) =>
        event.type === 'INCOMING_PAYMENT.PENDING' ? (answers[turn++ % answers.length] as number) : 200;
    const it = await moneyKit(hooks ? { webhookUrl: hooks.url } : {});
    const sent = { customerType: 'INDIVIDUAL', fullName: 'Bo Lind', umaAddress: '$bo@pay.example' };
    const bo = (await it.post('/customers', sent)).body.id;
    await it.settle();
    const id = async (currency: string, owner?: string) => (await it.account(currency, owner)).id as string;
    return new Payday(it, hooks, bo, {
      usd: await id('USD'),
      eur: await id('EUR'),
      own: await id('USD', 'platform'),
    });
  }

  private constructor(
    it: MoneyKit,
    hooks: Receiver | undefined,
    bo: string,
    accounts: { usd: string; eur: string; own: string },
  ) {
    this.it = it;
    this.hooks = hooks;
    this.bo = bo;
    this.#accounts = accounts;
    this.#banks = {
      USD: SUFFIXES.map((s) => it.bank('USD', s).id),
      EUR: SUFFIXES.map((s) => it.bank('EUR', s).id),
      wallet: SUFFIXES.map((s) => it.wallet(s).id),
      own: it.bank('USD', '999', { customerId: undefined }).id,
    };
  }

  #post(path: string, body: object = {}) {
    return this.it.overlapping('POST', path, body);
  }

  #transaction(n: number): string {
    const rows = [...this.it.sandbox.world.rows(PAYMENTS).rows()];
    // Recent ones are still under way: the others have little left that could happen to them.
    const recent = rows.slice(-12);
    return recent[n % Math.max(1, recent.length)]?.id ?? 'Transaction:none';
  }

  async act(s: Step): Promise<void> {
    const { it } = this;
    const { usd, own } = this.#accounts;
    const refer = (accountId: string | undefined) => ({ accountId });
    switch (s.do) {
      case 'fund':
        await this.#post(`/sandbox/internal-accounts/${usd}/fund`, { amount: s.amount });
        return;
      case 'out': {
        const destination = refer(this.#banks.USD[s.suffix]);
        await this.#post('/transfer-out', { source: refer(usd), destination, amount: s.amount });
        return;
      }
      case 'in': {
        const source = refer(this.#banks.USD[s.suffix]);
        await this.#post('/transfer-in', { source, destination: refer(usd), amount: s.amount });
        return;
      }
      case 'drain':
        await this.#post('/transfer-out', { source: refer(own), destination: refer(this.#banks.own) });
        return;
      case 'quote':
      case 'jit':
      case 'pay Bo':
        return this.#quote(s);
      case 'receive':
        await this.#post('/sandbox/uma/receive', {
          senderUmaAddress: `${SENDERS[s.sender]}@sandbox.uma.money`,
          customerId: it.customer.id,
          receivingCurrencyCode: 'USD',
          receivingCurrencyAmount: s.amount,
        });
        return;
      case 'execute':
        // The last ones are those that can still be executed.
        await this.#post(`/quotes/${this.quotes.at(-1 - (s.which % 4)) ?? 'Quote:x'}/execute`);
        return;
      case 'cancel':
      case 'confirm':
        await this.#post(`/transactions/${this.#transaction(s.which)}/${s.do}`);
        return;
      case 'decide': {
        const outcome = OUTCOMES[s.which % 3];
        await it.control('POST', `/transactions/${this.#transaction(s.which)}/outcome`, { outcome });
        return;
      }
      case 'approve':
      case 'reject': {
        const waiting = [...it.sandbox.world.rows(PAYMENTS).rows()].filter((t) => t.approval && t.status === 'PENDING');
        await this.#post(`/transactions/${waiting[s.which % Math.max(1, waiting.length)]?.id ?? 'x'}/${s.do}`);
        return;
      }
      case 'delete':
        await it.overlapping('DELETE', `/customers/${s.which % 8 === 0 ? it.customer.id : this.bo}`);
        return;
      case 'page':
        return this.#page();
      case 'doze':
        // What is due waits, so that other calls meet payments that are under way.
        it.sandbox.world.scheduler.sleep();
        return;
      case 'settle':
        it.sandbox.world.scheduler.wake();
        return it.settle();
      case 'clock':
        await it.advance(`PT${s.seconds}S`);
    }
  }

  async #quote(s: Extract<Step, { do: 'quote' | 'jit' | 'pay Bo' }>): Promise<void> {
    const { it } = this;
    const uma = { destinationType: 'UMA_ADDRESS', umaAddress: '$bo@pay.example', currency: 'EUR' };
    const banks =
      s.do === 'quote' && s.target === 'inner'
        ? [this.#accounts.eur]
        : s.do === 'quote' && s.target === 'wallet'
          ? this.#banks.wallet
          : this.#banks.EUR;
    const { body } = await this.#post('/quotes', {
      source:
        s.do === 'jit'
          ? { sourceType: 'REALTIME_FUNDING', currency: 'USD', customerId: it.customer.id }
          : { sourceType: 'ACCOUNT', accountId: this.#accounts.usd },
      destination: s.do === 'pay Bo' ? uma : { destinationType: 'ACCOUNT', accountId: banks[s.suffix % banks.length] },
      ...(s.do === 'pay Bo' ? { lookupId: lookupIdOf(uma.umaAddress) } : {}),
      lockedCurrencySide: s.amount % 2 ? 'SENDING' : 'RECEIVING',
      lockedCurrencyAmount: s.amount,
      immediatelyExecute: s.do === 'quote' ? s.now : s.do === 'pay Bo',
      ...(s.do === 'quote'
        ? { platformFeeOverride: { platformFixedFee: { amount: s.fee, currency: 'USD' }, platformVariableFeeBps: 20 } }
        : {}),
    });
    if (!body.id) return;
    this.quotes.push(body.id);
    if (s.do === 'jit')
      await this.#post('/sandbox/send', {
        quoteId: body.id,
        currencyCode: 'USD',
        ...(s.off ? { currencyAmount: 7 } : {}),
      });
  }

  /** One page further; when a walk is over, nothing that was there at its start is missing and nothing came twice. */
  async #page(): Promise<void> {
    const { it } = this;
    this.#walk ??= {
      sortOrder: this.walks % 2 ? 'asc' : 'desc',
      there: [...it.sandbox.world.rows(PAYMENTS).rows()].map((t) => t.id),
      seen: [],
      cursor: undefined,
    };
    const walk = this.#walk;
    const { body } = await it.overlapping('GET', '/transactions', undefined, {
      query: { limit: 7, sortOrder: walk.sortOrder, ...(walk.cursor ? { cursor: walk.cursor } : {}) },
    });
    walk.seen.push(...body.data.map(({ id }: { id: string }) => id));
    walk.cursor = body.nextCursor;
    if (body.hasMore) return;
    this.#walk = undefined;
    this.walks += 1;
    const seen = new Set(walk.seen);
    const lost = walk.there.filter((id) => !seen.has(id));
    if (lost.length > 0 || seen.size !== walk.seen.length)
      throw new Error(
        `a walk ${walk.sortOrder} lost ${lost.join(', ') || 'nothing'} or repeated: ${walk.seen.join(', ')}`,
      );
  }
}
