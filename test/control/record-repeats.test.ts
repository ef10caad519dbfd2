import { expect, test } from 'vitest';
import { typesIn } from '../../src/calls/trigger/trigger.ts';
import { PROFILES } from '../../src/contract/profile.ts';
import { form } from '../areas/onboarding/material.ts';
import { receiver } from '../kit/receiver.ts';
import { type Kit, kit } from '../kit/sandbox.ts';
import { Authenticator, walletKit } from '../kit/wallet.ts';

const ADA = { customerType: 'INDIVIDUAL', fullName: 'Ada Keller', birthDate: '1990-01-02', email: 'ada@example.com' };
const latest = ({ sandbox }: Kit): string => [...sandbox.requestLog.newest()][0]?.id as string;

async function record(it: Kit, as = 'vitest', requests: unknown = { from: 'req_1', to: latest(it) }): Promise<string> {
  const { status, text } = await it.control('POST', '/record', { requests, as });
  expect(status, text).toBe(200);
  return text;
}

/** The steps that are left out or another, each with the reason that stands at it. */
const marked = (text: string): string[] =>
  [...text.matchAll(/^ *(?:\/\/|#) (?:Left out|This cannot be repeated|Not expected).*$/gm)].map(([line]) =>
    line.trim(),
  );

test.each(['spec', 'grid'] as const)(
  "a recorded test repeats a wallet's logins, signatures and passkeys, profile %s",
  async (profile) => {
    const it = await walletKit({ profile, scenario: 'wallet' });
    const { key } = await it.login();
    const phone = new Authenticator();
    const passkey = await it.addPasskey(key, phone);
    await it.passkeyLogin(passkey.id, phone);
    const text = await record(it);
    expect(marked(text)).toEqual([]);
    expect(text).toContain("import { createClientKey, sealOtp } from 'sandbox-emulator/testkit';");
    expect(text).toMatch(
      /const encryptedOtpBundle = await sealOtp\((\w+), '000000', createClientKey\(\)\.uncompressed\);/,
    );
    const header = PROFILES[profile].walletSignatureHeader.toLowerCase();
    expect(text).toMatch(new RegExp(`'request-id': requestId\\w*, '${header}': 'sandbox-valid-signature'`));
    expect(text).toContain("signature: 'sandbox-valid-passkey-signature'");
    const script = await record(it, 'shell');
    expect(marked(script)[0]).toBe(
      '# Left out, because it cannot be repeated: no script seals a one-time code; a Vitest test does',
    );
  },
);

test('a recording leaves out a call whose signature was refused, with the reason (G4)', async () => {
  const it = await walletKit({ scenario: 'wallet' });
  await it.login();
  const path = `/internal-accounts/${it.accountId}`;
  const challenge = (await it.patch(path, { privateEnabled: true })).body;
  const headers = { 'service-wallet-signature': 'no stamp', 'request-id': challenge.requestId };
  expect((await it.patch(path, { privateEnabled: true }, { headers })).status).toBe(401);
  await it.get('/config');
  expect(marked(await record(it))).toEqual([
    '// Left out, because it cannot be repeated: its signature was refused, and only the key of its client makes another',
  ]);
});

test('a recording repeats the upload of a document with a made-up file of its name, type and length', async () => {
  const it = await kit();
  const { id } = (await it.post('/customers', ADA)).body;
  const parts = { documentHolder: id, documentType: 'PASSPORT', country: 'US' };
  const made = await it.post('/documents', undefined, { raw: form(parts, { name: "Ada's.pdf" }) });
  expect(made.status).toBe(201);
  await it.get(`/documents/${made.body.id}`);
  const text = await record(it);
  expect(marked(text)).toEqual([]);
  expect(text).toContain("form2.append('documentHolder', customerId);");
  expect(text).toMatch(/Buffer\.from\('%PDF-1\.7\\n'\.padEnd\(\d+\), 'latin1'\)/);
  expect(text).toContain(`{ type: 'application/pdf' }), "Ada's.pdf");`);
  expect(text).toContain('  // The log does not keep files: this one is made up');
  expect(await record(it, 'shell')).toContain(`--form-string 'documentHolder='"$customerId"`);
});

test('a recording leaves out an import and the calls about it, each with the reason, and no other call', async () => {
  const it = await kit();
  const file = { name: 'people.csv', type: 'text/csv', bytes: Buffer.from('customerType,fullName\nINDIVIDUAL,Nora\n') };
  const { body } = await it.post('/customers/bulk/csv', undefined, { raw: form({}, file) });
  await it.get(`/customers/bulk/jobs/${body.id ?? body.jobId}`);
  const { id } = (await it.post('/customers', ADA)).body;
  await it.get(`/customers/${id}`);
  const text = await record(it);
  expect(marked(text)).toEqual([
    '// Left out, because it cannot be repeated: the log does not keep files',
    '// Left out, because it cannot be repeated: it is about what uploadCustomersCsv (req_1) created, which is left out',
  ]);
  expect(text.match(/await sandbox\.fetch\(/g)).toHaveLength(2);
});

test("a recording of an agent's call includes the call that issued its token", async () => {
  const it = await kit({ scenario: 'agents' });
  const [{ id }] = (await it.get('/agents')).body.data;
  const { code } = (await it.post(`/agents/${id}/device-codes`)).body;
  const { accessToken } = (await it.post(`/agents/device-codes/${code}/redeem`, undefined, { as: null })).body;
  const headers = { authorization: `Bearer ${accessToken}` };
  expect((await it.call('GET', '/agents/me/internal-accounts', undefined, { as: null, headers })).status).toBe(200);
  const text = await record(it, 'vitest', [latest(it)]);
  expect(marked(text)).toEqual([]);
  expect(text).toContain('redeemAgentDeviceCode, which creates what later calls use');
  expect(text).toContain('authorization: `Bearer $' + '{accessToken}`');
  expect([text.includes(accessToken), text.includes('•••')]).toEqual([false, false]);
});

/** Events that a receiver, a person on the hosted page or a file leads to. */
const ELSEWHERE =
  /^(?:INCOMING_PAYMENT\.(?:PENDING|REFUND_\w+)|CUSTOMER\.KY[BC]_\w+|VERIFICATION\.\w+|BULK_UPLOAD\.\w+)$/;

test.each(typesIn(PROFILES.spec))('a recording repeats what a trigger of %s did', async (event) => {
  const hooks = await receiver();
  const currencies = ['USD', 'EUR', 'USDC', 'USDB'].map((code) => ({ code }));
  const scenario = ['default', { platform: { counterpartyRules: true, sca: {}, currencies } }];
  const it = await kit({ scenario, webhookUrl: hooks.url, compares: false });
  expect((await it.control('POST', '/trigger', { event })).status).toBe(200);
  await it.get('/config');
  const left = marked(await record(it)).filter(
    (line) => !ELSEWHERE.test(event) || !/no operation|files|not keep|approval|Not expected/.test(line),
  );
  expect(left).toEqual([]);
});

test('a recording names a fault in a comment at the place where it was added', async () => {
  const it = await kit();
  await it.get('/config');
  await it.control('POST', '/faults', { match: { operation: 'createCustomer', times: 1 }, then: { status: 503 } });
  await it.post('/customers', ADA);
  await it.post('/customers', ADA);
  const text = await record(it);
  expect(text.indexOf('// Left out: by hand: a fault was added: no recording repeats that')).toBeGreaterThan(
    text.indexOf('const answer1 ='),
  );
  expect(marked(text)).toHaveLength(2);
});

test('the moments of a recording do not go back after a rewind, although a live clock had stood a little before', async () => {
  const it = await kit();
  const { id } = (await it.post('/customers', ADA)).body;
  await it.advance('PT1M');
  await it.del(`/customers/${id}`);
  await it.control('POST', '/requests/last/rewind');
  await it.get(`/customers/${id}`);
  const [last] = it.sandbox.requestLog.newest();
  Object.assign(last as object, { at: '2026-01-05T09:00:59.000Z' });
  const moments = [...(await record(it)).matchAll(/advanceTo\('([^']+)'\)/g)].map(([, at]) => at);
  expect(moments).toEqual([...moments].sort());
});

test('a recorded script advances the clock by the same time, and takes the id of each event of a type', async () => {
  const it = await kit({ scenario: 'cards' });
  const { data: cards } = (await it.get('/cards')).body;
  const card = cards.find((one: { state: string }) => one.state === 'ACTIVE');
  const simulate = `/sandbox/cards/${card.id}/simulate`;
  const merchant = { descriptor: 'CAFE', mcc: '5812', country: 'US' };
  for (const amount of [2500, 1000])
    await it.post(`${simulate}/authorization`, { amount, currency: { code: 'USD' }, merchant });
  await it.advance('PT5M');
  for (const [i, amount] of [2500, 1000].entries()) {
    const cardTransactionId = it.events('CARD_TRANSACTION.AUTHORIZED')[i]?.data.id;
    expect((await it.post(`${simulate}/clearing`, { cardTransactionId, amount })).status).toBe(202);
  }
  const text = await record(it, 'shell');
  expect(text.match(/^next_event CARD_TRANSACTION\.AUTHORIZED$/gm)).toHaveLength(2);
  expect(text.match(/^cardTransactionId2?=/gm)).toEqual(['cardTransactionId=', 'cardTransactionId2=']);
  expect(text.match(/"advance":"[^"]+"/g)).toEqual(['"advance":"PT300S"']);
});

test('a value from a reply that changes with every run becomes a variable also when it has only letters', async () => {
  const { isPassing } = await import('../../src/calls/record/expected.ts');
  expect(['FUND-ABCDEFGH', 'GRID-ABCD-EFGH', 'COMPLETED'].map(isPassing)).toEqual([true, true, false]);
});
