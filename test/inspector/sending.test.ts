import { describe, expect, test } from 'vitest';
import { pairs } from '../../src/inspector/requests/lines.ts';
import { linksOf, lived, unescaped, type Visitor, visitor } from './visit.ts';

/** Sends a form of a page to it, as a browser without script does. */
async function send(
  world: Visitor,
  path: string,
  fields: Record<string, string>,
  headers: Record<string, string> = {},
) {
  const response = await world.ask(path, {
    method: 'POST',
    body: new URLSearchParams(fields),
    headers: { accept: 'text/html', ...headers },
    redirect: 'manual',
  });
  return { status: response.status, to: response.headers.get('location'), html: await response.text() };
}

const person = { customerType: 'INDIVIDUAL', fullName: 'Ida Berg', idType: 'SSN', identifier: '987-65-4320' };
const names = async (world: Visitor) =>
  (await world.get('/customers')).body.data.map(({ fullName }: { fullName: string }) => fullName);
/** What stands in the lines of both answers that differ. */
const differing = (html: string): string[] =>
  [...html.matchAll(/<div class="pair differs">(.*?)<\/div>/gs)].map(([, pair = '']) =>
    unescaped(pair.replaceAll(/<[^>]*>/g, '')),
  );
const typedIn = (html: string, name: string): string =>
  unescaped(new RegExp(`<textarea name="${name}"[^>]*>\\n?([^<]*)`).exec(html)?.[1] ?? '');

describe('the page of a request', () => {
  test('the page of a request rewinds to the state before it, and says how many changes that undoes', async () => {
    const world = await visitor();
    await world.post('/customers', person);
    await world.post('/customers', { ...person, fullName: 'Ada Keller' });
    const { html } = await world.open('/inspector/requests/req_2');
    const { body } = await world.control('POST', '/requests/req_2/fork');
    expect(body.request).toBe('req_2');
    const changes = /A rewind undoes (\d+) row changes, this request and everything after it\./.exec(html);
    expect(Number(changes?.[1])).toBe(world.sandbox.changesSince(world.sandbox.requestLog.get('req_2') ?? {}));
    expect(html).toContain('POST /_emulator/requests/req_2/rewind');
    expect(await send(world, '/inspector/requests/req_2', { do: 'rewind' })).toMatchObject({
      status: 303,
      to: '/inspector/requests/req_2',
    });
    expect(await names(world)).toEqual(['Ida Berg']);
    const after = (await world.open('/inspector/requests/req_2')).html;
    expect(after).toContain('This is that state. Nothing has changed since.');
  });

  test('the page of a request says why the state before it is no longer kept, and disables its buttons', async () => {
    const world = await visitor();
    await world.post('/customers', person);
    await world.control('POST', '/snapshots', { name: 'now' });
    await world.control('POST', '/snapshots/now/restore');
    const { html } = await world.open('/inspector/requests/req_1');
    expect(html).toContain('It is no longer kept: the last 20,000 row changes of a life are kept.');
    expect(html.match(/<button type="submit" class="button" disabled=""/g)).toHaveLength(2);
    expect(html).toContain('The state before it (no longer kept)');
    const refused = await send(world, '/inspector/requests/req_1', { do: 'rewind' });
    expect(refused.status).toBe(409);
    expect(refused.html).toContain('The state before req_1 is no longer kept');
  });

  test('the page of a request forks the state before it, and leaves this sandbox as it is', async () => {
    const world = await visitor();
    await world.post('/customers', person);
    const { status, to } = await send(world, '/inspector/requests/req_1', { do: 'fork' });
    expect([status, to]).toEqual([303, '/?sandbox=sandbox-1']);
    expect((await world.open('/inspector/state/customers?sandbox=sandbox-1')).html).toContain('No customers yet');
    expect(await names(world)).toEqual(['Ida Berg']);
  });

  test('the page of a request replays it as it was, secrets included, and shows both replies', async () => {
    const world = await visitor();
    await world.post('/customers', person);
    const page = await world.open('/inspector/requests/req_1');
    expect(page.html).not.toContain('987-65-4320');
    const [body, headers] = [typedIn(page.html, 'body'), typedIn(page.html, 'headers')];
    expect(JSON.parse(body)).toEqual({ ...person, identifier: '•••' });
    const sent = { do: 'replay', against: 'before', body: body.replaceAll('\n', '\r\n'), headers };
    const { status, html } = await send(world, '/inspector/requests/req_1', sent);
    expect(status).toBe(200);
    expect(html).toContain('<span class="badge good">the same</span>');
    expect(differing(html)).toEqual([]);
    expect(await names(world)).toEqual(['Ida Berg']);
  });

  test('the page of a request replays it with changes: masked members are sent as they were, and differences are marked', async () => {
    const world = await visitor();
    await world.post('/customers', person);
    const body = JSON.stringify({ ...person, fullName: 'Ida Berg-Holm', identifier: '•••' });
    const headers = typedIn((await world.open('/inspector/requests/req_1')).html, 'headers');
    const { html } = await send(world, '/inspector/requests/req_1', { do: 'replay', against: 'now', body, headers });
    expect(html).toContain('<span class="badge warn">they differ</span>');
    expect(differing(html)).toContain('before:   "fullName": "Ida Berg",after:   "fullName": "Ida Berg-Holm",');
    expect(linksOf(html)).toContain('/inspector/requests/req_2');
    expect(world.sandbox.requestLog.get('req_2')?.body).toContain('987-65-4320');
    expect(await names(world)).toEqual(['Ida Berg-Holm', 'Ida Berg']);
    expect(JSON.parse(typedIn(html, 'body'))).toMatchObject({ fullName: 'Ida Berg-Holm' });
  });

  test('the page of a request replays it with changed headers: a removed line is left out, a wrong line is named', async () => {
    const world = await visitor();
    await world.post('/customers', person, { headers: { 'x-trace': 'one', 'x-other': 'two' } });
    const headers = typedIn((await world.open('/inspector/requests/req_1')).html, 'headers');
    expect(headers).toContain('x-trace: one');
    const changed = headers.replace('x-trace: one', 'x-trace: three').replace(/x-other: two\n?/, '');
    const ask = (lines: string) => send(world, '/inspector/requests/req_1', { do: 'replay', headers: lines });
    expect((await ask(changed)).html).toContain('id="answer"');
    const sent = world.sandbox.requestLog.get('req_2')?.headers ?? [];
    expect(sent[sent.indexOf('x-trace') + 1]).toBe('three');
    expect(sent).not.toContain('x-other');
    const { html } = await ask('no header at all');
    expect(unescaped(html)).toContain('a line is "name: value", not "no header at all"');
    expect(html).toContain('role="alert"');
  });

  test('the page of a request replays it into a fork that stays, and links to that fork', async () => {
    const world = await visitor();
    await world.post('/customers', person);
    const { html } = await send(world, '/inspector/requests/req_1', { do: 'replay', against: 'fork' });
    expect(linksOf(html)).toContain('/?sandbox=sandbox-1');
    expect(await names(world)).toEqual(['Ida Berg']);
  });

  test('the page of a request has the call as curl, fetch, Python, Java and Go, chosen without script', async () => {
    const world = await visitor();
    await world.post('/customers', person);
    const { html } = await world.open('/inspector/requests/req_1');
    const code = unescaped(/id="code"[\s\S]*?<\/section>/.exec(html)?.[0] ?? '');
    for (const as of ['curl', 'fetch', 'python', 'java', 'go']) {
      const { text } = await world.control('GET', `/requests/req_1/code?as=${as}`);
      expect(code, as).toContain(text.trimEnd());
      expect(code).toContain(`<input type="radio" name="copy-as" id="copy-as-${as}"`);
    }
    expect(code).not.toContain('987-65-4320');
  });
});

describe('the page of an operation', () => {
  test('the page of an operation calls it with its form, and shows the reply with a link to the request', async () => {
    const world = await visitor();
    const { html } = await world.open('/inspector/api/createCustomer');
    const { body: described } = await world.control('GET', '/operations/createCustomer');
    expect(JSON.parse(typedIn(html, 'body'))).toEqual(described.example.body);
    const body = JSON.stringify({ customerType: 'INDIVIDUAL', fullName: 'Ida Berg' });
    const answer = await send(world, '/inspector/api/createCustomer', { do: 'try', body });
    expect(answer.status).toBe(200);
    expect(unescaped(answer.html.replaceAll(/<[^>]*>/g, ''))).toContain('"fullName": "Ida Berg"');
    expect(answer.html).toMatch(/It answered <span class="status good">201<\/span>/);
    const [{ id }] = (await world.control('GET', '/requests')).body.data;
    expect(linksOf(answer.html)).toContain(`/inspector/requests/${id}`);
    expect(typedIn(answer.html, 'body')).toBe(body);
  });

  test('the page of an operation sends parameters of the path and of the query', async () => {
    const world = await visitor();
    const { alice } = await lived(world);
    const one = await send(world, '/inspector/api/getCustomerById', { do: 'try', 'param.customerId': alice.id });
    expect(one.html).toContain('Alice Doe');
    const list = await send(world, '/inspector/api/listCustomers', {
      do: 'try',
      'query.limit': '1',
      'query.cursor': '',
    });
    const [entry] = world.sandbox.requestLog.newest();
    expect([entry?.operation, entry?.query]).toEqual(['listCustomers', '?limit=1']);
    expect(list.html).toContain('<input type="text" name="query.limit" value="1"');
  });

  test('the page of an operation names a wrong entry, and keeps it', async () => {
    const world = await visitor();
    const { html } = await send(world, '/inspector/api/createCustomer', { do: 'try', body: '{"customerType":' });
    expect(unescaped(html)).toMatch(/<code>body<\/code> not JSON: /);
    expect(typedIn(html, 'body')).toBe('{"customerType":');
    const missing = await send(world, '/inspector/api/getCustomerById', { do: 'try' });
    expect(missing.html).toContain('params.customerId');
  });

  test('the page of an operation escapes every entry and reply', async () => {
    const world = await visitor();
    const evil = `</textarea><script>alert(1)</script>"'`;
    for (const fields of [
      { body: evil },
      { body: JSON.stringify({ [evil]: evil }) },
      { headers: evil },
      { [`query.${evil}`]: evil },
    ]) {
      const { html } = await send(world, '/inspector/api/createCustomer', { do: 'try', ...fields });
      expect(html.match(/<script/g), JSON.stringify(fields)).toHaveLength(1);
    }
    await world.post('/customers', person);
    const { html } = await send(world, '/inspector/requests/req_1', {
      do: 'replay',
      body: evil,
      headers: `x: ${evil}`,
    });
    expect(html.match(/<script/g)).toHaveLength(1);
  });
});

describe('senders of forms', () => {
  const forms = ['/inspector/requests/req_1', '/inspector/api/createCustomer'];

  test.each([
    [{ origin: 'http://evil.example' }, 403],
    [{ origin: 'null' }, 403],
    [{ origin: 'null', 'sec-fetch-site': 'cross-site' }, 403],
    [{ origin: 'http://127.0.0.1:4010', 'sec-fetch-site': 'cross-site' }, 403],
    [{ origin: 'http://127.0.0.1:4010' }, 200],
    // Our pages tell no referrer, so a browser sends their forms like this.
    [{ origin: 'null', 'sec-fetch-site': 'same-origin' }, 200],
    [{}, 200],
  ])('a form is taken from pages of this emulator and from programs only: %j gets %i', async (headers, status) => {
    const world = await visitor();
    await world.post('/customers', person);
    for (const path of forms) {
      const answer = await send(world, path, { do: 'nothing' }, { host: '127.0.0.1:4010', ...headers });
      expect([path, answer.status]).toEqual([path, status]);
    }
    expect((await world.control('GET', '/requests')).body.data).toHaveLength(1);
  });

  test('a page without forms is refused with 405 for POST, and the refusal names the methods that it takes', async () => {
    const world = await visitor();
    const wrong = async (path: string, method: string) => {
      const response = await world.ask(path, { method });
      return [response.status, response.headers.get('allow')];
    };
    expect(await wrong('/inspector/requests', 'POST')).toEqual([405, 'GET, HEAD']);
    expect(await wrong('/inspector/requests/req_1', 'PUT')).toEqual([405, 'GET, HEAD, POST']);
  });
});

describe('two texts side by side', () => {
  const shown = (left: string, right: string) =>
    pairs(left, right).map(({ left: was, right: is, same }) => (same ? `= ${was}` : `${was ?? '-'} > ${is ?? '-'}`));

  test('two texts side by side have equal lines beside each other, and each new line beside the old one', () => {
    expect(shown('a\nb\nc', 'a\nB\nc')).toEqual(['= a', 'b > B', '= c']);
    expect(shown('a\nc', 'a\nb\nc')).toEqual(['= a', '- > b', '= c']);
    expect(shown('a\nb\nc', 'a\nc')).toEqual(['= a', 'b > -', '= c']);
    expect(shown('a\nb\nx', 'c\nd\nx')).toEqual(['a > c', 'b > d', '= x']);
  });

  test('two texts of more than 600 lines are compared line by line', () => {
    const long = Array.from({ length: 700 }, (_, i) => `${i}`);
    const other = ['new', ...long].join('\n');
    expect(pairs(long.join('\n'), other).slice(0, 2)).toEqual([
      { left: '0', right: 'new', same: false },
      { left: '1', right: '0', same: false },
    ]);
  });
});
