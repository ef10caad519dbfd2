import { describe, expect, test } from 'vitest';
import { AREAS, EVENTS, OPERATIONS } from '../../src/areas.ts';
import { Paths } from '../../src/http/paths.ts';
import { CATALOGUE } from '../kit/catalogue.ts';
import { kit, refusal } from '../kit/sandbox.ts';
import { sane } from '../kit/sane.ts';

const line = ({ id, method, path, tag }: { id: string; method: string; path: string; tag: string }) =>
  `${id}: ${method} ${path} (${tag})`;
const twice = (names: readonly string[]): string[] => names.filter((name, i) => names.indexOf(name) !== i);

describe('the catalogue of operations', () => {
  test('every operation of the contract is declared with its method, path and tag, and no other operation', () => {
    expect(OPERATIONS.map(line).sort()).toEqual(CATALOGUE.map(line).sort());
  });

  test('no operation, path, event or job is declared twice', () => {
    expect(twice(OPERATIONS.map((op) => op.id))).toEqual([]);
    expect(twice(CATALOGUE.map((op) => op.id))).toEqual([]);
    expect(twice(CATALOGUE.map((op) => `${op.method} ${op.path.replaceAll(/\{\w+\}/g, '{}')}`))).toEqual([]);
    expect(twice(EVENTS.flatMap((group) => group.types))).toEqual([]);
    expect(twice(AREAS.flatMap((area) => Object.keys(area.jobs)))).toEqual([]);
    expect(twice(AREAS.map((area) => area.name))).toEqual([]);
  });

  test('no path shadows another: each is found by its text, in any order of declaration', () => {
    for (const order of [CATALOGUE, [...CATALOGUE].reverse()]) {
      const paths = new Paths<string>();
      for (const op of order) paths.add(op.method, op.path, op.id);
      for (const op of CATALOGUE) {
        const found = paths.find(op.path.replaceAll(/\{(\w+)\}/g, 'X:$1'));
        expect(found?.path.replaceAll(/\{\w+\}/g, '{}'), line(op)).toBe(op.path.replaceAll(/\{\w+\}/g, '{}'));
        expect(found?.methods.get(op.method), line(op)).toBe(op.id);
      }
    }
  });

  test('a path that the service does not have is refused with 404, and the refusal names the nearest path', async () => {
    const { get } = await kit();
    const answer = await get('/custmers');
    expect(refusal(answer)).toMatchObject({ status: 404, code: 'REFERENCE_NOT_FOUND' });
    expect(answer.body.details.nearest).toBe('/2025-10-13/customers');
  });

  test('a read never changes anything, whatever it returns', async () => {
    const { call, post, get, sandbox } = await kit({ scenario: 'unregulated' });
    const customer = (await post('/customers', { customerType: 'INDIVIDUAL', email: 'a@example.com' })).body;
    const accounts = (await get('/customers/internal-accounts', { customerId: customer.id })).body.data;
    // The first call of an agent puts the agent in place.
    await get('/agents/me');
    const reads = OPERATIONS.filter((op) => op.method === 'GET');
    expect(reads.length).toBeGreaterThan(4);
    for (const op of reads)
      for (const id of [customer.id, accounts[0].id, accounts.at(-1).id])
        for (const query of ['', `?accountId=${id}&customerId=${id}&limit=1`]) {
          const before = JSON.stringify(sandbox.world.snapshot());
          sane(await call('GET', op.path.replaceAll(/\{\w+\}/g, id) + query), op.id);
          expect(JSON.stringify(sandbox.world.snapshot()), op.id).toBe(before);
        }
  });
});
