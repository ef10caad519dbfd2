import { expect, test } from 'vitest';
import { callsOf } from '../../src/calls/walk/plan.ts';
import { walkBoth } from '../../src/parity/session.ts';
import type { Answer } from '../../src/parity/transport.ts';
import { type Tamper, tampered } from './sides.ts';

// biome-ignore lint/suspicious/noExplicitAny: a proxy changes replies of any shape
type Body = any;

/** A proxy that changes the bodies of replies to some calls. */
const changing =
  (method: string, path: RegExp, change: (body: Body, answer: Answer) => Body, status?: number): Tamper =>
  async (sent, pass) => {
    const answer = await pass(sent);
    if (sent.method !== method || !path.test(new URL(sent.url).pathname) || answer.text === '') return answer;
    const body = change(JSON.parse(answer.text), answer);
    if (body === undefined) return answer;
    return {
      ...answer,
      status: status ?? (typeof body.status === 'number' ? body.status : answer.status),
      text: JSON.stringify(body),
    };
  };
const found = (body: Body, { status }: Answer): Body | undefined => (status < 300 ? body : undefined);
/** A proxy that leaves a query or a header out of what it passes on. */
const withoutQuery =
  (name: string): Tamper =>
  (sent, pass) => {
    const url = new URL(sent.url);
    url.searchParams.delete(name);
    return pass({ ...sent, url: url.href });
  };

/** A payment is said to be under way still when it is read for the first time after its end. */
function late(): Tamper {
  const read = new Set<string>();
  return changing('GET', /\/transactions\/[^/]+$/, (body, answer) => {
    if (answer.status !== 200 || body.status !== 'COMPLETED' || read.has(body.id)) return undefined;
    read.add(body.id);
    return { ...body, status: 'PROCESSING' };
  });
}

/** What somebody in between does to the other side, and the cause that has to be found for it, with the calls of its walk. */
const PLANTED: readonly (readonly [what: string, tamper: () => Tamper, cause: string, calls: number])[] = [
  [
    'another status of a success',
    () => changing('POST', /\/kyc-link$/, (body, answer) => found(body, answer), 200),
    'createCustomerKycLink status: 201 -> 200',
    2,
  ],
  [
    'another code of a refusal',
    () =>
      changing('GET', /\/customers\/[^/]+$/, (body) =>
        body.code === 'USER_NOT_FOUND' ? { ...body, code: 'NOT_FOUND' } : undefined,
      ),
    'getCustomerById code: USER_NOT_FOUND -> NOT_FOUND',
    1,
  ],
  [
    'a 403 in place of a 404',
    () =>
      changing('DELETE', /\/customers\/[^/]+$/, (body) =>
        body.status === 404 ? { ...body, status: 403, code: 'FORBIDDEN' } : undefined,
      ),
    'deleteCustomerById status: 404 USER_NOT_FOUND -> 403 FORBIDDEN',
    1,
  ],
  [
    'a member that is missing',
    () => changing('POST', /\/customers$/, ({ createdAt: _, ...body }, answer) => found(body, answer)),
    'createCustomer missing createdAt',
    1,
  ],
  [
    'a member that is added',
    () => changing('POST', /\/transfer-out$/, (body, answer) => found({ ...body, tier: 1 }, answer)),
    'createTransferOut added tier',
    5,
  ],
  [
    'a number as text',
    () =>
      changing('POST', /\/fund$/, (body, answer) =>
        found({ ...body, balance: { ...body.balance, amount: String(body.balance?.amount) } }, answer),
      ),
    'sandboxFundInternalAccount type balance.amount',
    3,
  ],
  [
    'a wrong amount',
    () =>
      changing('POST', /\/quotes$/, (body, answer) =>
        found({ ...body, totalReceivingAmount: body.totalReceivingAmount + 1 }, answer),
      ),
    'createQuote value totalReceivingAmount',
    3,
  ],
  [
    'a list in another order',
    () =>
      changing('GET', /\/customers$/, (body, answer) =>
        found({ ...body, data: [...(body.data ?? [])].reverse() }, answer),
      ),
    'listCustomers order data[]',
    3,
  ],
  [
    'a list that ends before its last page',
    () => changing('GET', /\/customers$/, (body, answer) => found({ ...body, hasMore: false }, answer)),
    'listCustomers value hasMore: true -> false',
    3,
  ],
  [
    'a cursor that leads to the first page again',
    () => (sent, pass) => (sent.url.includes('cursor=nowhere') ? pass(sent) : withoutQuery('cursor')(sent, pass)),
    'listCustomers order data[]',
    4,
  ],
  ['a filter that is not applied', () => withoutQuery('customerType'), 'listCustomers length data[]', 2],
  ['a state that is reached too late', late, 'getTransactionById value status: COMPLETED -> PROCESSING', 6],
  [
    'a retry that runs twice',
    () => (sent, pass) => {
      const { 'idempotency-key': _, ...headers } = sent.headers;
      return pass({ ...sent, headers });
    },
    'createQuote value id',
    5,
  ],
];

/** What the walks aim at; the calls that these need come with them. */
const OPERATIONS = [
  'createCustomer',
  'getCustomerById',
  'listCustomers',
  'deleteCustomerById',
  'createCustomerKycLink',
  'sandboxFundInternalAccount',
  'createTransferOut',
  'getTransactionById',
  'createQuote',
];

test.each(PLANTED)('parity finds %s, and shrinks it to the calls that it takes', async (_, tamper, cause, calls) => {
  const [ours, theirs] = [await tampered(), await tampered(tamper())];
  const operations = /^list/.test(cause) ? ['createCustomer', 'listCustomers'] : OPERATIONS;
  const { causes } = await walkBoth({
    ours,
    theirs,
    scenarios: ['default'],
    operations,
    seed: 40,
    steps: 300,
    patienceMs: 0,
  });
  const shortest = causes.map((each) => [each.cause, callsOf(each.walk).length]);
  expect(shortest).toContainEqual([cause, calls]);
});
