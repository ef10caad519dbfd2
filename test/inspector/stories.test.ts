import { expect, test } from 'vitest';
import { unescaped, type Visitor, visitor } from './visit.ts';

const words = (html: string) => unescaped(html.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' '));

async function pagesOf(visit: Visitor, table: string): Promise<string[]> {
  const { body } = await visit.control('GET', `/tables/${table}?limit=20`);
  const pages = body.data.map(async ({ id }: { id: string }) => {
    const { status, html } = await visit.open(`/inspector/state/${table}/${encodeURIComponent(id)}`);
    expect(status).toBe(200);
    return words(html.slice(html.indexOf('<main')));
  });
  return Promise.all(pages);
}

test('the pages of factors and challenges tell their stories in words, and a challenge leads to its code (W14)', async () => {
  const visit = await visitor({ scenario: 'sca', seed: 1 });
  const { body: described } = await visit.control('GET', '/operations/startScaLogin');
  const { body: login } = await visit.control('POST', '/operations/startScaLogin/call', {
    ...described.example,
    body: { ...described.example.body, factor: 'SMS_OTP' },
  });
  expect(login.status).toBe(200);
  const factors = (await pagesOf(visit, 'sca-factors')).join('\n');
  expect(factors).toMatch(/Authenticator app|Passkey/);
  expect(factors).toContain('Enrolment started');
  const challenges = (await pagesOf(visit, 'sca-challenges')).join('\n');
  expect(challenges).toContain('Login challenge');
  expect(challenges).toContain('Challenge opened');
  expect(challenges).toContain('Its code is on the page "Sent codes".');
});

test('the pages of stablecoins tell their stories in words (W14)', async () => {
  const visit = await visitor({ scenario: 'stablecoins', seed: 1 });
  expect((await pagesOf(visit, 'stablecoins')).join('\n')).toMatch(/Registered.*Issuance: /);
});
