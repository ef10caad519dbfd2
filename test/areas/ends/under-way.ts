import { perUnit, pulled, transactionOf } from '../../../src/areas/transactions/index.ts';
import { MERCHANT } from '../../kit/cards.ts';
import type { Answer } from '../../kit/sandbox.ts';
import { clientKey } from '../../kit/wallet.ts';
import { form } from '../onboarding/material.ts';
import { bankOf, IDS, ok, type Stage, said } from './stage.ts';

const CODE = '123456';
const CLIENT = clientKey();
/** A file with one person in it. */
const PEOPLE = `umaAddress,platformCustomerId,customerType,fullName,birthDate,addressLine1,city,state,postalCode,country
$ina@pay.example,ina,INDIVIDUAL,Ina Berg,1990-01-02,1 Elm Ct,Tacoma,WA,98402,US
`;
const account = (accountId: string) => ({ sourceType: 'ACCOUNT', accountId });
const to = (accountId: string) => ({ destinationType: 'ACCOUNT', accountId });

/** Something that has begun and waits: how it begins, and what is done next. What comes of that is said in a few words. */
export interface Thing {
  /** The card or agent that it is about, where it is about one. */
  readonly card?: string;
  readonly agent?: string;
  begin(it: Stage): Promise<string>;
  /** What no state holds, a connection say: begun anew before each end. */
  resume?(it: Stage): unknown;
  next(it: Stage, id: string): Promise<string>;
}

/** How a payment stands once everything due has happened, and what of its 10.00 left Eva, or came to her. */
async function ended(it: Stage, id: string, before: number, accountId: string): Promise<string> {
  await it.advance('PT10S');
  const { status, failureReason } = transactionOf(it.sandbox.world, id) as { status: string; failureReason?: string };
  const moved = it.holds(accountId) - before;
  const money = moved === 0 ? 'nothing moved' : `${moved > 0 ? '+' : '−'}${Math.abs(moved) / 100}`;
  return [failureReason ? `${status} ${failureReason}` : status, money].join(', ');
}

/** The rest of a call that has begun. */
const coming = new WeakMap<Stage, () => Promise<Answer>>();

/** What was sent, to be sent again. */
const again = new WeakMap<Stage, object>();

/** What Eva's dollars were when a thing began. */
const dollars = new WeakMap<Stage, { account: string; held: number }>();
async function mark(it: Stage, owner: string = IDS.eva): Promise<string> {
  const own = await it.own(owner);
  dollars.set(it, { account: own, held: it.holds(own) });
  return own;
}
const payment = async (it: Stage, id: string): Promise<string> => {
  const { account: own, held } = dollars.get(it) as { account: string; held: number };
  return ended(it, id, held, own);
};

/** What becomes of a payment to Bo, and what Bo has of it; he had 1,000.00. */
async function withBo(it: Stage, id: string): Promise<string> {
  const became = await payment(it, id);
  return `${became}; Bo +${(it.holds(await it.own(IDS.bo)) - 100_000) / 100}`;
}

async function quote(
  it: Stage,
  destination: object,
  source?: object,
  amount = 1000,
  call: Stage['post'] = it.post,
): Promise<Answer['body']> {
  const own = await mark(it);
  const locked = { lockedCurrencySide: 'SENDING', lockedCurrencyAmount: amount };
  return ok(await call('/quotes', { source: source ?? account(own), destination, ...locked }));
}
/** Executes a quote; a refusal is the outcome, else what becomes of its payment. */
const executed = async (it: Stage, quoteId: string, transactionId: string, headers = {}): Promise<string> => {
  const answer = await it.post(`/quotes/${quoteId}/execute`, {}, { headers });
  return answer.status >= 400 ? said(answer) : payment(it, transactionId);
};
/** Answers the challenge of a payment by a code, as its customer does. */
async function authorized(it: Stage, id: string): Promise<string> {
  const [quoteId, transactionId] = halves(id);
  const answer = await it.post(`/quotes/${quoteId}/authorize`, { code: CODE });
  const became = await payment(it, transactionId);
  return answer.status >= 400 ? `${said(answer)}: ${became}` : became;
}
const pair = (one: string, two: string): string => `${one} ${two}`;
const halves = (id: string): [string, string] => id.split(' ') as [string, string];

/** An authorization of 10.00 by card, to be told of further. */
const opens =
  (what: string, descriptor: string = MERCHANT.descriptor) =>
  (it: Stage) =>
    it.tell(what, { amount: 1000, currency: { code: 'USD' }, merchant: { ...MERCHANT, descriptor } });

/** How a payment by card stands, and what the account has paid for it so far, in cents. */
function card(it: Stage, id: string): string {
  const t = transactionOf(it.sandbox.world, id);
  if (t.type !== 'CARD') return t.status;
  const paid = pulled(t) / perUnit(t) - t.refunded;
  return `${t.status}, ${paid === 0 ? 'nothing paid' : `${paid / 100} paid`}`;
}
const told =
  (what: string, more: object = {}) =>
  async (it: Stage, id: string) => {
    await it.tell(what, { cardTransactionId: id, ...more });
    return card(it, id);
  };
const WORK = { card: IDS.work };
const EVERYDAY = { card: IDS.everyday };
const refunded = async (it: Stage) => {
  const id = await opens('authorization')(it);
  await it.tell('clearing', { cardTransactionId: id, amount: 1000 });
  await it.tell('return', { cardTransactionId: id, amount: 1000 });
  return id;
};

/** An order of Eva's agent that waits for approval. */
const orderOf = async (it: Stage): Promise<Answer['body']> => {
  const sent = { source: { accountId: await mark(it) }, destination: { accountId: IDS.bank }, amount: 1000 };
  return ok(await it.asAgent('POST', '/transfer-out', sent));
};
const decide = async (it: Stage, id: string): Promise<string> => {
  const answer = await it.post(`/agents/${IDS.agent}/actions/${id}/approve`);
  if (answer.status >= 400) return said(answer);
  const { status, transaction } = answer.body;
  if (transaction === undefined) return status;
  return transaction.status === 'PENDING_AUTHORIZATION'
    ? `${status}, ${transaction.status}`
    : `${status}: ${await payment(it, transaction.id)}`;
};

/** A call that its owner has to sign: what the signed one answers. */
const challenge = (
  method: string,
  path: (it: Stage) => Promise<string>,
  body: (it: Stage) => Promise<object | undefined>,
) => {
  const firsts = new WeakMap<Stage, readonly [Answer, string, object | undefined]>();
  return {
    begin: async (it: Stage) => {
      const [where, sent] = [await path(it), await body(it)];
      const first = await it.call(method, where, sent);
      ok(first);
      firsts.set(it, [first, where, sent]);
      return where;
    },
    /** Signs once, so that the next challenge waits. */
    sign: async (it: Stage) => {
      const [first, where, sent] = firsts.get(it) as readonly [Answer, string, object | undefined];
      const second = await it.signed(first, method, where, sent);
      ok(second);
      firsts.set(it, [second, where, sent]);
    },
    next: async (it: Stage) => {
      const [first, where, sent] = firsts.get(it) as readonly [Answer, string, object | undefined];
      return said(await it.signed(first, method, where, sent), 'none');
    },
  };
};

/** The same after the first of its signatures. */
const challengedTwice = (one: ReturnType<typeof challenge>): Thing => ({
  begin: async (it) => {
    const where = await one.begin(it);
    await one.sign(it);
    return where;
  },
  next: one.next,
});

/** The delegation of a key for another card of the wallet, which becomes the card that it is about. */
const DELEGATION = challenge(
  'POST',
  async () => '/auth/delegated-keys',
  async (it) => {
    const sent = { cardholderId: IDS.eva, form: 'VIRTUAL', fundingSources: [it.session.accountId] };
    const { id } = ok(await it.post('/cards', sent));
    await it.settle();
    it.card = id;
    return { cardId: id, internalAccountId: it.session.accountId, nickname: 'Another' };
  },
);

/** Deliveries whose receiver does not answer, and what becomes of the first of them. */
const NOBODY = 'http://127.0.0.1:9/hooks';
const delivery = async (it: Stage, id: string): Promise<string> => {
  await it.advance('PT3H');
  const { state, attempts } = (await it.control('GET', `/webhooks/${id}`)).body;
  return `${state}, ${attempts.length > 1 ? 'tried on' : attempts.length === 1 ? 'tried once' : 'never tried'}`;
};

/** A mint of 10.00 that somebody pays for, and what becomes of it. */
const mint = async (it: Stage, fundingSource: object, accountId: string): Promise<string> => {
  const sent = { amount: '10000000', fundingSource, destination: { accountId } };
  return ok(await it.post(`/stablecoins/${IDS.coin}/mints`, sent, { headers: { 'idempotency-key': 'mint' } })).id;
};
async function minted(it: Stage, id: string): Promise<string> {
  await it.advance('PT10S');
  return ok(await it.get(`/stablecoin-operations/${id}`)).status;
}
async function funded(it: Stage, id: string): Promise<string> {
  await it.advance('PT1S');
  const funds = await it.control('POST', `/stablecoin-operations/${id}/funds`, {});
  const became = await minted(it, id);
  return funds.status >= 400 ? `${said(funds)}: ${became}` : became;
}

/** Pia's email is verified, as her provider wants it before anything else, and her passport is there. */
async function passport(it: Stage): Promise<void> {
  await verified(it);
  const about = { country: 'FI', documentNumber: 'X1', issuingAuthority: 'FI' };
  const raw = form({ documentHolder: IDS.pia, documentType: 'PASSPORT', ...about });
  it.opened.document = ok(await it.post('/documents', undefined, { raw })).id;
}

/** Pia's email is verified, as her provider wants it before anything else. */
async function verified(it: Stage): Promise<void> {
  ok(await it.post(`/customers/${IDS.pia}/verify-email`));
  ok(await it.post(`/customers/${IDS.pia}/verify-email/confirm`, { code: CODE }));
}

/** A payment to Eva's UMA address that waits for approval, and its approval. */
const ANNOUNCED: Thing = {
  begin: async (it) => {
    ok(await it.control('PUT', '/webhooks/endpoint', { url: NOBODY }));
    ok(await it.control('POST', '/webhooks/pause'));
    await mark(it);
    const sent = {
      senderUmaAddress: '$success.usd@sandbox.uma.money',
      receiverUmaAddress: '$eva@pay.example',
      receivingCurrencyCode: 'USD',
      receivingCurrencyAmount: 1000,
    };
    return ok(await it.post('/sandbox/uma/receive', sent)).id;
  },
  next: async (it, id) => {
    const answer = await it.post(`/transactions/${id}/approve`, {});
    const became = await payment(it, id);
    return answer.status >= 400 ? `${said(answer)}: ${became}` : became;
  },
};

/** Everything that can be under way, what begins it, and the step that comes next. */
export const THINGS = {
  // Payments
  'a payout on its way': {
    begin: async (it) => {
      const sent = { source: { accountId: await mark(it) }, destination: { accountId: IDS.bank }, amount: 1000 };
      return ok(await it.post('/transfer-out', sent)).id;
    },
    next: payment,
  },
  'a payout that a bank returns': {
    begin: async (it) => {
      const sent = { source: { accountId: await mark(it) }, destination: { accountId: IDS.bank }, amount: 1000 };
      const { id } = ok(await it.post('/transfer-out', sent));
      await it.advance('PT10S');
      return id;
    },
    next: async (it, id) => {
      ok(await it.control('POST', `/transactions/${id}/outcome`, { outcome: 'RETURNED' }));
      return payment(it, id);
    },
  },
  'a payout whose refund is on its way': {
    begin: async (it) => {
      const made = await quote(it, to(IDS.failing));
      ok(await it.post(`/quotes/${made.id}/execute`, {}));
      return made.transactionId;
    },
    next: payment,
  },
  'a payout whose return is on its way': {
    begin: async (it) => {
      const made = await quote(it, to(IDS.returning));
      ok(await it.post(`/quotes/${made.id}/execute`, {}));
      return made.transactionId;
    },
    next: payment,
  },
  'a payment that cannot be collected and has to be cancelled': {
    begin: async (it) => {
      const made = await quote(it, to(IDS.bank), account(IDS.failing));
      ok(await it.control('PUT', '/policies', { 'transaction.settle': 'hold' }));
      const executed = await it.post(`/quotes/${made.id}/execute`, {});
      // In profile grid the money of a bank has to be sent.
      if (executed.status === 400) ok(await it.post('/sandbox/send', { quoteId: made.id, currencyCode: 'USD' }));
      return made.transactionId;
    },
    next: async (it, id) => {
      ok(await it.control('PUT', '/policies', { 'transaction.settle': 'at once' }));
      ok(await it.post(`/transactions/${id}/cancel`));
      const became = await payment(it, id);
      return (await it.get(`/transactions/${id}`)).body.refund ? `${became}, refunded` : became;
    },
  },
  'a payout on a chain whose hash is awaited': {
    begin: async (it) => {
      const made = await quote(it, to(IDS.chain));
      ok(await it.post(`/quotes/${made.id}/execute`, {}));
      await it.settle();
      return made.transactionId;
    },
    next: async (it, id) => {
      const became = await payment(it, id);
      const { destination } = (await it.get(`/transactions/${id}`)).body;
      return `${became}, ${destination.onChainTransaction ? 'with its hash' : 'without a hash'}`;
    },
  },
  'a payout that is retried with its key': {
    begin: async (it) => {
      const sent = { source: { accountId: await mark(it) }, destination: { accountId: IDS.bank }, amount: 1000 };
      const first = await it.post('/transfer-out', sent, { headers: { 'idempotency-key': 'once' } });
      again.set(it, sent);
      return ok(first).id;
    },
    next: async (it, id) => {
      const second = await it.post('/transfer-out', again.get(it), { headers: { 'idempotency-key': 'once' } });
      return `${second.body.id === id ? 'the first answer' : said(second)}: ${await payment(it, id)}`;
    },
  },
  'a collection on its way': {
    begin: async (it) => {
      const sent = { source: { accountId: IDS.bank }, destination: { accountId: await mark(it) }, amount: 1000 };
      return ok(await it.post('/transfer-in', sent)).id;
    },
    next: payment,
  },
  'a quote that nobody executed': {
    begin: async (it) => {
      const made = await quote(it, to(IDS.bank));
      return pair(made.id, made.transactionId);
    },
    next: (it, id) => executed(it, ...halves(id)),
  },
  'a quote of the wallet that nobody executed': {
    begin: async (it) => {
      const made = await quote(it, to(await it.own(IDS.eva)), account(it.session.accountId), 10_000_000);
      return pair(made.id, made.transactionId);
    },
    next: async (it, id) => {
      const [quoteId, transactionId] = halves(id);
      const { paymentInstructions } = (await it.get(`/quotes/${quoteId}`)).body;
      const [{ accountOrWalletInfo }] = paymentInstructions;
      const headers = await it.stamped(accountOrWalletInfo.payloadToSign);
      const became = await executed(it, quoteId, transactionId, headers);
      return became.startsWith('PENDING_AUTHORIZATION') ? authorized(it, id) : became;
    },
  },
  'a payment of the wallet, signed, that waits for its proof': {
    begin: async (it) => {
      const made = await quote(it, to(await it.own(IDS.eva)), account(it.session.accountId), 10_000_000);
      const [{ accountOrWalletInfo }] = made.paymentInstructions;
      ok(
        await it.post(
          `/quotes/${made.id}/execute`,
          {},
          { headers: await it.stamped(accountOrWalletInfo.payloadToSign) },
        ),
      );
      return pair(made.id, made.transactionId);
    },
    next: authorized,
  },
  'a quote to a wallet elsewhere that nobody executed': {
    begin: async (it) => {
      const made = await quote(it, to(IDS.chain));
      return pair(made.id, made.transactionId);
    },
    next: (it, id) => executed(it, ...halves(id)),
  },
  'a payment to a wallet elsewhere that waits for its proof': {
    begin: async (it) => {
      const accountInfo = { accountType: 'BASE_WALLET', address: '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB' };
      const sent = { customerId: IDS.eva, currency: 'USDC', ownershipType: 'FIRST_PARTY', accountInfo };
      it.bank = ok(await it.post('/customers/external-accounts', sent)).id;
      const made = await quote(it, to(it.bank as string));
      ok(await it.post(`/quotes/${made.id}/execute`, {}));
      return pair(made.id, made.transactionId);
    },
    next: authorized,
  },
  'a quote that waits for its funds': {
    begin: async (it) => {
      const source = { sourceType: 'REALTIME_FUNDING', currency: 'USD', customerId: IDS.bo };
      await mark(it);
      const made = await quote(it, to(await it.own(IDS.eva)), source);
      return pair(made.id, made.transactionId);
    },
    next: async (it, id) => {
      const [quoteId, transactionId] = halves(id);
      const answer = await it.post('/sandbox/send', { quoteId, currencyCode: 'USD' });
      return answer.status >= 400 ? said(answer) : payment(it, transactionId);
    },
  },
  'a quote from a wallet elsewhere that waits for its proof': {
    begin: async (it) => {
      const made = await quote(it, to(await it.own(IDS.eva)), account(IDS.chain), 10_000_000);
      return pair(made.id, made.transactionId);
    },
    next: async (it, id) => {
      const [quoteId, transactionId] = halves(id);
      const answer = await it.post(`/quotes/${quoteId}/authorize`, { code: CODE });
      if (answer.status >= 400) return `${said(answer)}: ${await payment(it, transactionId)}`;
      ok(await it.post('/sandbox/send', { quoteId, currencyCode: 'USDC' }));
      return payment(it, transactionId);
    },
  },
  'a quote to a trusted account that waits for its funds': {
    begin: async (it) => {
      const source = { sourceType: 'REALTIME_FUNDING', currency: 'USD', customerId: IDS.eva };
      const made = await quote(it, to(IDS.bank), source);
      return pair(made.id, made.transactionId);
    },
    next: async (it, id) => {
      const [quoteId, transactionId] = halves(id);
      const answer = await it.post('/sandbox/send', { quoteId, currencyCode: 'USD' });
      return answer.status >= 400 ? said(answer) : payment(it, transactionId);
    },
  },
  'a payment that waits for its proof': {
    begin: async (it) => {
      const made = await quote(it, to(IDS.strange));
      ok(await it.post(`/quotes/${made.id}/execute`, {}));
      return pair(made.id, made.transactionId);
    },
    next: authorized,
  },
  'a payment that waits for a passkey': {
    begin: async (it) => {
      const made = await quote(it, to(IDS.strange));
      ok(await it.post(`/quotes/${made.id}/execute`, { scaFactor: 'PASSKEY' }));
      return pair(made.id, made.transactionId);
    },
    next: async (it, id) => {
      const [quoteId, transactionId] = halves(id);
      const proof = { passkeyAssertion: { any: 'passkey' }, origin: 'https://app.example.org' };
      const answer = await it.post(`/quotes/${quoteId}/authorize`, proof);
      const became = await payment(it, transactionId);
      return answer.status >= 400 ? `${said(answer)}: ${became}` : became;
    },
  },
  'a payment to another customer that waits for a proof of the payer': {
    begin: async (it) => {
      const made = await quote(it, to(await it.own(IDS.bo)));
      ok(await it.post(`/quotes/${made.id}/execute`, {}));
      return pair(made.id, made.transactionId);
    },
    next: authorized,
  },
  'a payment between customers on its way': {
    begin: async (it) => {
      const made = await quote(it, to(await it.own(IDS.bo)));
      ok(await it.post(`/quotes/${made.id}/execute`, {}));
      ok(await it.post(`/quotes/${made.id}/authorize`, { code: CODE }));
      return made.transactionId;
    },
    next: withBo,
  },
  'a payment to the UMA address of a customer on its way': {
    begin: async (it) => {
      const { lookupId } = ok(await it.get(`/receiver/uma/${encodeURIComponent('$bo@pay.example')}`));
      const destination = { destinationType: 'UMA_ADDRESS', umaAddress: '$bo@pay.example', currency: 'USD' };
      const own = await mark(it);
      const locked = { lockedCurrencySide: 'SENDING', lockedCurrencyAmount: 1000, lookupId };
      const made = ok(await it.post('/quotes', { source: account(own), destination, ...locked }));
      // Its jobs are due at once, and would run before the next call.
      it.sandbox.world.scheduler.sleep();
      ok(await it.post(`/quotes/${made.id}/execute`, {}));
      ok(await it.post(`/quotes/${made.id}/authorize`, { code: CODE }));
      return made.transactionId;
    },
    resume: async (it) => it.sandbox.world.scheduler.sleep(),
    next: (it, id) => {
      it.sandbox.world.scheduler.wake();
      return withBo(it, id);
    },
  },
  'an incoming payment that waits for approval': ANNOUNCED,
  'an incoming payment for a chosen bank account that waits for approval': {
    begin: async (it) => {
      const accountInfo = { accountType: 'USD_ACCOUNT', accountNumber: '000000999', routingNumber: '021000021' };
      const beneficiary = { beneficiaryType: 'INDIVIDUAL', fullName: 'Eva Berg' };
      const sent = { customerId: IDS.eva, currency: 'USD', accountInfo: { ...accountInfo, beneficiary } };
      it.bank = ok(await it.post('/customers/external-accounts', { ...sent, defaultUmaDepositAccount: true })).id;
      const { data } = (await it.control('GET', '/jobs')).body;
      const opening = data.find((job: { kind: string }) => job.kind === 'external-account.activate');
      ok(await it.control('POST', `/jobs/${opening.id}/run`));
      return ANNOUNCED.begin(it);
    },
    next: ANNOUNCED.next,
  },

  // Payments by card
  'a hold on a card, cleared': { ...WORK, begin: opens('authorization'), next: told('clearing', { amount: 1000 }) },
  'a hold on a card, cleared for more': {
    ...WORK,
    begin: opens('authorization'),
    next: told('clearing', { amount: 1500 }),
  },
  'a hold on a card that nobody clears': {
    ...WORK,
    begin: opens('authorization'),
    next: async (it, id) => {
      await it.advance('P8D');
      return card(it, id);
    },
  },
  'a pull on its way': {
    ...WORK,
    begin: opens('authorization', 'SHOP 005'),
    next: async (it, id) => {
      await it.advance('PT31S');
      return card(it, id);
    },
  },
  'a return of a card payment': {
    ...WORK,
    begin: opens('financial_authorization'),
    next: told('return', { amount: 1000 }),
  },
  'a return that is reversed': { ...WORK, begin: refunded, next: told('return_reversal') },
  'a card that is used again': {
    ...WORK,
    begin: async () => '',
    next: async (it) => {
      const id = await opens('authorization')(it);
      return id === '' ? 'declined' : card(it, id);
    },
  },
  "a hold on a wallet's card, cleared": {
    ...EVERYDAY,
    begin: opens('authorization'),
    next: told('clearing', { amount: 1000 }),
  },
  "a hold on a wallet's card, cleared for more": {
    ...EVERYDAY,
    begin: opens('authorization'),
    next: told('clearing', { amount: 1500 }),
  },
  "a hold on a wallet's card, raised": {
    ...EVERYDAY,
    begin: opens('authorization'),
    next: told('authorization_advice', { amount: 1500 }),
  },
  'a pull from a wallet on its way': {
    ...EVERYDAY,
    begin: opens('authorization', 'SHOP 005'),
    next: async (it, id) => {
      await it.advance('PT31S');
      return card(it, id);
    },
  },
  'a return to a wallet that is reversed': { ...EVERYDAY, begin: refunded, next: told('return_reversal') },
  "a wallet's card that is used again": {
    ...EVERYDAY,
    begin: async () => '',
    next: async (it) => {
      const id = await opens('authorization')(it);
      return id === '' ? 'declined' : card(it, id);
    },
  },

  // Challenges of a wallet
  "a change of a wallet's privacy": challenge(
    'PATCH',
    async (it) => `/internal-accounts/${await it.own(IDS.eva, 'USDB')}`,
    async () => ({ privateEnabled: true }),
  ),
  'an export of a wallet': challenge(
    'POST',
    async (it) => `/internal-accounts/${await it.own(IDS.eva, 'USDB')}/export`,
    async () => ({ clientPublicKey: CLIENT.uncompressed }),
  ),
  'a change of a tied email': challenge(
    'PATCH',
    async () => `/customers/${IDS.eva}`,
    async () => ({ email: 'new@example.com' }),
  ),
  'a refresh of a session': challenge(
    'POST',
    async (it) => `/auth/sessions/${it.session.id}/refresh`,
    async () => ({ clientPublicKey: CLIENT.compressed }),
  ),
  'a delegated key, first leg': DELEGATION,
  'a delegated key, second leg': challengedTwice(DELEGATION),
  'a code that was sent to log in': {
    begin: async (it) => {
      const { credential } = it.session;
      again.set(it, await it.sealed(clientKey(), credential));
      return credential;
    },
    next: async (it, id) => said(await it.post(`/auth/credentials/${id}/verify`, again.get(it)), 'none'),
  },

  // Strong authentication
  'trust that waits for its proof': {
    begin: async (it) => ok(await it.post(`/customers/external-accounts/${IDS.strange}/trust`)).scaChallenge.id,
    next: async (it, challengeId) =>
      said(
        await it.post(`/customers/external-accounts/${IDS.strange}/trust/confirm`, { challengeId, code: CODE }),
        'none',
      ),
  },
  'the end of trust that waits for its proof': {
    begin: async (it) => ok(await it.post(`/customers/external-accounts/${IDS.bank}/untrust`)).scaChallenge.id,
    next: async (it, challengeId) =>
      said(
        await it.post(`/customers/external-accounts/${IDS.bank}/untrust/confirm`, { challengeId, code: CODE }),
        'none',
      ),
  },
  'a login with strong authentication': {
    begin: async (it) => ok(await it.sca('POST', '/login/start', { factor: 'SMS_OTP' })).challengeId,
    next: async (it, challengeId) =>
      said(
        await it.sca('POST', '/login/complete', {
          factor: 'SMS_OTP',
          challengeId,
          endUserIpAddress: '203.0.113.42',
          code: CODE,
        }),
        'none',
      ),
  },
  'an enrolment of an authenticator app': {
    begin: async (it) => ok(await it.sca('POST', '/factors', { type: 'TOTP' })).secret,
    next: async (it, secret) =>
      said(await it.sca('POST', '/factors/confirm', { type: 'TOTP', secret, code: CODE }), 'none'),
  },
  'a reset of a lost passkey': {
    begin: async (it) => ok(await it.sca('POST', '/factors/reset', { factor: 'PASSKEY' })).resetId,
    next: async (it, id) => {
      await it.advance('PT1M');
      return said(await it.sca('POST', `/factors/reset/${id}/complete`), 'none');
    },
  },

  // Agents
  'an order of an agent that waits for approval': { begin: async (it) => (await orderOf(it)).id, next: decide },
  'a quote of an agent that waits for approval': {
    begin: async (it) => {
      const made = await quote(it, to(IDS.strange), undefined, 1000, (path, body) => it.asAgent('POST', path, body));
      return ok(await it.asAgent('POST', `/quotes/${made.id}/execute`)).id;
    },
    next: decide,
  },
  'a payout of an agent on its way': {
    agent: IDS.spare,
    begin: async (it) => (await orderOf(it)).transaction.id,
    next: payment,
  },
  'a payment of an agent that waits for its proof': {
    agent: IDS.spare,
    begin: async (it) => {
      const made = await quote(it, to(IDS.strange), undefined, 1000, (path, body) => it.asAgent('POST', path, body));
      ok(await it.asAgent('POST', `/quotes/${made.id}/execute`));
      return pair(made.id, made.transactionId);
    },
    next: authorized,
  },
  'a device code that nobody redeemed': {
    agent: IDS.spare,
    begin: async (it) => it.deviceCode(),
    next: async (it, code) =>
      said(await it.post(`/agents/device-codes/${code}/redeem`, undefined, { as: null }), 'none'),
  },
  'a connected agent': {
    begin: (it) => it.agentToken(),
    next: async (it) => {
      const read = await it.asAgent('GET', '');
      const paid = await it.asAgent('POST', '/transfer-out', {
        source: { accountId: await it.own(IDS.eva) },
        destination: { accountId: IDS.strange },
        amount: 1000,
      });
      return `reads ${said(read, 'none')}, pays ${said(paid)}`;
    },
  },

  // Onboarding
  'a decision on a customer': {
    begin: async (it) => {
      const sent = { customerType: 'INDIVIDUAL', fullName: 'Ivo Maric' };
      const { id } = ok(await it.post('/customers', sent));
      it.applicant = id;
      return id;
    },
    next: async (it, id) => {
      const { data } = (await it.control('GET', '/jobs')).body;
      const job = data.find(
        ({ kind, about }: { kind: string; about: string }) => kind === 'customer.decide' && about === id,
      );
      if (job) await it.control('POST', `/jobs/${job.id}/run`);
      return job ? (await it.get(`/customers/${id}`)).body.kycStatus : 'no decision';
    },
  },
  'a review': {
    begin: async (it) => {
      await passport(it);
      const { id, verificationStatus } = ok(await it.post('/verifications', { customerId: IDS.pia }));
      if (verificationStatus !== 'IN_PROGRESS') throw new Error(verificationStatus);
      return id;
    },
    next: async (it) => {
      await it.advance('PT2H');
      return (await it.get(`/customers/${IDS.pia}`)).body.kycStatus;
    },
  },
  'a passport that is not submitted yet': {
    begin: async (it) => {
      await passport(it);
      return IDS.pia;
    },
    next: async (it, customerId) => said(await it.post('/verifications', { customerId }), 'verificationStatus'),
  },
  'a hosted link': {
    begin: async (it) => {
      await verified(it);
      const { kycUrl } = ok(await it.post(`/customers/${IDS.pia}/kyc-link`));
      it.opened.link = new URL(kycUrl).pathname;
      return it.opened.link;
    },
    next: async (it, path) => `${await it.hosted(path)}, sent ${await it.hosted(path, { outcome: 'approve' })}`,
  },
  'a code that was sent to verify an email': {
    begin: async (it) => {
      ok(await it.post(`/customers/${IDS.pia}/verify-email`));
      return IDS.pia;
    },
    next: async (it, id) => said(await it.post(`/customers/${id}/verify-email/confirm`, { code: CODE }), 'none'),
  },
  'an invitation': {
    begin: async (it) => {
      it.opened.invitation = ok(await it.post('/invitations', { inviterUma: '$eva@pay.example' })).code;
      return it.opened.invitation as string;
    },
    next: async (it, code) =>
      said(await it.post(`/invitations/${code}/claim`, { inviteeUma: '$new@elsewhere.example' })),
  },
  'an import of a file': {
    begin: async (it) => {
      const raw = new FormData();
      raw.set('file', new Blob([PEOPLE]), 'people.csv');
      const { jobId } = ok(await it.post('/customers/bulk/csv', undefined, { raw }));
      return jobId;
    },
    next: async (it, id) => {
      await it.advance('PT1S');
      const { body } = await it.get(`/customers/bulk/jobs/${id}`);
      return `${body.status}, ${body.progress.successful} of ${body.progress.total}`;
    },
  },

  'a bank account that is not open yet': {
    begin: async (it) => {
      const sent = { customerId: IDS.eva, ...bankOf('123456789503') };
      const { id, status } = ok(await it.post('/customers/external-accounts', sent));
      if (status !== 'PENDING') throw new Error(status);
      it.bank = id;
      return id;
    },
    next: async (it, id) => {
      await it.advance('PT2H');
      return said(await it.get(`/customers/external-accounts/${id}`));
    },
  },
  'a wallet elsewhere whose owner proves it is theirs': {
    begin: async (it) => {
      const accountInfo = { accountType: 'BASE_WALLET', address: '0x8617E340B3D01FA5F11F306F4090FD50E238070D' };
      const sent = { customerId: IDS.eva, currency: 'USDC', ownershipType: 'FIRST_PARTY', accountInfo };
      const { id } = ok(await it.post('/customers/external-accounts', sent));
      ok(await it.post(`/customers/external-accounts/${id}/challenge`, { method: 'LIVENESS' }));
      it.bank = id;
      return id;
    },
    next: async (it, id) => {
      await it.advance('PT1M');
      return said(await it.get(`/customers/external-accounts/${id}`));
    },
  },
  'a wallet elsewhere whose owner signs that it is theirs': {
    begin: async (it) => {
      const accountInfo = { accountType: 'BASE_WALLET', address: '0x27B1FDB04752BBC536007A920D24ACB045561C26' };
      const sent = { customerId: IDS.eva, currency: 'USDC', ownershipType: 'FIRST_PARTY', accountInfo };
      const { id } = ok(await it.post('/customers/external-accounts', sent));
      ok(await it.post(`/customers/external-accounts/${id}/challenge`, { method: 'WALLET_SIGNATURE' }));
      it.bank = id;
      return id;
    },
    next: async (it, id) => {
      const proof = { signature: 'sandbox-valid-signature' };
      // Late it is refused, and leaves its mark.
      return said(await it.overlapping('POST', `/customers/external-accounts/${id}/verify`, proof));
    },
  },
  'a card that is being made': {
    begin: async (it) => {
      const sent = {
        cardholderId: IDS.eva,
        form: 'VIRTUAL',
        fundingSources: [await it.own(IDS.eva)],
        platformCardId: 'late-005',
      };
      it.card = ok(await it.post('/cards', sent)).id;
      return it.card;
    },
    next: async (it, id) => {
      await it.advance('PT31S');
      return said(await it.get(`/cards/${id}`), 'state');
    },
  },
  'a mint that waits for its funds': {
    begin: async (it) => {
      const [own] = ok(await it.get('/platform/internal-accounts', { currency: 'USDB' })).data;
      return mint(it, { type: 'WIRE' }, own.id);
    },
    next: funded,
  },
  'a mint for a customer that waits for its funds': {
    begin: (it) => mint(it, { type: 'WIRE' }, it.session.accountId),
    next: funded,
  },
  'a mint that is debited': {
    begin: async (it) => {
      const [own] = ok(await it.get('/platform/internal-accounts', { currency: 'USDB' })).data;
      return mint(it, { type: 'ACH_DEBIT', externalAccountId: IDS.debited }, own.id);
    },
    next: minted,
  },
  'a burn for a customer that waits for its tokens': {
    begin: async (it) => {
      const destination = { type: 'EXTERNAL_ACCOUNT', externalAccountId: IDS.bank, rail: 'ACH_CREDIT' };
      const sent = { amount: '10000000', source: { type: 'EXTERNAL_ACCOUNT' }, destination };
      return ok(await it.post(`/stablecoins/${IDS.coin}/burns`, sent, { headers: { 'idempotency-key': 'burn' } })).id;
    },
    next: funded,
  },
  'a coin that is registered': {
    begin: async (it) => {
      const sent = {
        providerTokenIdentifier: 'ACME',
        networkTokenIdentifier: 'btkn1acme',
        network: 'SPARK',
        stablecoinProviderAccountId: IDS.link,
      };
      return ok(await it.post('/stablecoins', sent, { headers: { 'idempotency-key': 'coin' } })).id;
    },
    next: async (it, id) => {
      await it.advance('PT10S');
      return said(await it.get(`/stablecoins/${id}`), 'issuanceStatus');
    },
  },
  'a link to a provider that is checked': {
    begin: async (it) => {
      const provider = it.host.profile.values['provider']?.['STABLECOIN_PROVIDER_1'] ?? 'STABLECOIN_PROVIDER_1';
      const sent = { provider, apiClientId: 'client-004', apiClientSecret: 'sesame-1', providerAccountId: 'issuer-2' };
      return ok(await it.post('/stablecoin-provider-accounts', sent, { headers: { 'idempotency-key': 'link' } })).id;
    },
    next: async (it, id) => {
      await it.advance('PT1H');
      return said(await it.get(`/stablecoin-provider-accounts/${id}`));
    },
  },
  'a call that is replayed': {
    begin: async (it) => {
      const sent = { source: { accountId: await mark(it) }, destination: { accountId: IDS.bank }, amount: 1000 };
      ok(await it.post('/transfer-out', sent));
      return [...it.sandbox.requestLog.newest()][0]?.id ?? '';
    },
    next: async (it, id) => {
      const { status, body } = await it.control('POST', `/requests/${id}/replay`, { against: 'now' });
      return status === 200 ? `replayed: ${body.replayed.status}` : String(status);
    },
  },
  'a call whose body is still arriving': {
    begin: (it) => mark(it),
    resume: async (it) => {
      const sent = {
        source: { accountId: dollars.get(it)?.account },
        destination: { accountId: IDS.bank },
        amount: 1000,
      };
      coming.set(it, await it.slowly('POST', '/transfer-out', sent));
    },
    next: async (it) => {
      const answer = await coming.get(it)?.();
      if (!answer) throw new Error('no call was begun');
      return answer.status < 300 ? payment(it, answer.body.id) : said(answer);
    },
  },
  'a call that is recorded': {
    begin: async (it) => {
      ok(await it.get('/customers'));
      return [...it.sandbox.requestLog.newest()][0]?.id ?? '';
    },
    next: async (it, id) => String((await it.control('POST', '/record', { requests: [id], as: 'shell' })).status),
  },

  // Webhooks
  'a webhook that is held': {
    begin: async (it) => {
      ok(await it.control('PUT', '/webhooks/endpoint', { url: NOBODY }));
      ok(await it.control('POST', '/webhooks/pause'));
      ok(await it.post(`/sandbox/internal-accounts/${await it.own(IDS.eva)}/fund`, { amount: 1000 }));
      return it.events('INTERNAL_ACCOUNT.BALANCE_UPDATED').at(-1)?.id ?? '';
    },
    next: async (it, id) => {
      ok(await it.control('POST', '/webhooks/resume'));
      return delivery(it, id);
    },
  },
  'a webhook that is retried': {
    begin: async (it) => {
      ok(await it.control('PUT', '/webhooks/endpoint', { url: NOBODY }));
      ok(await it.post(`/sandbox/internal-accounts/${await it.own(IDS.eva)}/fund`, { amount: 1000 }));
      await it.advance('PT1S');
      return it.events('INTERNAL_ACCOUNT.BALANCE_UPDATED').at(-1)?.id ?? '';
    },
    next: delivery,
  },
} as const satisfies Record<string, Thing>;

export type ThingName = keyof typeof THINGS;
