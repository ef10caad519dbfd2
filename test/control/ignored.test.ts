import { describe, expect, test } from 'vitest';
import { lineOfEntry } from '../../src/cli/entry-line.ts';
import { requestText } from '../../src/cli/output.ts';
import { colours } from '../../src/cli/text.ts';
import { createApp } from '../../src/http/app.ts';
import { type Kit, kit } from '../kit/sandbox.ts';

type Answer = Awaited<ReturnType<Kit['post']>>;

const ignored = async (it: Kit, answer: Answer) =>
  (await it.control('GET', `/requests/${answer.headers.get('x-request-id')}`)).body.ignored;

describe('ignored members and parameters (G11)', () => {
  test.each([
    [{ name: 'Ada Keller' }, [{ in: 'body', name: 'name', near: 'fullName' }]],
    [{ full_name: 'Ada Keller' }, [{ in: 'body', name: 'full_name', near: 'fullName' }]],
    [{ dob: '1990-01-01' }, [{ in: 'body', name: 'dob', near: 'birthDate' }]],
    [{ birthdate: '1990-01-01' }, [{ in: 'body', name: 'birthdate', near: 'birthDate' }]],
    [{ addres: {} }, [{ in: 'body', name: 'addres', near: 'address' }]],
    [{ zzz: 1 }, [{ in: 'body', name: 'zzz' }]],
    [{ constructor: 1 }, [{ in: 'body', name: 'constructor' }]],
    [{ address: { zip: '1', country: 'US' } }, [{ in: 'body', name: 'address.zip', near: 'address.postalCode' }]],
    [{ fullName: 'Ada Keller' }, []],
  ])('the request log names ignored members of a body with the member that was meant: %j', async (more, expected) => {
    const it = await kit();
    const answer = await it.post('/customers', { customerType: 'INDIVIDUAL', ...more });
    expect(await ignored(it, answer)).toEqual(expected);
  });

  test('the request log names ignored query parameters with the parameter that was meant', async () => {
    const it = await kit();
    const answer = await it.get('/customers', { pageSize: 5, platformCustomerID: 'a' });
    expect(await ignored(it, answer)).toEqual([
      { in: 'query', name: 'pageSize', near: 'limit' },
      { in: 'query', name: 'platformCustomerID', near: 'platformCustomerId' },
    ]);
  });

  test('the request log names ignored members of a union or a nested object by their path', async () => {
    const it = await kit({ scenario: 'payouts' });
    const [account] = (await it.get('/platform/internal-accounts')).body.data;
    const answer = await it.post('/quotes', {
      source: { sourceType: 'ACCOUNT', accountId: account.id, id: 'x' },
      destination: { destinationType: 'ACCOUNT', accountId: 'ExternalAccount:x', rail: 'ACH' },
      lockedCurrencySide: 'SENDING',
      lockedCurrencyAmount: 100,
      memo: 'Invoice 42',
    });
    expect((await ignored(it, answer)).map(({ name }: { name: string }) => name).sort()).toEqual([
      'destination.rail',
      'memo',
      'source.id',
    ]);
  });

  test('an ignored member is named in the line of the log, on the page and in the answer of the tool', async () => {
    const it = await kit();
    await it.post('/customers', { customerType: 'INDIVIDUAL', name: 'Ada Keller' });
    const [entry] = [...it.sandbox.requestLog.newest()];
    const said = 'ignored: name; did you mean fullName?';
    expect(requestText(lineOfEntry(it.sandbox, entry as never), colours(false))).toContain(said);
    const app = createApp(it.host);
    const page = await app.request(`http://127.0.0.1/inspector/requests/${entry?.id}`, {
      headers: { accept: 'text/html' },
    });
    expect(await page.text()).toMatch(/<code>name<\/code> did you mean <code>fullName<\/code>\?/);
    const tool = await app.request('http://127.0.0.1/_emulator/mcp', {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      body: JSON.stringify({
        ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
        params: {
          name: 'call_operation',
          arguments: { id: 'createCustomer', body: { customerType: 'INDIVIDUAL', name: 'B' } },
        },
      }),
    });
    expect(await tool.text()).toContain(said);
  });

  test('the request log names at most ten ignored members, shortened, and never their values', async () => {
    const it = await kit();
    const many = Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [`member${i}${'x'.repeat(100)}`, 's3cret']));
    const found = await ignored(it, await it.post('/customers', { customerType: 'INDIVIDUAL', ...many }));
    expect(found.length).toBeLessThanOrEqual(10);
    expect(JSON.stringify(found)).not.toContain('s3cret');
    for (const { name } of found) expect(name.length).toBeLessThanOrEqual(61);
  });
});
