import { describe, expect, test } from 'vitest';
import { linksOf, unescaped, type Visitor, visitor } from './visit.ts';

const person = { customerType: 'INDIVIDUAL', fullName: 'Ida Berg', idType: 'SSN', identifier: '912-70-1234' };

/** Three calls: a customer, the customer again, and a list. */
async function calls(): Promise<Visitor> {
  const world = await visitor();
  const { body } = await world.post('/customers', person);
  await world.get(`/customers/${body.id}`);
  await world.get('/customers', { limit: 1 });
  return world;
}

const textIn = (html: string): string =>
  unescaped(/<section class="pre"[^>]*><code>([\s\S]*?)<\/code>/.exec(html)?.[1] ?? '');

describe('requests that are chosen in the list', () => {
  test('each request in the list has a box to choose it, in a form that needs no script', async () => {
    const world = await calls();
    const { html } = await world.open('/inspector/requests');
    expect(html).toContain('<form id="record" class="record" method="get" action="/inspector/record"');
    for (const id of ['req_1', 'req_2', 'req_3'])
      expect(html).toContain(`<input type="checkbox" name="r" value="${id}" form="record"`);
    expect((await world.open('/')).html).not.toContain('type="checkbox"');
  });

  test.each(['vitest', 'shell', 'scenario', 'bruno'])(
    'chosen requests are shown as %s, oldest first, and can be downloaded as a file',
    async (as) => {
      const world = await calls();
      const path = `/inspector/record?r=req_2&r=req_1&as=${as}`;
      const { text } = await world.control('POST', '/record', { requests: ['req_1', 'req_2'], as });
      const { status, html } = await world.open(path);
      expect(status).toBe(200);
      expect(textIn(html)).toBe(text);
      expect(text).not.toContain('912-70-1234');
      const file = await world.ask(`${path}&file=1`);
      expect(await file.text()).toBe(text);
      expect(file.headers.get('content-type')).toBe('text/plain; charset=utf-8');
      expect(file.headers.get('content-disposition')).toMatch(/^attachment; filename="recorded\.[\w.]+"$/);
      expect(linksOf(html)).toContain(`${path}&file=1`);
    },
  );

  test('chosen requests stay chosen when their format is changed', async () => {
    const world = await calls();
    const { html } = await world.open('/inspector/record?r=req_3&r=req_1&as=shell');
    expect(linksOf(html)).toContain('/inspector/record?r=req_3&r=req_1&as=bruno');
    expect(html).toContain('aria-current="page">Shell script</a>');
    expect(html).toContain(
      'POST /_emulator/record {&quot;requests&quot;:[&quot;req_1&quot;,&quot;req_3&quot;],&quot;as&quot;:&quot;shell&quot;}',
    );
  });
});

test('the page of a request has a form that records it, together with the calls that it depends on (first-payment.md)', async () => {
  const world = await calls();
  const { html } = await world.open('/inspector/requests/req_2');
  const form = /<form id="record"[\s\S]*?<\/form>/.exec(html)?.[0] ?? '';
  expect(form).toContain('method="get" action="/inspector/record" aria-label="Record this request"');
  expect(form).toContain('<input type="hidden" name="r" value="req_2"/>');
  expect(form).toContain('<option value="vitest">Vitest test</option>');
  const { html: recorded } = await world.open('/inspector/record?r=req_2&as=vitest');
  expect(textIn(recorded)).toBe((await world.control('POST', '/record', { requests: ['req_2'], as: 'vitest' })).text);
});

describe('a span of requests', () => {
  test('the page that records requests offers the whole log as its span, or the span of its address', async () => {
    const world = await calls();
    const { html } = await world.open('/inspector/record');
    expect(html).toContain('<input type="text" name="from" value="req_1"');
    expect(html).toContain('<input type="text" name="to" value="req_3"');
    const { text } = await world.control('POST', '/record', { requests: { from: 'req_1', to: 'req_2' }, as: 'shell' });
    expect(textIn((await world.open('/inspector/record?from=req_1&to=req_2&as=shell')).html)).toBe(text);
  });

  test('the page that records requests says which request is not in the log', async () => {
    const world = await calls();
    const { status, html } = await world.open('/inspector/record?r=req_999&as=%3Cscript%3E');
    expect(status).toBe(200);
    expect(html).toContain('the log has no request req_999');
    expect(html.match(/<script/g)).toHaveLength(1);
  });

  test('the page that records requests says of an empty log how to fill it', async () => {
    expect((await (await visitor()).open('/inspector/record')).html).toContain('No requests yet');
  });
});

test('the page that records requests can expect statuses and ids only, and keeps that choice in its links (G5)', async () => {
  const world = await calls();
  const { html } = await world.open('/inspector/record?r=req_2&r=req_1&expect=status+and+ids');
  expect(textIn(html)).toContain('toMatchObject({ id: customerId })');
  expect(textIn(html)).not.toContain('kycStatus');
  expect(html).toMatch(/<option [^>]*selected[^>]*>Statuses and ids/);
  expect(linksOf(html).filter((link) => /as=shell.*expect=st[a-z]+\+and\+ids/.test(link))).toHaveLength(1);
});
