import { expect, test } from 'vitest';
import { type Kit, kit } from '../kit/sandbox.ts';

const latest = ({ sandbox }: Kit): string => [...sandbox.requestLog.newest()][0]?.id as string;
const codeOf = async (it: Kit, as: string) => it.control('GET', `/requests/${latest(it)}/code?as=${as}`);
const ADA = { customerType: 'INDIVIDUAL', fullName: 'Ada Keller' };

const LANGUAGES = ['curl', 'fetch', 'python', 'java', 'go'];

test.each(LANGUAGES)('the copy of a call as %s matches its snapshot', async (language) => {
  const it = await kit();
  await it.post('/customers', ADA, { headers: { 'idempotency-key': 'once' } });
  const { headers, text } = await codeOf(it, language);
  expect(headers.get('content-type')).toBe('text/plain; charset=utf-8');
  await expect(text).toMatchFileSnapshot(`code/${language}.txt`);
});

test.each(LANGUAGES)(
  'the copy of a call as %s shows no access token, and no client secret but that of the scenario',
  async (language) => {
    const it = await kit();
    await it.call('GET', '/agents/me', undefined, { as: null, headers: { authorization: 'Bearer very-secret' } });
    const bearer = (await codeOf(it, language)).text;
    expect([bearer.includes('very-secret'), bearer.includes('ACCESS_TOKEN')]).toEqual([false, true]);
    const { clientId, clientSecret } = (await it.post('/tokens', { name: 'ci', permissions: ['VIEW'] })).body;
    await it.get('/customers');
    expect((await codeOf(it, language)).text).toContain('secret');
    await it.call('GET', '/customers', undefined, { as: `${clientId}:${clientSecret}` });
    const token = (await codeOf(it, language)).text;
    expect([token.includes(clientSecret), token.includes(clientId), token.includes('SECRET')]).toEqual([
      false,
      true,
      true,
    ]);
  },
);

test('the copy of an unknown request is refused with 404, and an unknown language with 400', async () => {
  const it = await kit();
  await it.get('/customers');
  expect((await it.control('GET', '/requests/req_99/code')).status).toBe(404);
  expect((await codeOf(it, 'cobol')).status).toBe(400);
});

test('the copy of a call as curl passes brackets and braces of the address literally', async () => {
  const it = await kit();
  await it.get('/customers?x[]={a,b}');
  expect((await codeOf(it, 'curl')).text).toMatch(/^curl -s -g .*customers\?x\[\]=\{a,b\}/);
});

test('the copy of a call as Go escapes a byte order mark, which its compiler refuses', async () => {
  const it = await kit();
  await it.post('/customers', '{"fullName": "\ufeff"}');
  const { text } = await codeOf(it, 'go');
  expect([text.includes('\ufeff'), text.includes('\\ufeff')]).toEqual([false, true]);
});
