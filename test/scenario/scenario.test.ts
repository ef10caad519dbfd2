import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { BUILT_INS } from '../../src/scenario/builtin.ts';
import { ScenarioError } from '../../src/scenario/error.ts';
import { loadScenarios, readScenarioText } from '../../src/scenario/load.ts';
import { scenarioJsonSchema } from '../../src/scenario/publish.ts';
import { kit } from '../kit/sandbox.ts';

const problems = async (text: string) => {
  try {
    await readScenarioText(text, 'x.yaml');
  } catch (error) {
    expect(error).toBeInstanceOf(ScenarioError);
    return (error as ScenarioError).problems.map(({ line, column, message }) => `${line}:${column} ${message}`);
  }
  return [];
};
const file = (name: string): string => readFileSync(join(import.meta.dirname, `../../scenarios/${name}.yaml`), 'utf8');

describe('mistakes in a scenario file', () => {
  test.each([
    ['platfrom:\n  regulated: true', ['1:1 unknown key platfrom; did you mean platform?']],
    ['platform:\n  regulatd: true', ['2:3 unknown key regulatd; did you mean regulated?']],
    [
      'title: x\nzzzzzzzzzzzz: 1',
      [
        '2:1 unknown key zzzzzzzzzzzz; there are $schema, title, platform, policies, limits, clock and 17 more: docs/scenarios.md',
      ],
    ],
    ['clock: { zzzzzzzzzzzz: 1 }', ['1:10 unknown key zzzzzzzzzzzz; there are now, mode']],
    [
      'platform:\n  currencies:\n    - { code: USD }\n    - { code: US }',
      [expect.stringMatching(/^4:9 platform\.currencies\.1\.code: /)],
    ],
    [
      'policies: { customer.decide: later }',
      [expect.stringMatching(/^1:13 policies\.customer\.decide: must be "at once"/)],
    ],
    ['clock: { now: tomorrow }', [expect.stringMatching(/^1:10 clock\.now: /)]],
    ['credentials: []', [expect.stringMatching(/^1:1 credentials: /)]],
    [
      'credentials:\n  - { id: "a b", secret: x }',
      [expect.stringMatching(/^2:7 credentials\.0\.id: must have no colon/)],
    ],
    ['generate: { customers: -1 }', [expect.stringMatching(/^1:13 generate\.customers: /)]],
    ['customers:\n  - customerType: PERSON', [expect.stringMatching(/^2:5 customers\.0\.customerType: /)]],
    ['{"platform": {"umaDomain": 7}}', [expect.stringMatching(/^1:15 platform\.umaDomain: /)]],
    ['- a\n- b', [expect.stringMatching(/^1:1 /)]],
    ['7', [expect.stringMatching(/^1:1 /)]],
  ])('a mistake in a scenario file is reported with its line and column: %j', async (text, expected) => {
    expect(await problems(text)).toEqual(expected);
  });

  test('all mistakes in a scenario file are reported at once, each at its own place', async () => {
    const found = await problems('platform:\n  regulatd: true\n  umaDomain: 7\npolicis: {}\n');
    expect(found.map((line) => line.split(' ')[0]).sort()).toEqual(['2:3', '3:3', '4:1']);
  });

  test.each(['platform: {', 'a: b: c', 'platform:\n\tregulated: true', 'platform: {}\nplatform: {}', '*nobody'])(
    'a scenario file that is not valid YAML is refused with its place: %j',
    async (text) => {
      const [first] = await problems(text);
      expect(first).toMatch(/^\d+:\d+ /);
    },
  );

  test('a scenario file whose aliases unfold without end is refused', async () => {
    const bomb = [
      'a: &a [x,x,x,x,x,x,x,x,x]',
      ...'bcdefgh'.split('').map((name, i) => `${name}: &${name} [${Array(9).fill(`*${'abcdefg'[i]}`).join(',')}]`),
    ].join('\n');
    await expect(readScenarioText(bomb, 'x.yaml')).rejects.toBeInstanceOf(ScenarioError);
  });

  test('an empty scenario file is read as the default of everything', async () => {
    expect(await readScenarioText('', 'x.yaml')).toEqual({});
    expect(await readScenarioText('# nothing\n', 'x.yaml')).toEqual({});
  });

  test('a name that is neither a scenario file nor built in is refused, and the refusal names the nearest', async () => {
    await expect(loadScenarios(['regulatd'])).rejects.toThrow('did you mean regulated?');
    await expect(loadScenarios(['/nowhere.yaml'])).rejects.toThrow('no scenario /nowhere.yaml');
  });
});

describe('built-in scenarios', () => {
  test.each(BUILT_INS)('built-in scenario %s is valid and has a title', async (name) => {
    expect(await problems(file(name))).toEqual([]);
    expect(parse(file(name)).title).toMatch(/\w/);
  });

  const accepts = new Ajv2020({ strict: false, validateFormats: false }).compile(scenarioJsonSchema());
  test.each(BUILT_INS)('the published JSON schema accepts built-in scenario %s', (name) => {
    expect([accepts(parse(file(name))), accepts.errors]).toEqual([true, null]);
  });

  test('the published JSON schema of scenarios refuses what the loader refuses', () => {
    for (const wrong of [
      { platfrom: {} },
      { platform: { regulated: 'yes' } },
      { credentials: [] },
      { customers: [{}] },
      { generate: { customers: -1 } },
      [],
    ])
      expect(accepts(wrong), JSON.stringify(wrong)).toBe(false);
    for (const right of [{}, { customers: [{ customerType: 'BUSINESS', accounts: { USD: 1 } }] }, { $schema: 'x' }])
      expect([accepts(right), accepts.errors]).toEqual([true, null]);
  });
});

describe('several scenarios', () => {
  test('the later of several scenarios wins, and their customers add up', async () => {
    const merged = await loadScenarios([
      'regulated',
      { platform: { umaDomain: 'a.example' }, customers: [{ customerType: 'BUSINESS' }] },
      { platform: { umaDomain: 'b.example' }, customers: [{ customerType: 'INDIVIDUAL' }] },
    ]);
    expect(merged.platform).toMatchObject({ regulated: true, umaDomain: 'b.example' });
    expect(merged.customers.map((customer) => customer.customerType)).toEqual(['BUSINESS', 'INDIVIDUAL']);
  });
});

describe('the start of a scenario', () => {
  test('generated customers come from the seed, emit no events, and fill the list', async () => {
    const people = async (seed: number) => {
      const { get, events } = await kit({ seed, scenario: { generate: { customers: 30 } } });
      expect(events()).toEqual([]);
      return (await get('/customers', { limit: 100 })).body;
    };
    const first = await people(1);
    expect(first.totalCount).toBe(30);
    expect(await people(1)).toEqual(first);
    expect(await people(2)).not.toEqual(first);
  });

  test('a customer that the API would refuse is refused in a scenario, too', async () => {
    const start = (customer: object) => kit({ scenario: { customers: [{ customerType: 'INDIVIDUAL', ...customer }] } });
    await expect(start({ birthDate: '2026-02-30' })).rejects.toThrow('birthDate');
    await expect(start({ currencies: ['EUR'] })).rejects.toThrow('EUR');
    await expect(start({ umaAddress: 'x' })).rejects.toThrow('umaAddress');
    await expect(start({ accounts: { EUR: 1 } })).rejects.toThrow('EUR');
  });

  test('a scenario with only a platform begins like one that also fixes a rate, but for that rate', async () => {
    const begun = async (scenario: object) => {
      const policies = { 'customer.decide': 'hold' };
      const limits = { quoteSeconds: 30 };
      const { control } = await kit({
        scenario: { platform: { umaDomain: 'A.example' }, policies, limits, ...scenario },
      });
      const { tables, ...rest } = (await control('GET', '/state')).body;
      return { ...rest, tables: tables.filter((table: { name: string }) => table.name !== 'rates') };
    };
    const bare = await begun({});
    expect(bare.tables.map(({ name, rows }: { name: string; rows: object[] }) => [name, rows.length])).toEqual([
      ['accounts', 3],
      ['platform', 1],
      ['tokens', 1],
    ]);
    expect(await begun({ rates: { 'USD/EUR': 0.5 } })).toEqual(bare);
  });

  test('the clock starts at the moment of the scenario, and is held if the scenario says so', async () => {
    const { control } = await kit({
      now: undefined,
      holdClock: undefined,
      scenario: { clock: { now: '2030-01-01T00:00:00Z', mode: 'held' } },
    });
    expect((await control('GET', '/clock')).body).toMatchObject({ now: '2030-01-01T00:00:00.000Z', mode: 'held' });
  });
});
