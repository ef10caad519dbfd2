import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { PROFILES } from '../../src/contract/profile.ts';
import { openApiDocument } from '../../src/http/openapi.ts';
import { BEYOND, BEYOND_REQUESTS } from '../kit/beyond-contract.ts';
import { bodiesOfBoth } from '../kit/bodies.ts';
import { CONTRACT, type ContractShape, withBeyond } from '../kit/contract.ts';
import { differencesOf } from '../kit/contract-types.ts';

interface Changeable {
  components: { schemas: Record<string, Required<ContractShape>> };
}

const ours = (): Changeable => JSON.parse(JSON.stringify(openApiDocument(PROFILES.grid, [])));

describe('types of openapi-typescript from our document and from the public contract (K5)', () => {
  test('the types of our document and of the public contract are assignable in every body, but for what docs/profiles.md says', async () => {
    expect(await differencesOf(ours())).toEqual([]);
  });

  test('the comparison of types names operation, direction and member of a changed declaration', async () => {
    const changed = ours();
    const schema = (name: string): Required<ContractShape> => {
      const found = changed.components.schemas[name];
      if (!found) throw new Error(`no schema is named ${name}`);
      return found;
    };
    schema('ApiToken').required = schema('ApiToken').required.filter((member) => member !== 'name');
    delete schema('Refund').properties['settledAt'];
    schema('BulkCustomerImportJob').properties['status']?.enum?.push('PAUSED');
    schema('ExternalAccount').properties['note'] = { type: 'string' };
    const told = await differencesOf(changed, [
      'createToken takes',
      'listTokens answers 200',
      'getTransactionById answers 200',
      'event BULK_UPLOAD.FAILED',
      'createPlatformExternalAccount answers 201',
    ]);
    expect(told.sort()).toEqual([
      "createPlatformExternalAccount answers 201: theirs is not ours: Property 'note' is missing",
      'event BULK_UPLOAD.FAILED: ours is not theirs: data.status: ' +
        'Type \'"PAUSED"\' is not assignable to type \'"COMPLETED" | "FAILED" | "PROCESSING"\'.',
      "getTransactionById answers 200: ours is not theirs: refund: Property 'settledAt' is missing",
      "listTokens answers 200: ours is not theirs: data.name: Type 'absent' is not assignable to type 'string'.",
    ]);
  });

  test('the comparison of types covers every body that the contract declares of a request or a success', () => {
    const { ours: here, theirs } = bodiesOfBoth(ours());
    const missing = Object.keys(theirs.bodies).filter(
      (name) => !(name in here.bodies) && !/ answers [45]|^event /.test(name),
    );
    expect(missing).toEqual([]);
  });
});

describe('differences from the public contract', () => {
  test('every difference from the public contract has a row in docs/profiles.md', () => {
    const page = readFileSync(join(import.meta.dirname, '../../docs/profiles.md'), 'utf8');
    for (const { row } of [...BEYOND, ...BEYOND_REQUESTS])
      expect(page).toMatch(new RegExp(`^(?:\\| |- )${row.replaceAll(/[.?]/g, '\\$&')}`, 'm'));
  });

  test('every listed difference from the public contract still changes a shape of the contract', () => {
    for (const { shapes, only = 'grid' } of BEYOND)
      for (const name of shapes) {
        const shape = CONTRACT.$defs[name] ?? {};
        expect(withBeyond(shape, name, only), name).not.toEqual(shape);
      }
  });
});
