import { describe, expect, test } from 'vitest';
import { contact } from '../../../src/areas/contact/index.ts';
import { onboarding } from '../../../src/areas/onboarding/index.ts';
import { kit, refusal } from '../../kit/sandbox.ts';
import { owner } from './material.ts';

const credentials = [
  { id: 'all', secret: 's' },
  { id: 'looker', secret: 's', permissions: ['VIEW'] },
  { id: 'payer', secret: 's', permissions: ['TRANSACT'] },
];

describe.each([...onboarding.operations, ...contact.operations].map((op) => [`${op.method} ${op.path}`, op] as const))(
  'the permission of %s',
  (_, op) => {
    const path = op.path.replaceAll(/\{\w+\}/g, 'Customer:none');

    test(`${op.method} ${op.path} is refused with 401 without credentials (spec 5 rule 1)`, async () => {
      const { call } = await kit();
      expect(refusal(await call(op.method, path, undefined, { as: null }))).toMatchObject({
        status: 401,
        code: 'UNAUTHORIZED',
      });
    });

    test(`${op.method} ${op.path} is refused with 403 for a token that lacks the permission`, async () => {
      const { call } = await kit({ scenario: [{ credentials }] });
      const as = op.permission === 'VIEW' ? 'payer:s' : 'looker:s';
      const body = op.body && !op.upload ? { ...owner('Customer:none'), code: '123456' } : undefined;
      expect(refusal(await call(op.method, path, body, { as }))).toMatchObject({ status: 403, code: 'FORBIDDEN' });
    });
  },
);
