import { describe, expect, test } from 'vitest';
import { bankOf, paymentOf, unescaped, type Visitor, visitor } from './visit.ts';

const held = { now: '2026-01-05T09:00:00Z', holdClock: true } as const;

/** The text of each line of a list in a part of a page. */
function linesIn(html: string, part: string, of: RegExp): string[] {
  const at = html.indexOf(` id="${part}"`);
  const inner = at < 0 ? '' : (html.slice(at).split('<section class="panel')[0] ?? '');
  return [...inner.matchAll(of)].map(([, line]) =>
    unescaped((line ?? '').replaceAll(/<wbr ?\/?>/g, '').replaceAll(/<[^>]*>/g, ' '))
      .replaceAll(/\s+/g, ' ')
      .trim(),
  );
}
const ROW = /<li class="row [^>]*>(.*?)<\/li>/g;
const MOMENT = /<div class="moment-body"><p[^>]*>(.*?)<\/p>/g;
const HOOK = /<li class="moment-hook"><a[^>]*>(.*?)<\/a>/g;

async function pageOf(world: Visitor, kind: string, id: string) {
  const { html } = await world.open(`/inspector/state/${kind}/${encodeURIComponent(id)}`);
  return {
    html,
    webhooks: linesIn(html, 'hooks-about', ROW),
    calls: linesIn(html, 'calls-about', ROW),
    story: linesIn(html, 'story', MOMENT),
    told: linesIn(html, 'story', HOOK),
  };
}

/** A payment of scenario agents that its owner has approved. */
async function approved() {
  const it = await visitor({ ...held, scenario: 'agents' });
  const redeemed = await it.post('/agents/device-codes/SERVICE-AGENT-GIFT-2026/redeem', undefined, { as: null });
  const { accessToken, agentId } = redeemed.body;
  const call = (method: string, path: string, body?: object) =>
    it.call(method, `/agents/me${path}`, body, { as: null, headers: { authorization: `Bearer ${accessToken}` } });
  const account = (await call('GET', '/internal-accounts?currency=EUR')).body.data[0].id;
  const [sister] = (await it.get('/customers/external-accounts', { currency: 'EUR' })).body.data;
  const quote = await call('POST', '/quotes', {
    source: { sourceType: 'ACCOUNT', accountId: account },
    destination: { destinationType: 'ACCOUNT', accountId: sister.id },
    lockedCurrencySide: 'SENDING',
    lockedCurrencyAmount: 5000,
  });
  const action = (await call('POST', `/quotes/${quote.body.id}/execute`)).body;
  await it.advance('PT1M');
  await it.post(`/agents/${agentId}/actions/${action.id}/approve`);
  await it.settle();
  return { it, agentId, action, quote: quote.body };
}

describe('calls and webhooks of a resource', () => {
  test('the page of a quote, agent, action or payment lists every webhook of its timeline (W11)', async () => {
    const { it, agentId, action, quote } = await approved();
    for (const [kind, id, least] of [
      ['quotes', quote.id, 4],
      ['agents', agentId, 1],
      ['agent-actions', action.id, 1],
      ['transactions', quote.transactionId, 4],
    ] as const) {
      const { told, webhooks } = await pageOf(it, kind, id);
      expect(told.length, kind).toBeGreaterThanOrEqual(least);
      for (const type of told)
        expect(
          webhooks.join('\n').replaceAll(/\. |_ /g, (t) => t.trim()),
          kind,
        ).toContain(type);
    }
  });

  test('the timeline of an agent begins with its creation, and has each call before its effects (W11)', async () => {
    const { it, agentId } = await approved();
    const { story } = await pageOf(it, 'agents', agentId);
    expect(story.map((line) => line.replaceAll(/…\w{6}/g, '…'))).toEqual([
      'Created Gifts',
      'Device code issued device code',
      'POST /agents/device-codes/•••/redeem 200',
      'Redeemed',
      'POST /agents/me/quotes/Quote:…/execute 200',
      'Requested Execute quote quote',
      'Held back by its policy needs an approval',
      'POST /agents/Agent:…/actions/AgentAction:…/approve 200',
      'Approved',
      'Carried out payment 50.00 EUR',
    ]);
  });

  test('the page of a card payment has the simulate call that made it, in its list and its timeline (W11)', async () => {
    const world = await visitor({ ...held, scenario: 'cards' });
    const { body } = await world.get('/cards');
    const card = body.data.find(({ state }: { state: string }) => state === 'ACTIVE');
    await world.post(`/sandbox/cards/${card.id}/simulate/authorization`, {
      amount: 1200,
      currency: { code: 'USD' },
      merchant: { descriptor: 'CAFE', mcc: '5814', country: 'US' },
    });
    const { html } = await world.open('/inspector/state/transactions');
    const id = decodeURIComponent(/CardTransaction%3A[0-9a-f-]{36}/.exec(html)?.[0] ?? '');
    const { calls, story, webhooks } = await pageOf(world, 'transactions', id);
    expect(calls).toHaveLength(1);
    expect(calls[0]).toContain('/simulate/authorization');
    expect(story[0]).toMatch(/^POST \/sandbox\/cards\/.*\/simulate\/authorization 2/);
    expect(webhooks.join()).toContain('AUTHORIZED');
  });

  test('the page of a customer has the calls that changed it, not those that listed it; both lists lead to all of them (W11)', async () => {
    const world = await visitor(held);
    const { body: alice } = await world.post('/customers', { customerType: 'INDIVIDUAL', fullName: 'Alice Doe' });
    await world.settle();
    const { body: accounts } = await world.get('/customers/internal-accounts', {
      customerId: alice.id,
      currency: 'USD',
    });
    const [usd] = accounts.data;
    await world.post(`/sandbox/internal-accounts/${usd.id}/fund`, { amount: 250_000 });
    const { body: bank } = await world.post('/customers/external-accounts', bankOf(alice.id));
    for (let i = 0; i < 6; i += 1) await world.get('/customers', { limit: 20 });
    await world.patch(`/customers/${alice.id}`, { email: 'alice@example.com' });
    await world.post('/quotes', paymentOf(usd.id, bank.id));
    const { calls, webhooks, html } = await pageOf(world, 'customers', alice.id);
    expect(calls.filter((line) => line.startsWith('GET'))).toEqual([]);
    expect(calls.some((line) => /^PATCH .*200/.test(line))).toBe(true);
    expect(calls.some((line) => /^POST \/customers customers?/i.test(line) || line.includes('createCustomer'))).toBe(
      true,
    );
    expect(webhooks.length).toBeGreaterThan(0);
    const about = encodeURIComponent(alice.id);
    for (const [list, lines] of [
      ['requests', calls],
      ['webhooks', webhooks],
    ] as const) {
      expect(html).toContain(`href="/inspector/${list}?about=${about}"`);
      const all = await world.open(`/inspector/${list}?about=${about}`);
      expect(linesIn(all.html, list === 'requests' ? 'log' : 'hooks', / data-row="([^"]+)"/g)).toHaveLength(
        lines.length,
      );
      expect(unescaped(all.html)).toContain('About Alice Doe');
    }
  });
});
