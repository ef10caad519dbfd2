import { describe, expect, test } from 'vitest';
import { keep, replayed, slotOf } from '../../src/http/idempotency.ts';
import { kit } from '../kit/sandbox.ts';

const DAY = 'P1D';
const slot = (body = '{}', key = 'k', path = '/x') => slotOf('POST', path, key, body);

describe('Idempotency-Key (spec 4.2)', () => {
  test('the first answer of 2xx and 4xx is given again, byte for byte', async () => {
    const { world } = (await kit()).sandbox;
    expect(replayed(world, slot())).toBeUndefined();
    keep(world, slot(), 201, '{"a":1}');
    expect(replayed(world, slot())).toMatchObject({ status: 201, text: '{"a":1}' });
    keep(world, slot('{}', 'refused'), 404, 'no');
    expect(replayed(world, slot('{}', 'refused'))).toMatchObject({ status: 404, text: 'no' });
  });

  test('a 5xx, and a 401, are tried again', async () => {
    const { world } = (await kit()).sandbox;
    for (const status of [500, 503, 401]) {
      keep(world, slot('{}', `k${status}`), status, 'x');
      expect(replayed(world, slot('{}', `k${status}`))).toBeUndefined();
    }
  });

  test('the same key with another body is 409; on another path it is another request', async () => {
    const { world } = (await kit()).sandbox;
    keep(world, slot(), 201, 'x');
    expect(() => replayed(world, slot('{ }'))).toThrow(expect.objectContaining({ code: 'CONFLICT', status: 409 }));
    expect(replayed(world, slot('{ }', 'k', '/y'))).toBeUndefined();
  });

  test('an answer is kept for a day of the virtual clock, and not after a reset', async () => {
    const it = await kit();
    const { world } = it.sandbox;
    keep(world, slot(), 201, 'x');
    await it.advance(DAY);
    expect(replayed(world, slot())).toBeDefined();
    await it.advance('PT1S');
    expect(replayed(world, slot())).toBeUndefined();
    keep(world, slot(), 201, 'y');
    expect(replayed(world, slot())).toMatchObject({ text: 'y' });
    it.sandbox.reset();
    expect(replayed(world, slot())).toBeUndefined();
  });
});
