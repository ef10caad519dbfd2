import { describe, expect, test } from 'vitest';
import { KYC_LINKS, type KycLink } from '../../../src/areas/onboarding/index.ts';
import { createApp } from '../../../src/http/app.ts';
import { type Kit, kit } from '../../kit/sandbox.ts';

const done = 'https://app.example/done?from=kyc';

/** A customer with a link, and a browser without script. */
async function visit(customer: object = { fullName: 'Omar Diaz 001' }, redirectUri: string | undefined = done) {
  const world = await kit();
  const { body } = await world.post('/customers', { customerType: 'INDIVIDUAL', ...customer });
  const link = await world.post(`/customers/${body.id}/kyc-link`, redirectUri === '' ? {} : { redirectUri });
  const app = createApp(world.host);
  const open = (url: string = link.body.kycUrl) => app.request(url);
  const send = (form: Record<string, string>, url: string = link.body.kycUrl) =>
    app.request(url, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(form).toString(),
    });
  return { ...world, kit: world, id: body.id as string, url: link.body.kycUrl as string, open, send };
}
const settle = (world: Kit) => world.control('POST', '/clock', { advance: 'PT0S' });
const types = (world: Kit) => world.events().map((event) => event.type);

describe('GET the kycUrl', () => {
  test('the hosted page shows known data filled in, and marks what is missing (spec 2.2)', async () => {
    const page = await visit({
      fullName: 'Omar Diaz 001',
      address: { line1: '8 Elm Ct', postalCode: '98402', country: 'US' },
    });
    const response = await page.open();
    const text = await response.text();
    expect(response.status).toBe(200);
    expect(text).toContain('value="Omar Diaz 001"');
    expect(text).toContain('value="8 Elm Ct"');
    expect(text).toMatch(/Date of birth <i>missing<\/i>/);
    expect(text).not.toMatch(/Full name<i>missing/);
  });

  test('the hosted page runs and loads nothing, and its content security policy says so', async () => {
    const { open } = await visit();
    const response = await open();
    const policy = response.headers.get('content-security-policy');
    expect(policy).toMatch(
      /^default-src 'none'; style-src 'sha256-[\w+/=]+'; form-action 'self' https:; base-uri 'none'; frame-ancestors 'none'$/,
    );
    expect(await response.text()).not.toMatch(/<script|src=|<link|@import|javascript:/i);
    expect(response.headers.get('cache-control')).toBe('no-store');
  });

  test('the hosted page escapes every value that holds markup', async () => {
    const { open, patch, id } = await visit();
    const markup = '"><script>alert(1)</script>';
    await patch(`/customers/${id}`, {
      address: { line1: markup, line2: markup, city: markup, state: markup, postalCode: "'&<", country: 'US' },
    });
    const text = await (await open()).text();
    expect(text).not.toContain('<script>');
    expect(text.split('&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;').length - 1).toBe(4);
    const firm = await visit({ customerType: 'BUSINESS', businessInfo: { legalName: markup } });
    const page = await (await firm.open()).text();
    expect(page).not.toContain('<script>');
    expect(page).toContain('value="&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;"');
  });

  test('the hosted page never shows an identity number on file', async () => {
    const { open } = await visit({ fullName: 'Omar Diaz 001', idType: 'SSN', identifier: '987-65-4320' });
    const text = await (await open()).text();
    expect(text).not.toContain('987-65-4320');
    expect(text).toContain('We have this already');
  });

  test('a visit to the hosted page changes nothing (spec 3.1)', async () => {
    const { open, sandbox } = await visit();
    const before = JSON.stringify(sandbox.world.snapshot());
    await open();
    expect(JSON.stringify(sandbox.world.snapshot())).toBe(before);
  });

  test.each([
    ['Omar Diaz 001', 'pending'],
    ['Omar Diaz 002', 'reject'],
    ['Omar Diaz 003', 'again'],
    ['Omar Diaz', 'approve'],
  ])('the hosted page suggests for %s what the sandbox would do: %s', async (fullName, choice) => {
    const { open } = await visit({ fullName });
    expect(await (await open()).text()).toContain(`value="${choice}" checked`);
  });

  test.each([{ customerType: 'INDIVIDUAL' }, { customerType: 'BUSINESS' }])(
    'the hosted page for a customer of type $customerType shows no status, id or standard, and countries by name (U21)',
    async (customer) => {
      const page = await visit({ ...customer, fullName: undefined });
      const text = await (await page.open()).text();
      const said = text.replace(/<style>.*?<\/style>|<[^>]*>/gs, ' ');
      expect(said).not.toMatch(
        /PENDING|APPROVED|REJECTED|UNVERIFIED|Customer:|ISO|alpha-2|T\d\d:\d\d|emulator|SSN|API/,
      );
      expect(said).toContain('You can use this page until 6 January 2026 at 09:00 UTC');
      expect(text).toContain('<option value="CI">Côte d’Ivoire</option>');
      expect(text.match(/<option value="DE">Germany<\/option>/g)).toHaveLength(2);
    },
  );

  test('a hosted link is refused with 409 while a contact channel is not verified, and works once it is (S13, spec 3.2)', async () => {
    const contact = { platform: { contactVerification: ['email' as const], currencies: [{ code: 'USD' as const }] } };
    const made = { email: 'omar@example.com', fullName: 'Omar Diaz 001' };
    const world = await kit({ scenario: contact });
    const { id } = (await world.post('/customers', { customerType: 'INDIVIDUAL', ...made })).body;
    const confirm = () => world.post(`/customers/${id}/verify-email/confirm`, { code: '123456' });
    await confirm();
    const { kycUrl } = (await world.post(`/customers/${id}/kyc-link`, {})).body;
    await world.patch(`/customers/${id}`, { email: 'other@example.com' });
    const before = JSON.stringify(world.sandbox.world.snapshot());
    const app = createApp(world.host);
    const send = () => app.request(kycUrl, { method: 'POST', body: new URLSearchParams({ outcome: 'approve' }) });
    for (const response of [await app.request(kycUrl), await send()]) {
      expect(response.status).toBe(409);
      expect(await response.text()).toContain('Please confirm your contact details first');
    }
    expect(JSON.stringify(world.sandbox.world.snapshot())).toBe(before);
    await confirm();
    expect((await send()).status).toBe(200);
  });

  test('the hosted page of a business says "Verify your business" and fills in the known fields of the business', async () => {
    const { open } = await visit({ customerType: 'BUSINESS', businessInfo: { legalName: 'Acme LLC' } });
    const text = await (await open()).text();
    expect(text).toContain('Verify your business');
    expect(text).toContain('name="businessInfo.legalName" autocomplete="organization" value="Acme LLC"');
    expect(text).not.toContain('name="fullName"');
  });

  test('a hosted link that was never created is refused with 404', async () => {
    const { open } = await visit();
    expect((await open('http://127.0.0.1:4010/kyc/nothing')).status).toBe(404);
  });

  test('a hosted link of another sandbox shows its own customer', async () => {
    const world = await kit();
    const other = { as: 'other:x' };
    const { body } = await world.post('/customers', { customerType: 'INDIVIDUAL', fullName: 'Ida Berg' }, other);
    const link = await world.post(`/customers/${body.id}/kyc-link`, {}, other);
    const response = await createApp(world.host).request(link.body.kycUrl);
    expect(await response.text()).toContain('Ida Berg');
  });
});

describe('POST the form', () => {
  test.each([
    { outcome: 'approve', status: 'APPROVED' },
    { outcome: 'reject', status: 'REJECTED' },
  ])(
    'the outcome $outcome redirects to redirectUri with 303, then emits the same events as direct submission (spec 6 rule 1)',
    async (row) => {
      const page = await visit();
      page.sandbox.world.scheduler.sleep();
      const response = await page.send({ outcome: row.outcome });
      expect([response.status, response.headers.get('location')]).toEqual([303, done]);
      expect((await page.get(`/customers/${page.id}`)).body.kycStatus).toBe('PENDING');
      page.sandbox.world.scheduler.wake();
      await settle(page);
      expect((await page.get(`/customers/${page.id}`)).body.kycStatus).toBe(row.status);
      expect(types(page)).toEqual(['VERIFICATION.IN_PROGRESS', 'CUSTOMER.KYC_PENDING', `CUSTOMER.KYC_${row.status}`]);
    },
  );

  test('the outcome pending emits no decision until the control API decides (spec 3.1)', async () => {
    const page = await visit();
    await page.send({ outcome: 'pending' });
    await settle(page);
    expect(types(page)).toEqual(['VERIFICATION.IN_PROGRESS', 'CUSTOMER.KYC_PENDING']);
    await page.control('POST', `/customers/${page.id}/decision`, { decision: 'APPROVED' });
    expect(types(page).slice(2)).toEqual(['CUSTOMER.KYC_APPROVED']);
  });

  test('the outcome again submits nothing, keeps the link usable, and the page says why (spec 3.3)', async () => {
    const page = await visit();
    const response = await page.send({ outcome: 'again' });
    expect(response.status).toBe(303);
    expect(types(page)).toEqual(['VERIFICATION.RESOLVE_ERRORS']);
    expect(await (await page.open(new URL(response.headers.get('location') ?? '', page.url).href)).text()).toContain(
      'Your picture was not clear enough',
    );
    expect((await page.send({ outcome: 'approve' })).headers.get('location')).toBe(done);
  });

  test('a form stores the fields that are filled in on the customer; a field left empty keeps its stored value', async () => {
    const page = await visit({ fullName: 'Omar Diaz 001', nationality: 'ES' });
    await page.send({
      outcome: 'pending',
      fullName: '',
      birthDate: '1990-01-02',
      idType: 'SSN',
      identifier: '987-65-4320',
      'address.line1': '8 Elm Ct',
      'address.postalCode': '98402',
      'address.country': 'US',
    });
    expect((await page.get(`/customers/${page.id}`)).body).toMatchObject({
      fullName: 'Omar Diaz 001',
      nationality: 'ES',
      birthDate: '1990-01-02',
      idType: 'SSN',
      address: { line1: '8 Elm Ct', postalCode: '98402', country: 'US' },
    });
  });

  test('a form with one part of an address merges it into the stored address', async () => {
    const address = { line1: '8 Elm Ct', postalCode: '98402', country: 'US' };
    const page = await visit({ fullName: 'Omar Diaz 001', address });
    await page.send({ outcome: 'pending', 'address.city': 'Tacoma' });
    expect((await page.get(`/customers/${page.id}`)).body.address).toEqual({ ...address, city: 'Tacoma' });
  });

  test('a form with bad fields is refused with 400 and shows each with what was typed; the link stays usable and nothing changes', async () => {
    const page = await visit();
    const before = JSON.stringify(page.sandbox.world.snapshot());
    const response = await page.send({ outcome: 'approve', fullName: 'A<b>', nationality: 'XX' });
    const text = await response.text();
    expect(response.status).toBe(400);
    expect(text).toContain('value="A&lt;b&gt;"');
    expect(text.match(/aria-invalid="true"/g)).toHaveLength(2);
    expect(JSON.stringify(page.sandbox.world.snapshot())).toBe(before);
    expect((await page.send({ outcome: 'approve' })).status).toBe(303);
  });

  test.each([
    ['birthDate', '2030-01-01', 'It cannot be in the future'],
    ['birthDate', 'x', 'Please enter the day you were born'],
    ['nationality', 'Atlantis', 'Please choose a country from the list'],
    ['address.country', 'XX', 'Please choose a country from the list'],
    ['fullName', '<b>', 'as it is written in your passport'],
  ])(
    'a form with the %s %s is refused with 400, with a message in plain words beside the field (U21)',
    async (field, value, words) => {
      const page = await visit({
        fullName: 'Omar Diaz',
        address: { line1: '8 Elm Ct', postalCode: '1', country: 'US' },
      });
      const response = await page.send({ outcome: 'approve', [field]: value });
      const text = await response.text();
      expect(response.status).toBe(400);
      expect(text.match(/aria-invalid="true"/g)?.length).toBe(1);
      expect(text).toMatch(new RegExp(`id="field-${field.replace('.', '-')}-error">[^<]*${words}`));
      expect(text).not.toMatch(/ISO|YYYY-MM-DD|required of/);
    },
  );

  test.each([
    ['https://app.example/完了?x=é', 'https://app.example/%E5%AE%8C%E4%BA%86?x=%C3%A9'],
    ['https://app.example/a b', 'https://app.example/a%20b'],
    ['HTTPS://App.Example', 'https://app.example/'],
  ])('a form redirects to %s, encoded so that a header can hold it (H5)', async (redirectUri, location) => {
    const page = await visit(undefined, redirectUri);
    const response = await page.send({ outcome: 'approve' });
    expect([response.status, response.headers.get('location')]).toEqual([303, location]);
  });

  test('a form that cannot be answered is answered with 500, decides nothing and leaves the link usable (H5)', async () => {
    const page = await visit();
    const { world } = page.sandbox;
    const [link] = [...world.rows(KYC_LINKS).rows()];
    world.rows(KYC_LINKS).put({ ...(link as KycLink), redirectUri: 'no address' });
    const before = JSON.stringify(world.snapshot());
    for (const response of [await page.send({ outcome: 'approve' }), await page.open()]) {
      expect(response.status).toBe(500);
      expect(await response.text()).toContain('Something went wrong');
    }
    expect(JSON.stringify(world.snapshot())).toBe(before);
    expect(page.kit.broken).toHaveLength(2);
    page.kit.oddRows();
  });

  test('a form without an outcome is refused with 400', async () => {
    const page = await visit();
    expect((await page.send({})).status).toBe(400);
  });

  test('the hosted page itself says that the check is done where there is no redirectUri (spec 2.2: it is optional)', async () => {
    const page = await visit(undefined, '');
    const response = await page.send({ outcome: 'approve' });
    expect(response.status).toBe(200);
    expect(await response.text()).toContain('You are done');
  });

  test('a form of a business emits the KYB events (spec 6)', async () => {
    const page = await visit({ customerType: 'BUSINESS', businessInfo: { registrationNumber: 'HRB 003' } });
    await page.send({ outcome: 'approve', 'businessInfo.legalName': 'North Pier LLC', 'address.line1': '' });
    await settle(page);
    expect(types(page).filter((type) => type.startsWith('CUSTOMER'))).toEqual([
      'CUSTOMER.KYB_PENDING',
      'CUSTOMER.KYB_APPROVED',
    ]);
    expect((await page.get(`/customers/${page.id}`)).body.businessInfo).toEqual({
      registrationNumber: 'HRB 003',
      legalName: 'North Pier LLC',
    });
  });

  test('a form that is too large is refused with 400', async () => {
    const page = await visit();
    expect((await page.send({ outcome: 'approve', fullName: 'x'.repeat(70_000) })).status).toBe(400);
  });

  test('the request log never holds an identity number that was typed into the form', async () => {
    const page = await visit();
    await page.send({ outcome: 'pending', idType: 'SSN', identifier: '987-65-4320' });
    const log = await page.control('GET', '/requests');
    expect(log.text).toContain('/kyc/');
    const whole = await page.control('GET', `/requests/${log.body.data[0].id}`);
    expect(whole.text).not.toContain('987-65-4320');
    expect(whole.body.magic).toContain('hosted page: pending');
  });
});

describe('single use and expiry (spec 2.2)', () => {
  test('one of three forms sent at once is accepted, and two are refused with 410 (spec 2.2, H5)', async () => {
    const page = await visit({ fullName: 'Omar Diaz 001' }, '');
    const replies = await Promise.all([1, 2, 3].map(() => page.send({ outcome: 'approve' })));
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 410, 410]);
    await settle(page.kit);
    expect(types(page.kit).filter((type) => type === 'VERIFICATION.IN_PROGRESS')).toHaveLength(1);
  });

  test('a used link is refused with 410 and changes nothing; another link of the same customer still works (spec 4.2)', async () => {
    const page = await visit();
    const second = await page.post(`/customers/${page.id}/kyc-link`, {});
    await page.send({ outcome: 'reject' });
    await settle(page);
    const before = JSON.stringify(page.sandbox.world.snapshot());
    const again = await page.open();
    expect(again.status).toBe(410);
    expect(await again.text()).toContain('This link has been used');
    expect((await page.send({ outcome: 'approve' })).status).toBe(410);
    expect(JSON.stringify(page.sandbox.world.snapshot())).toBe(before);
    expect((await page.send({ outcome: 'approve' }, second.body.kycUrl)).status).toBe(200);
    await settle(page);
    expect((await page.get(`/customers/${page.id}`)).body.kycStatus).toBe('APPROVED');
  });

  test('a link that expired after 24 hours of the virtual clock is refused with 410', async () => {
    const page = await visit();
    await page.control('POST', '/clock', { advance: 'PT23H59M' });
    expect((await page.open()).status).toBe(200);
    await page.control('POST', '/clock', { advance: 'PT1M' });
    const late = await page.open();
    expect(late.status).toBe(410);
    expect(await late.text()).toContain('This link has expired');
    expect((await page.send({ outcome: 'approve' })).status).toBe(410);
    expect(types(page)).toEqual([]);
  });

  test('the link of a deleted customer is refused with 410', async () => {
    const page = await visit();
    await page.del(`/customers/${page.id}`);
    expect((await page.open()).status).toBe(410);
  });
});

describe('refused visits in the log of requests', () => {
  /** What the log says of the newest refused visit. */
  const logged = async (page: Kit) => {
    const [newest] = (await page.control('GET', '/requests')).body.data;
    const { why } = (await page.control('GET', `/requests/${newest.id}`)).body;
    return [newest.status, newest.code, why.outcome, why.message, why.rule];
  };

  test('the log names the fields of a refused form, and not what was typed', async () => {
    const page = await visit();
    await page.send({ outcome: 'approve', birthDate: '2099-01-01' });
    const message = 'the form is shown again: birthDate';
    expect(await logged(page)).toEqual([400, 'INVALID_INPUT', 'refused', message, 'spec 2.1 (4)']);
    expect((await page.control('GET', '/requests')).text).not.toContain('2099-01-01');
    await page.send({ fullName: 'x'.repeat(70_000) });
    expect((await logged(page)).slice(0, 3)).toEqual([400, 'INVALID_REQUEST_FORMAT', 'refused']);
  });

  test('the log says why a link is closed', async () => {
    const page = await visit();
    const second = await page.post(`/customers/${page.id}/kyc-link`, {});
    await page.send({ outcome: 'approve' });
    await page.open();
    const used = [410, 'LINK_USED', 'refused', 'the link has been used', 'spec 2.2: single use'];
    expect(await logged(page)).toEqual(used);
    await page.control('POST', '/clock', { advance: 'PT24H' });
    await page.send({ outcome: 'approve' }, second.body.kycUrl);
    expect(await logged(page)).toEqual([
      410,
      'LINK_EXPIRED',
      'refused',
      'the link has expired',
      'spec 2.2: single use',
    ]);
    const other = await visit();
    await other.del(`/customers/${other.id}`);
    await other.open();
    expect((await logged(other)).slice(1, 4)).toEqual(['LINK_GONE', 'refused', 'the customer of the link was deleted']);
  });
});
