import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { SECTIONS } from '../../../src/hosted/fields.ts';
import { kit } from '../../kit/sandbox.ts';

const PAGE = readFileSync(join(import.meta.dirname, '../../../docs/hosted-page.md'), 'utf8');
const rows = [...PAGE.matchAll(/^\| (individual|business|both) \| `([\w.]+)` \| (.+) \|$/gm)].map(
  ([, whose, name, label]) => ({ whose, name, label }),
);
const outcomes = [...PAGE.matchAll(/^\| `(\w+)` \| (.+?) \| /gm)].map(([, value, label]) => [value, label]);

describe('the document of the hosted page (G16)', () => {
  test.each([
    ['INDIVIDUAL', 'individual'],
    ['BUSINESS', 'business'],
  ] as const)('docs/hosted-page.md lists the fields of the page for %s, in their order', (type, whose) => {
    const fields = SECTIONS[type].flatMap((section) => section.fields);
    expect(
      rows.filter((row) => row.whose === whose || row.whose === 'both').map(({ name, label }) => [name, label]),
    ).toEqual(fields.map(({ name, label, optional }) => [name, `${label}${optional ? ' (optional)' : ''}`]));
  });

  test('docs/hosted-page.md lists each outcome of the check as the page offers it', async () => {
    const it = await kit({ scenario: { platform: { regulated: false } } });
    const { id } = (await it.post('/customers', { customerType: 'INDIVIDUAL', fullName: 'Ada Keller', region: 'DE' }))
      .body;
    const { kycUrl } = (await it.post(`/customers/${id}/kyc-link`, {})).body;
    const html = await (await it.host.fetch(new Request(kycUrl))).text();
    const offered = [...html.matchAll(/name="outcome" value="(\w+)"[^>]*><span><b>([^<]+)</g)].map(([, ...one]) => one);
    expect(outcomes.slice(1)).toEqual(offered);
    expect(html).toContain('>Finish</button>');
    expect(html).toContain('for="field-birthDate">Date of birth');
  });
});
