import { expect, test } from 'vitest';
import { OPERATIONS } from '../../src/areas.ts';
import { kit } from '../kit/sandbox.ts';

/** Files are not in the log, so what they led to cannot be repeated; agents call with a token that only their first reply has. */
const NOT_REPEATED = /Document|Bulk|^agent[A-Z]|getAgentMe/;

test.each([
  ['spec', 'default'],
  ['grid', 'payouts'],
] as const)(
  'a recording of all examples repeats every call in a fresh emulator, profile %s, scenario %s (W1, G4)',
  async (profile, scenario) => {
    // Without a seed: nothing of what is drawn may be expected again.
    const it = await kit({
      profile,
      scenario,
      seed: undefined,
      webhookUrl: 'http://127.0.0.1:9/hooks',
      compares: false,
    });
    const examples = OPERATIONS.filter(({ id, upload }) => !upload && !NOT_REPEATED.test(id));
    for (const { id } of examples) {
      const { example } = (await it.control('GET', `/operations/${id}`)).body;
      const { params, query, headers, body } = example ?? {};
      expect((await it.control('POST', `/operations/${id}/call`, { params, query, headers, body })).status).toBe(200);
      await it.advance('PT1M');
    }
    const ids = [...it.sandbox.requestLog.newest()].map((entry) => entry.id);
    expect(ids.length).toBe(examples.length);
    const requests = { from: ids.at(-1), to: ids[0] };
    const { status, text } = await it.control('POST', '/record', { requests });
    expect(status, text).toBe(200);
    expect(text.match(/^ *\/\/ .*cannot be repeated.*$/gm)).toBe(null);
    expect(text.match(/was not emitted again.*/g)).toBe(null);
    expect(text).not.toContain('was created by none');
  },
);
