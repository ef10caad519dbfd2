import { generateKeyPairSync, randomUUID, sign } from 'node:crypto';
import { checkUrl } from './backend.ts';
import type { Event } from './desk.ts';
import type { Belief, Scene, Seen } from './scene.ts';
import { Failed, Skipped, Unable } from './types.ts';

/**
 * The words of one check, and the function that makes it: it throws `Failed` or `Skipped`, or returns the evidence in a
 * sentence.
 */
interface Check {
  readonly name: string;
  /** A line for people. */
  readonly about: string;
  /** True if it moves the clock. */
  readonly moves?: true;
  /** True if it loses a reply, so that another attempt of its payment may arrive much later. */
  readonly loses?: true;
  readonly run: (scene: Scene, rules: Rules) => Promise<string>;
}

interface Rules {
  readonly allowsRemote: boolean;
}

const HOUR = 'PT1H';
/** Virtual time after which every retry has been made once more: the longest pause is 67 minutes. */
const LONGEST_PAUSE = 'PT70M';
const TWO_DAYS_MS = 172_800_000;
/** The real milliseconds between two attempts that count as a pause. */
const PAUSE_MS = 90;
/** The seconds of `Retry-After`, and the real milliseconds that count as having waited for them. */
const RETRY_AFTER = 2;
const WAITED_MS = RETRY_AFTER * 1000 - 50;
/** Real milliseconds within which a backend that lost a reply tries again. */
const AGAIN_MS = 3000;
/** Real milliseconds for which a reply is held back: longer than common timeouts, such as 30 s. */
const HELD_MS = 35_000;
/** Real milliseconds within which a backend may come to believe an event that it has accepted. */
const BELIEF_MS = 1000;
/** Real milliseconds for which an execution is under way while its quote expires. */
const UNDER_WAY_MS = 2000;

const SAME_KEY =
  'send one Idempotency-Key for a payment, made from its reference and stored before the first try, with every try';
const TRUTH =
  'what a call answered is not the end: let signed events decide, and GET /transactions/{id} where none comes';

const events = (count: number): string => `${count} event${count === 1 ? '' : 's'} acknowledged`;

async function plain(scene: Scene): Promise<string> {
  scene.pay();
  await scene.settled();
  scene.hasDebits(1, 'pay once for each reference; docs/first-payment.md shows the calls');
  scene.isAcknowledged();
  return `one debit, ${events(scene.events.length)}`;
}

/** Skips a check whose fault has matched nothing: the backend does not make that call. */
async function hasMet(scene: Scene, fault: string, call: string): Promise<void> {
  if ((await scene.desk.fired(fault)) > 0) return;
  // Nothing at all was paid: that is not another way of paying.
  scene.hasDebits(1, 'pay when --pay is called');
  throw new Skipped(`the backend never called ${call}`);
}

/** Returns a check that loses the reply of an operation after it took effect. */
const lost =
  (operation: string) =>
  async (scene: Scene): Promise<string> => {
    const fault = await scene.fault({ match: { operation, times: 1 }, then: { drop: true, when: 'after' } });
    const tries = (): number => scene.posts.filter((post) => post.operation === operation).length;
    scene.pay();
    await scene.until(() => tries() > 0);
    await scene.until(() => tries() > 1 || scene.paysEnded, AGAIN_MS);
    await scene.until(
      async () => {
        if (scene.debits.length > 0) return scene.isSent && (!scene.canAsk || (await scene.believes()) === 'paid');
        return scene.canAsk && scene.paysEnded && (await scene.believes()) === 'failed';
      },
      scene.canAsk ? undefined : AGAIN_MS,
    );
    await scene.quiet();
    await hasMet(scene, fault, operation);
    scene.hasDebits(0, SAME_KEY);
    const isPaid = scene.debits.length === 1;
    await scene.isBelieved(
      isPaid ? 'paid' : 'failed',
      isPaid ? 'the money has left' : 'no money has left, and no try is under way',
      `a lost reply is not a failure: try again, or ask what happened; ${SAME_KEY}`,
    );
    return isPaid ? 'the reply was lost, and one debit was made' : 'the reply was lost, and the payment was given up';
  };

/** Returns the POSTs with the path of the first refused one, which are attempts of the same call. */
const triesOf = (posts: readonly Seen[], refused: (post: Seen) => boolean): Seen[] => {
  const first = posts.find(refused);
  return first ? posts.filter(({ path }) => path === first.path) : [];
};

async function unavailable(scene: Scene): Promise<string> {
  const fault = await scene.fault({ match: { method: 'POST', times: 2 }, then: { status: 503 } });
  scene.pay();
  await scene.settled();
  await hasMet(scene, fault, 'a POST');
  scene.hasDebits(
    1,
    'try again after a 503: nothing was done; and with the same Idempotency-Key, because it might have been',
  );
  const tries = triesOf(scene.posts, ({ status }) => status === 503);
  for (const [i, one] of tries.slice(0, -1).entries()) {
    const next = tries[i + 1] as Seen;
    const gap = scene.gap(one, next);
    if (one.status === 503 && gap < PAUSE_MS)
      throw new Failed(
        'a pause between two tries',
        `${next.id} followed the 503 of ${one.id} after ${Math.round(gap)} ms`,
        [one.id, next.id],
        'wait before each further try, twice as long each time, with some chance in it',
      );
  }
  return 'two 503, then one debit, with pauses between the tries';
}

async function rateLimited(scene: Scene): Promise<string> {
  const then = { status: 429, retryAfter: RETRY_AFTER };
  const fault = await scene.fault({ match: { method: 'POST', times: 1 }, then });
  scene.pay();
  await scene.settled();
  await hasMet(scene, fault, 'a POST');
  const at = scene.posts.findIndex(({ status }) => status === 429);
  const [limited, next] = scene.posts.slice(at);
  const gap = limited && next ? scene.gap(limited, next) : WAITED_MS;
  if (gap < WAITED_MS)
    throw new Failed(
      `no call within ${RETRY_AFTER} s of a 429 with Retry-After: ${RETRY_AFTER}`,
      `${next?.id} followed after ${Math.round(gap)} ms`,
      [limited, next].flatMap((one) => one?.id ?? []),
      'wait as many seconds as Retry-After says before the next call, whatever your own pauses are',
    );
  scene.hasDebits(1, 'try again after a 429, once Retry-After has passed');
  return `one debit, and no call within ${RETRY_AFTER} s of the 429`;
}

async function slow(scene: Scene): Promise<string> {
  const { desk } = scene;
  const operation = 'executeQuote';
  const fault = await scene.fault({ match: { operation, times: 1 }, then: { delayMs: HELD_MS, when: 'after' } });
  const tries = (): number => scene.posts.filter((post) => post.operation === operation).length;
  scene.pay();
  await scene.until(async () => scene.debits.length > 0 || (await desk.fired(fault)) > 0);
  if ((await desk.fired(fault)) === 0) {
    await scene.settled();
    await hasMet(scene, fault, operation);
  }
  // A second attempt is a sign, too: a client may give a call up and leave its connection open.
  await scene.until(async () => tries() > 1 || (await desk.held(fault)).waiting === 0, HELD_MS + AGAIN_MS);
  const isGivenUp = tries() > 1 || (await desk.held(fault)).gaveUp > 0;
  const hadAnswered = scene.paysEnded;
  if (isGivenUp) await scene.until(() => tries() > 1 || (scene.paysEnded && !hadAnswered), AGAIN_MS);
  await scene.settled();
  scene.hasDebits(0, `a timeout is a lost reply, not a failure; ${SAME_KEY}`);
  if (!isGivenUp)
    throw new Failed(
      'a call without a reply is given up',
      `the connection was still open after ${HELD_MS / 1000} s, and there was no second attempt`,
      scene.lookAt(),
      'set a timeout for each call: many clients have none unless it is set',
    );
  return 'the call was given up, and one debit was made';
}

async function twice(scene: Scene): Promise<string> {
  scene.pay();
  scene.pay();
  await scene.settled('paid', () => scene.paysEnded);
  scene.hasDebits(
    1,
    'store a payment under its reference before it is made; a second order for it is the same payment',
  );
  return 'two orders for one reference, one debit';
}

/**
 * Checks that an event changed nothing: it is acknowledged, moves no money, and the belief is that of the last state.
 */
async function unmoved(scene: Scene, hint: string): Promise<void> {
  scene.hasDebits(1, hint);
  const [debit] = scene.debits;
  const about = scene.events.filter(({ subject }) => subject === debit?.payment.id);
  // The service also takes a 409, from a receiver that knows the event already, as the end of a delivery.
  scene.isAcknowledged(about, 409);
  await scene.isBelieved('paid', 'the payment is COMPLETED', hint);
}

async function duplicate(scene: Scene): Promise<string> {
  await scene.fault({ match: { webhook: '*' }, then: { duplicate: true } });
  scene.pay();
  await scene.settled();
  await unmoved(
    scene,
    'remember the id of each event that was applied, and answer 2xx to one that you know without applying it',
  );
  return `each of ${scene.events.length} events was sent twice, and changed nothing the second time`;
}

async function disorder(scene: Scene): Promise<string> {
  const late = (end: string, delayMs: number) =>
    scene.fault({ match: { webhook: `OUTGOING_PAYMENT.${end}`, times: 1 }, then: { reorder: true, delayMs } });
  await late('PROCESSING', 60_000);
  await late('PENDING', 120_000);
  scene.pay();
  await scene.until(() =>
    scene.events.some(({ type, attempts }) => type === 'OUTGOING_PAYMENT.COMPLETED' && attempts.length > 0),
  );
  await scene.quiet();
  await scene.moveClock({ advance: 'PT3M' });
  await scene.settled();
  await unmoved(scene, 'never go back: a payment that is COMPLETED takes no PENDING and no PROCESSING any more');
  return 'COMPLETED arrived before PROCESSING and PENDING, and is what counts';
}

async function late(scene: Scene): Promise<string> {
  await scene.fault({ match: { webhook: 'OUTGOING_PAYMENT*', times: 1 }, then: { delayMs: TWO_DAYS_MS } });
  scene.pay();
  await scene.until(() => scene.debits.length > 0);
  await scene.quiet();
  await scene.moveClock({ advance: 'P2D' });
  await scene.settled();
  await unmoved(scene, 'take an event whenever it comes: its signature and its id say enough, its age nothing');
  return 'events that arrived two days late were taken';
}

/** Keeps a payment under way, and returns its event that says so. */
async function underWay(scene: Scene): Promise<Event> {
  await scene.desk.setPolicies({ 'transaction.settle': 'hold' });
  scene.pay();
  const isUnderWay = ({ type }: Event): boolean => type === 'OUTGOING_PAYMENT.PROCESSING';
  await scene.until(() => scene.debits.length > 0 && scene.isSent && scene.events.some(isUnderWay));
  await scene.quiet();
  scene.hasDebits(1, 'pay when --pay is called');
  const event = scene.events.find(isUnderWay);
  if (!event) throw new Skipped('no payment of this backend is PROCESSING before it ends');
  return event;
}

/** Ends the payment that `underWay` has kept, with the given outcome. */
async function decide(scene: Scene, outcome: 'COMPLETED' | 'FAILED'): Promise<void> {
  await scene.desk.setPolicies({ 'transaction.settle': 'at once' });
  await scene.desk.ask('POST', `/transactions/${scene.debits[0]?.payment.id}/outcome`, { outcome });
}

/** The event as it is sent; and the same event with a false statement: that the payment is COMPLETED. */
interface Message {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

function untrue({ url, headers, body }: Message): Message {
  const event = JSON.parse(body);
  const said = {
    ...event,
    id: `Webhook:${randomUUID()}`,
    type: 'OUTGOING_PAYMENT.COMPLETED',
    data: { ...event.data, status: 'COMPLETED' },
  };
  return { url, headers, body: JSON.stringify(said) };
}

/** Posts an event that must not be believed; returns the status of the response. */
async function post({ url, headers, body }: Message, { allowsRemote }: Rules): Promise<number> {
  checkUrl('the webhook endpoint', url, allowsRemote);
  try {
    const sent = { 'content-type': 'application/json', ...headers };
    const options = { method: 'POST', body, headers: sent, redirect: 'manual', signal: AbortSignal.timeout(10_000) };
    const { status } = await fetch(url, options as RequestInit);
    return status;
  } catch {
    throw new Skipped(`${url} cannot be reached from here, only by the emulator`);
  }
}

const VERIFY =
  'verify the signature over the bytes of the body as they arrived, before anything parses them, and answer 401 where it does not hold';

/** An event that must be refused: its description, and the function that makes it from a genuine one. */
type Lie = readonly [what: string, make: (message: Message) => Message];

/** Returns in words whether an event that was not refused changed the backend's belief. */
async function effectOf(scene: Scene, before: Belief): Promise<string> {
  if (!scene.canAsk) return '; whether it was believed is unknown without --ask';
  const isBelieved = await scene.until(async () => (await scene.believes()) === 'paid', BELIEF_MS);
  if (!isBelieved) return ', but not believed: --ask does not say paid';
  return before === 'paid'
    ? '; whether it was believed is unknown, for --ask said paid before'
    : `, and it was believed: --ask answers ${scene.answer}`;
}

/** Returns a check that posts false events while the payment is under way. */
const lies =
  (...all: readonly Lie[]) =>
  async (scene: Scene, rules: Rules): Promise<string> => {
    const { id } = await underWay(scene);
    const before = await scene.believes();
    const message = await scene.desk.ask<Message>('GET', `/webhooks/${id}/request`);
    for (const [what, make] of all) {
      const status = await post(make(message), rules);
      if (status < 400 || status > 499) {
        const seen = `it was answered with ${status}${await effectOf(scene, before)}`;
        throw new Failed(`a 4xx for ${what}`, seen, [id], VERIFY);
      }
    }
    await scene.quiet();
    const after = await scene.believes();
    const [[what]] = all as readonly [Lie];
    if (after !== before && after !== undefined)
      throw new Failed(
        `${what} changes no belief`,
        `the payment is PROCESSING, and --ask answers since then: ${scene.answer}`,
        [id],
        VERIFY,
      );
    await decide(scene, 'COMPLETED');
    await scene.desk.release(scene.isOld);
    await scene.settled();
    return `${what} was refused${scene.canAsk ? ', and changed nothing' : '; what it changed is unknown without --ask'}`;
  };

/** Holds the event back until then: nobody knows its id, so that nothing but its signature can be wrong. */
async function altered(scene: Scene, rules: Rules): Promise<string> {
  await scene.fault({ match: { webhook: 'OUTGOING_PAYMENT.PROCESSING', times: 1 }, then: { drop: true } });
  return lies(
    ['an event that was changed after it was signed', untrue],
    [
      'an event with one more space than was signed',
      (message) => ({ ...message, body: message.body.replace('{', '{ ') }),
    ],
  )(scene, rules);
}

const forge = (message: Message): Message => {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const s = sign('sha256', Buffer.from(message.body), privateKey).toString('base64');
  const [name = 'x-service-signature'] = Object.keys(message.headers);
  return { ...message, headers: { [name]: JSON.stringify({ v: '1', s }) } };
};

async function receiverDown(scene: Scene): Promise<string> {
  scene.needsAsk();
  await scene.fault({ match: { webhook: '*' }, then: { status: 503 } });
  scene.pay();
  await scene.until(() => scene.debits.length > 0 && scene.isSent && scene.events.length > 0);
  await scene.quiet();
  await scene.moveClock({ advance: HOUR });
  await scene.withoutFaults();
  await scene.moveClock({ advance: LONGEST_PAUSE });
  await scene.settled();
  await unmoved(
    scene,
    'leave a payment open until an event or GET /transactions/{id} says how it ended; silence is not an end',
  );
  return 'no event arrived for an hour, and the belief is right afterwards';
}

async function failed(scene: Scene): Promise<string> {
  scene.needsAsk();
  const { id } = await underWay(scene);
  if ((await scene.believes()) === 'paid')
    throw new Failed('not paid while the payment is PROCESSING', `--ask answers: ${scene.answer}`, [id], TRUTH);
  await decide(scene, 'FAILED');
  await scene.settled('failed');
  scene.hasDebits(1, 'a payment that failed is not tried again by itself: its money comes back first');
  await scene.isBelieved('failed', 'the payment is FAILED', 'take OUTGOING_PAYMENT.FAILED as the end of the payment');
  return 'the belief followed a payment that failed';
}

async function returned(scene: Scene): Promise<string> {
  scene.needsAsk();
  scene.pay();
  await scene.settled();
  scene.hasDebits(1, 'pay when --pay is called');
  await scene.isBelieved('paid', 'the payment is COMPLETED', TRUTH);
  const outcome = { outcome: 'RETURNED' };
  const path = `/transactions/${scene.debits[0]?.payment.id}/outcome`;
  const refusal = await scene.desk.ask('POST', path, outcome).then(
    () => undefined,
    (error: Error & { status?: number }) => error,
  );
  // A payment that stays within the platform: no bank returns it.
  if (refusal?.status === 409) throw new Skipped(refusal.message);
  if (refusal) throw refusal;
  await scene.settled('failed');
  scene.hasDebits(1, 'a payment that was returned is not tried again by itself');
  await scene.isBelieved(
    'failed',
    'the bank has returned the money',
    'COMPLETED is not for ever: OUTGOING_PAYMENT.FAILED may follow it (PAYOUT_RETURNED), and the money comes back',
  );
  return 'the belief followed a payment that the bank returned';
}

interface Quote {
  readonly id: string;
  readonly expiresAt: string;
  readonly transactionId: string;
}

async function expired(scene: Scene): Promise<string> {
  const operation = 'executeQuote';
  const fault = await scene.fault({ match: { operation }, then: { delayMs: UNDER_WAY_MS } });
  scene.pay();
  const isUnderWay = await scene.until(async () => scene.debits.length > 0 || (await scene.desk.fired(fault)) > 0);
  if (!isUnderWay || scene.debits.length > 0) await hasMet(scene, fault, operation);
  const { data } = await scene.desk.ask<{ data: readonly Quote[] }>('GET', '/tables/quotes?limit=1');
  const quote = data[0] as Quote;
  await scene.moveClock({ to: new Date(Date.parse(quote.expiresAt) + 1000).toISOString() });
  await scene.look();
  if (scene.debits.some(({ payment }) => payment.id === quote.transactionId))
    throw new Skipped('this machine is too slow to let a quote expire while it is executed');
  await scene.withoutFaults();
  const { id, transactionId } = quote;
  const isOver = () => scene.posts.some(({ path, status }) => path.includes(id) && status >= 400);
  await scene.until(isOver);
  await scene.until(() => scene.paysEnded, AGAIN_MS);
  await scene.quiet();
  const wrong = scene.debits.find(({ payment }) => payment.id === transactionId);
  if (wrong) throw new Failed('no debit from a quote that expired', 'a debit was made', [wrong.call ?? id]);
  const isPaid = scene.debits.length > 0;
  if (isPaid) await scene.settled();
  scene.hasDebits(0, SAME_KEY);
  const lookAt = scene.posts.filter(({ path }) => path.includes(id)).map((post) => post.id);
  if (scene.canAsk && !isPaid && (await scene.believes()) === 'paid')
    throw new Failed(
      'not paid: the quote expired and no money has left',
      `--ask answers: ${scene.answer}`,
      lookAt.slice(-1),
      'read the reason of a 409: QUOTE_EXPIRED is not a payment; ask for a new quote, or give the payment up',
    );
  return isPaid ? 'the quote expired, and another one was paid' : 'the quote expired, and nothing was paid';
}

/** Every check, in running order: those that move the clock by days are last. */
export const CHECKS: readonly Check[] = [
  { name: 'plain', about: 'one debit, every event acknowledged', run: plain },
  {
    name: 'lost-quote',
    about: 'the reply of POST /quotes is lost after it took effect',
    loses: true,
    run: lost('createQuote'),
  },
  {
    name: 'lost-execute',
    about: 'the reply of the execution is lost after it took effect',
    loses: true,
    run: lost('executeQuote'),
  },
  { name: 'unavailable', about: '503 twice, then well', run: unavailable },
  { name: 'rate-limited', about: '429 with Retry-After', run: rateLimited },
  { name: 'slow', about: 'the reply of the execution comes after 35 s', loses: true, run: slow },
  { name: 'twice', about: 'one reference is paid twice', run: twice },
  { name: 'duplicate', about: 'each event is sent twice', run: duplicate },
  { name: 'altered', about: 'an event was changed after it was signed', run: altered },
  {
    name: 'forged',
    about: 'an event is signed with another key',
    run: lies(['an event signed with another key', (message) => forge(untrue(message))]),
  },
  {
    name: 'unsigned',
    about: 'an event has no signature',
    run: lies(['an event without a signature', (message) => ({ ...untrue(message), headers: {} })]),
  },
  { name: 'failed', about: 'the payment fails', run: failed },
  { name: 'returned', about: 'the bank returns the payment after it was completed', run: returned },
  { name: 'disorder', about: 'events come in the wrong order', moves: true, run: disorder },
  { name: 'expired', about: 'the quote expires while its execution is under way', moves: true, run: expired },
  { name: 'receiver-down', about: 'no event can be received for an hour', moves: true, run: receiverDown },
  { name: 'late', about: 'events come two days late', moves: true, run: late },
];

/** Returns the checks with these names, or all without names. Throws `Unable` for an unknown name. */
export function checksOf(only: readonly string[] | undefined): readonly Check[] {
  if (!only || only.length === 0) return CHECKS;
  const unknown = only.find((name) => !CHECKS.some((check) => check.name === name));
  if (unknown !== undefined)
    throw new Unable(`there is no check ${unknown}; there are ${CHECKS.map(({ name }) => name).join(', ')}`);
  return CHECKS.filter(({ name }) => only.includes(name));
}
