import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { OPERATIONS } from '../../src/areas.ts';
import { nothing, type Observed } from './notes.ts';
import { pageOf } from './page.ts';
import { isOf } from './planted.ts';
import { missingOf, missingOthers, missingProofs } from './proofs.ts';
import { observationsIn } from './read-back.ts';
import { type Evidence, lackingIn, MUST, recordOf } from './record.ts';
import { GROUPS } from './rows.ts';
import { confirmedBy, UNCONFIRMED } from './service.ts';
import { PAGE, RECORD, staleBy, store, storedRecord, textOf, WRITES } from './store.ts';

/** The record of the repository; while it is written, with its declared parts made anew. */
function record(): Evidence {
  const stored = storedRecord();
  if (!stored) throw new Error(`${RECORD} is missing: run npm run evidence`);
  if (!WRITES) return stored;
  const made = recordOf(observationsIn(stored));
  store(made);
  return made;
}

describe('the record of evidence', () => {
  const kept = record();

  test('docs/evidence.json repeats what is declared today: contract, sections, falsifications, reasons', () => {
    expect(textOf(recordOf(observationsIn(kept))), `${RECORD} is stale: run npm run evidence`).toBe(
      readFileSync(RECORD, 'utf8'),
    );
  });

  test('docs/evidence.json has every operation, each with the same cells, and none of them empty', () => {
    expect(Object.keys(kept.operations)).toEqual(OPERATIONS.map(({ id }) => id).sort());
    const cells = Object.keys(kept.operations['createQuote'] ?? {});
    const empty = (value: unknown): boolean =>
      value === '' || (typeof value === 'object' && value !== null && Object.keys(value).length === 0);
    for (const [id, block] of Object.entries(kept.operations)) {
      expect(Object.keys(block), id).toEqual(cells);
      for (const [name, cell] of Object.entries(block)) {
        expect(empty(cell), `${id} ${name}`).toBe(false);
        // Formats of a shape that has none, and profiles, are numbers of something and no cells.
        if (!['contract'].includes(name) && typeof cell === 'object')
          for (const [part, value] of Object.entries(cell))
            expect(empty(value), `${id} ${name} ${part}: if it is new, npm run evidence`).toBe(false);
      }
    }
  });

  test('docs/evidence.json has no total, share or score', () => {
    expect(readFileSync(RECORD, 'utf8')).not.toMatch(/"(?:total|score|percent|share|coverage|sum)"/i);
  });

  // While it is written the old one says nothing: the end of that run looks at the new one.
  const lacking = (must: keyof typeof MUST) => (WRITES ? [] : lackingIn(kept, must));

  test('every declared answer was given by a rule, and none by a fault alone', () => {
    expect(lacking('rules'), MUST.rules).toEqual([]);
  });

  test('no operation was seen to refuse as it does not declare, but for what any call may meet', () => {
    // HTTP itself, one sandbox too many, the end of a life; the tests of these steps also give operations other rules.
    const anywhere = ['400/INVALID_REQUEST_FORMAT', '429/RATE_LIMITED'];
    type Met = Readonly<Record<string, { answers: string[]; test: string }>>;
    const undeclared = Object.entries(kept.operations).flatMap(([id, block]) => {
      const { seen } = block['answers'] as unknown as { seen: string[] };
      const met = typeof block['rules'] === 'string' ? {} : (block['rules'] as unknown as Met);
      return Object.entries(met)
        .filter(([rule, { test }]) => !rule.startsWith('nothing is left under way') && test.startsWith('test/areas/'))
        .flatMap(([, { answers }]) => answers)
        .filter((one) => one < '5' && !anywhere.includes(one) && !seen.includes(one))
        .map((one) => `${id} ${one}`);
    });
    expect(WRITES ? [] : undeclared).toEqual([]);
  });

  test('a success of every operation was held against the public contract in both profiles', () => {
    expect(lacking('contract'), MUST.contract).toEqual([]);
  });

  test('every event that is declared to follow an operation was seen', () => {
    expect(lacking('events'), MUST.events).toEqual([]);
  });

  test('the check of the record names an answer, a contract check or an event that is missing', () => {
    const empty = recordOf({ operations: new Map(), signed: new Map() });
    expect(lackingIn(empty, 'rules')).toContain('createQuote 400/SELF_PAYMENT');
    expect(lackingIn(empty, 'contract')).toContain('createQuote');
    expect(lackingIn(empty, 'events').join()).toContain('createCard not seen: CARD.STATE_CHANGE');
  });
});

test('a run that saw anything other than the record fails with one sentence and the first line that differs', () => {
  const stored = storedRecord();
  if (!stored) throw new Error('no record');
  const seen = observationsIn(stored);
  expect(staleBy(recordOf(seen))).toBeUndefined();
  seen.operations.get('createQuote')?.answers.delete('400/SELF_PAYMENT');
  expect(staleBy(recordOf(seen))).toMatch(
    /^docs\/evidence\.json is stale: run npm run evidence\nline \d+:\n {2}kept: .*SELF_PAYMENT/,
  );
});

describe('reasons in the record', () => {
  test('the reason that the service confirmed nothing ends when a recording or shapes name the operation', () => {
    const heard = [{ file: 'test/parity/shapes/one.json', date: '2026-12-01', text: '{"createQuote":{}}' }];
    expect(confirmedBy('createQuote', [])).toBe(UNCONFIRMED);
    expect(confirmedBy('createQuote', heard)).toEqual(['test/parity/shapes/one.json of 2026-12-01']);
    expect(confirmedBy('executeQuote', heard)).toBe(UNCONFIRMED);
  });

  test.each([
    ['simulations', (seen: Observed) => seen.simulations.add('test/areas/x/simulation.test.ts')],
    ['states', (seen: Observed) => seen.states.set('customer', new Set(['PENDING']))],
    ['events', (seen: Observed) => seen.events.set('TEST', { profiles: new Set(['spec']), after: new Set() })],
    ['rules', (seen: Observed) => seen.rules.set('x', { answers: new Set(['400']), files: new Set(['test/x']) })],
    ['walks', (seen: Observed) => seen.walks.add('test/parity/itself.test.ts')],
  ])('the reason why an operation has no %s ends when a run sees some', (cell, see) => {
    const before = recordOf({ operations: new Map(), signed: new Map() }).operations['listTokens']?.[cell];
    const seen = nothing();
    see(seen);
    const after = recordOf({ operations: new Map([['listTokens', seen]]), signed: new Map() }).operations['listTokens'];
    const partOf = (block: typeof before) => (cell === 'walks' ? (block as { calledBy: unknown }).calledBy : block);
    expect([typeof partOf(before), typeof partOf(after?.[cell])]).toEqual(['string', 'object']);
    expect(JSON.stringify(after?.[cell])).not.toContain(partOf(before));
  });
});

test.each([
  ['spec 3.1', 'spec 3.1', true],
  // biome-ignore lint/suspicious/noTemplateCurlyInString: as it stands in the source of the rule
  ['magic file name ${name} (spec 7 rule 7)', 'magic file name expired (spec 7 rule 7)', true],
  ['spec 2.1 (1)', 'spec 2.1 (1): providerRequiredCustomerFields', false],
  ['spec 3.1', 'spec 3X1', false],
])('a falsification of "%s" concerns "%s": %s', (rule, said, concerns) => {
  expect(isOf({ rule }, said)).toBe(concerns);
});

describe('the page of reliance', () => {
  test('docs/reliance.md is made from the record and from the rows', () => {
    const kept = storedRecord();
    expect(kept && pageOf(kept), `${PAGE} is stale: run npm run evidence`).toBe(readFileSync(PAGE, 'utf8'));
  });

  test('docs/reliance.md answers at least 30 questions, each once and with a proof', () => {
    const rows = GROUPS.flatMap((group) => group.rows);
    expect(rows.length).toBeGreaterThanOrEqual(30);
    expect(new Set(rows.map(({ that }) => that)).size).toBe(rows.length);
    expect(rows.filter(({ proofs }) => proofs.length === 0)).toEqual([]);
    expect(rows.filter(({ answer, proofs }) => answer !== 'no' && !proofs.some((proof) => 'test' in proof))).toEqual(
      [],
    );
  });

  test('docs/reliance.md has only proofs that exist: tests that run, by their names, and sections of pages', () => {
    expect(missingProofs()).toEqual([]);
    expect(missingOthers()).toEqual([]);
  });

  test.each([
    [{ file: 'test/ledger/nowhere.test.ts', test: 'x' }],
    [{ file: 'test/ledger/price.test.ts', test: 'a payout that no test has' }],
    [{ page: 'docs/parity.md', heading: 'No such section' }],
  ])('a proof such as %j in docs/reliance.md is found to be missing', (proof) => {
    expect(missingOf(proof)).toBeDefined();
  });

  test('docs/reliance.md has at most 16 kB', () => {
    expect(readFileSync(PAGE).length).toBeLessThanOrEqual(16 * 1024);
  });
});
