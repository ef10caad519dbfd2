import { expect, test } from 'vitest';
import { OPERATIONS } from '../../src/areas.ts';
import type { Operation } from '../../src/declare/operation.ts';
import { type CallOptions, kit } from '../kit/sandbox.ts';
import { sane } from '../kit/sane.ts';

/** Every operation there is: `npm test` sees each of them refuse whoever may not call it. */

const PATH_VALUE = 'Customer:00000000-0000-7000-8000-000000000000';
const send = (it: Awaited<ReturnType<typeof kit>>, op: Operation, options: CallOptions) =>
  it.call(op.method, op.path.replaceAll(/\{\w+\}/g, PATH_VALUE), undefined, options);

test.each(OPERATIONS.filter(({ auth }) => auth !== 'none'))(
  '$id called without credentials, or with wrong ones, is refused with 401',
  async (op) => {
    const it = await kit();
    for (const as of [null, 'test:wrong', 'test:', 'test:secret:more'])
      expect(
        sane(await send(it, op, { as, raw: op.method === 'GET' ? undefined : '{}' } as CallOptions), String(as)).status,
      ).toBe(401);
    for (const authorization of [
      'Basic',
      'Basic !!!',
      'Basic Og==',
      `Basic ${btoa('nocolon')}`,
      'Bearer x',
      'Basic\u00a0x',
      'x'.repeat(8000),
    ])
      expect(sane(await send(it, op, { as: null, headers: { authorization } }), authorization).status).toBe(401);
  },
);

// What an agent may do is its policy's to say.
test.each(OPERATIONS.filter(({ auth }) => auth === 'basic'))(
  '$id called with a token that lacks its permission is refused with 403 FORBIDDEN',
  async (op) => {
    const permissions = (['VIEW', 'TRANSACT', 'MANAGE'] as const).filter((permission) => permission !== op.permission);
    const it = await kit({ scenario: { credentials: [{ id: 'x', secret: 's', permissions }] } });
    const raw = op.method === 'GET' ? {} : { raw: '{}', headers: { 'content-type': 'application/json' } };
    const { status, body } = sane(await send(it, op, raw), 'permission');
    expect([status, body.code]).toEqual([403, 'FORBIDDEN']);
  },
);
