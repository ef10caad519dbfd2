import { describe, expect, test } from 'vitest';
import { lived, paymentOf, unescaped, type Visitor, visitor } from './visit.ts';

/** What is found, by the titles of the groups: the text of each of their lines. */
async function found(world: Visitor, q: string): Promise<Record<string, string[]>> {
  const { status, html } = await world.open(`/inspector/search?q=${encodeURIComponent(q)}`);
  expect(status).toBe(200);
  const groups = html.split('<section class="panel flush"').slice(1);
  return Object.fromEntries(
    groups.map((group) => [
      /<h2[^>]*>(.*?)<\/h2>/.exec(group)?.[1] ?? '',
      [...group.matchAll(/<li class="row[^"]*"[^>]*>(.*?)<\/li>/gs)].map(([, line = '']) =>
        unescaped(line.replaceAll(/<wbr\/>|<\/?mark>|<[^>]*>/g, (tag) => (/mark|wbr/.test(tag) ? '' : ' ')))
          .replaceAll(/\s+/g, ' ')
          .trim(),
      ),
    ]),
  );
}

describe('a search for a whole id', () => {
  test.each([
    ['a customer', (it: Awaited<ReturnType<typeof lived>>) => it.alice.id, '/inspector/state/customers/'],
    ['an account', (it: Awaited<ReturnType<typeof lived>>) => ` ${it.usd.id} `, '/inspector/state/accounts/'],
    ['a quote', (it: Awaited<ReturnType<typeof lived>>) => it.quote.id, '/inspector/state/quotes/'],
    ['a request', () => 'req_1', '/inspector/requests/req_1'],
  ])('the search leads straight from a whole id to %s', async (_, idOf, to) => {
    const world = await visitor();
    const id = idOf(await lived(world));
    const response = await world.ask(`/inspector/search?q=${encodeURIComponent(id)}`, { redirect: 'manual' });
    expect(response.status).toBe(303);
    const end = to.endsWith('/') ? to + encodeURIComponent(id.trim()) : to;
    expect(response.headers.get('location')).toBe(end);
  });

  test('the search leads straight from a whole id to a webhook, in the chosen sandbox', async () => {
    const world = await visitor();
    await lived(world);
    const [hook] = (await world.control('GET', '/webhooks')).body.data;
    const { body: other } = await world.control('POST', '/sandboxes/test/fork', {});
    const path = `/inspector/search?q=${encodeURIComponent(hook.id)}&sandbox=${other.id}`;
    const response = await world.ask(path, { redirect: 'manual' });
    expect(response.headers.get('location')).toBe(
      `/inspector/webhooks/${encodeURIComponent(hook.id)}?sandbox=${other.id}`,
    );
  });
});

describe('a search for words', () => {
  test('the search finds a customer by the beginning or the end of its id, or the short form of pages', async () => {
    const world = await visitor();
    const { alice } = await lived(world);
    for (const q of [alice.id.slice(0, 30), alice.id.slice(-6), `Customer …${alice.id.slice(-6)}`]) {
      const { Customers = [] } = await found(world, q);
      expect(
        Customers.some((line) => line.startsWith('Alice Doe') && line.includes(alice.id)),
        q,
      ).toBe(true);
    }
  });

  test('the search finds a customer by name, email and address, in any case, if every word fits', async () => {
    const world = await visitor({ scenario: 'demo' });
    for (const q of ['ceramics LIGHTHOUSE', 'accounts@lighthouse', '$lighthouse@harbor'])
      expect(
        (await found(world, q))['Customers']?.map((line) => line.slice(0, 23)),
        q,
      ).toEqual(['Lighthouse Ceramics Ltd']);
    expect((await found(world, 'lighthouse kestrel'))['Customers']).toBeUndefined();
  });

  test.each(['1,749.00', '1749', '1749 usd', '174900', '174900 USD'])(
    'the search finds a payment by its amount in major or minor units: %s',
    async (q) => {
      const world = await visitor({ scenario: 'demo' });
      expect((await found(world, q))['Payments']).toEqual([
        expect.stringMatching(
          /^1,749\.00 USD Transaction:\S+ · bank transfer → Kestrel Outdoor Inc · Club order completed$/,
        ),
      ]);
    },
  );

  test('the search finds no amount of another currency, and a decimal point means major units', async () => {
    const world = await visitor({ scenario: 'demo' });
    expect((await found(world, '1749 EUR'))['Payments']).toBeUndefined();
    expect((await found(world, '174900.00'))['Payments']).toBeUndefined();
    expect((await found(world, '145 USDC'))['Payments']).toHaveLength(1);
  });

  test('the search finds a payment by its purpose', async () => {
    const world = await visitor({ scenario: 'demo' });
    expect((await found(world, 'print series'))['Payments']).toHaveLength(1);
  });

  test('the search finds requests by words of their bodies and refusals', async () => {
    const world = await visitor();
    await lived(world);
    expect((await found(world, 'not an email address'))['Requests']).toEqual([
      expect.stringMatching(/^POST \/customers INVALID_INPUT 400 /),
    ]);
    expect((await found(world, 'hrb 77'))['Requests']).toEqual([
      expect.stringMatching(/^POST \/customers createCustomer ↳ 1 201 /),
    ]);
  });

  test('the search finds events and their types, operations and rules', async () => {
    const world = await visitor();
    await lived(world);
    const all = await found(world, 'kyc approved');
    expect(all['Types of events']).toEqual(['CUSTOMER.KYC_APPROVED its webhooks']);
    expect((await found(world, 'KYC_APPROVED'))['Webhooks']?.[0]).toContain('CUSTOMER.KYC_APPROVED');
    expect((await found(world, 'createquote'))['Operations']?.[0]).toMatch(/^createQuote POST \/quotes /);
    expect((await found(world, 'idempotency'))['Rules']).toEqual([
      'Idempotency spec 4.2 A key names one request: sent again, it is answered as the first time; another request with the same key is a 409.',
    ]);
  });

  test('the search finds no request by a secret that the log masks', async () => {
    const world = await visitor();
    await world.post('/customers', {
      customerType: 'INDIVIDUAL',
      fullName: 'Ann Lee',
      idType: 'SSN',
      identifier: '987-65-4320',
    });
    expect(await found(world, '987-65-4320')).toEqual({});
  });
});

describe('the page of the search', () => {
  test('the page of the search says what it can find where nothing was searched or found', async () => {
    const world = await visitor();
    for (const path of ['/inspector/search', '/inspector/search?q=%20', '/inspector/search?q=zzz-nothing']) {
      const { status, html } = await world.open(path);
      expect(status).toBe(200);
      expect(html, path).toContain('Ids, whole or in part');
    }
  });

  test('the page of the search shows six of each kind and leads to the rest', async () => {
    const world = await visitor({ scenario: 'demo' });
    const { html } = await world.open('/inspector/search?q=payout');
    expect((await found(world, 'payout'))['Payments']).toHaveLength(6);
    expect(html).toContain('<a href="/inspector/state/transactions?q=payout">More of them</a>');
  });

  test('the page of the search looks at the newest 10,000 rows of a table, and says so', async () => {
    const world = await visitor({ scenario: { generate: { customers: 10_100 } } });
    const { html } = await world.open('/inspector/search?q=user-5');
    expect(html).toContain('Of customers, the newest 10,000 of 10,100 were looked at.');
    expect(html).toContain('<a href="/inspector/state/customers?q=user-5">Look further</a>');
  });

  test('the page of the search marks the words, and escapes the query and the results', async () => {
    const world = await visitor({ scenario: 'demo' });
    expect((await world.open('/inspector/search?q=ceramics')).html).toContain('Lighthouse <mark>Ceramics</mark> Ltd');
    for (const q of ['</script><script>alert(1)</script>', '"><img src=x>', '(((', '\\', '[a', '$&', '%', '…']) {
      const { status, html } = await world.open(`/inspector/search?q=${encodeURIComponent(q)}`);
      expect([q, status, html.match(/<script/g)?.length, /<img/.test(html)]).toEqual([q, 200, 1, false]);
    }
  });

  test('every page has a search form that needs no script and keeps the sandbox', async () => {
    const world = await visitor();
    const { body: other } = await world.control('POST', '/sandboxes', {});
    const { html } = await world.open(`/inspector/faults?sandbox=${other.id}`);
    const form = /<form class="find search" method="get" action="\/inspector\/search">(.*?)<\/form>/s.exec(html)?.[1];
    expect(form).toContain(`<input type="hidden" name="sandbox" value="${other.id}"/>`);
    expect(form).toContain('data-slash');
  });
});

describe('a search for a topic', () => {
  test.each([
    ['faults', 'Faults', '/inspector/faults'],
    ['QUOTE_EXPIRED', 'QUOTE_EXPIRED', '/inspector/requests?q=QUOTE_EXPIRED'],
    ['advance the clock', 'Clock', '/inspector/clock'],
    ['make a payment fail', 'Magic values', undefined],
    ['resend a webhook', 'Webhooks and their redelivery', '/inspector/webhooks'],
    ['undo the last call', 'Rewind', '/inspector/requests'],
  ])('the search finds a topic by plain words, and where it leads: %s', async (q, name, to) => {
    const world = await visitor();
    const { html } = await world.open(`/inspector/search?q=${encodeURIComponent(q)}`);
    const group = html.split('id="found-places"')[1]?.split('</section>')[0] ?? '';
    const [first = ''] = [...group.matchAll(/<li class="row[^"]*"[^>]*>.*?<\/li>/gs)].map(([line]) => line);
    expect(unescaped(first.replaceAll(/<[^>]*>/g, ''))).toContain(name);
    expect(/href="([^"]*)"/.exec(first)?.[1]).toBe(to);
    expect(first).toMatch(/<code>docs\/[a-z-]+\.md/);
  });

  test('the search finds a failed payout by the words "payout that failed", and no other payout', async () => {
    const world = await visitor();
    const { usd, bank } = await lived(world);
    await world.control('DELETE', '/faults');
    const { body: quote } = await world.post('/quotes', paymentOf(usd.id, bank.id));
    world.sandbox.world.scheduler.sleep();
    await world.post(`/quotes/${quote.id}/execute`);
    const failed = await world.control('POST', `/transactions/${quote.transactionId}/outcome`, { outcome: 'FAILED' });
    expect(failed.status, failed.text).toBe(200);
    world.sandbox.world.scheduler.wake();
    const all = Object.entries(await found(world, 'payout that failed'));
    const lines = all.filter(([title]) => title === 'Payments').flatMap(([, of]) => of);
    expect(lines.map((line) => [line.includes(quote.transactionId), /\bfailed\b/i.test(line)])).toEqual([[true, true]]);
  });
});
