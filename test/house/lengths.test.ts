import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { OPERATIONS } from '../../src/areas.ts';
import { CONTROLS } from '../../src/control/index.ts';
import { effort } from '../kit/effort.ts';
import { kit } from '../kit/sandbox.ts';
import { sane } from '../kit/sane.ts';

/** Objects whose `length`, or which themselves, cannot be turned into a number or a text. */
const ODD: readonly unknown[] = [
  { length: { toString: 1 } },
  { length: { toString: 1, valueOf: 1 } },
  { toString: 1, valueOf: 1 },
  { size: { toString: 1 } },
  [{ length: { toString: 1 } }],
].slice(0, effort(2, 5));

type Json = { [key: string]: unknown };

/** Bodies with an odd object at each member of a schema, however deep. */
function* oddBodies(schema: Json, root: Json, around: (value: unknown) => unknown, depth = 0): Generator<unknown> {
  for (const odd of ODD) yield around(odd);
  if (depth > 7) return;
  const ref = schema['$ref'];
  const named = typeof ref === 'string' ? ((root['$defs'] as Json | undefined)?.[ref.slice(8)] as Json) : undefined;
  if (named) yield* oddBodies(named, root, around, depth + 1);
  for (const each of (schema['anyOf'] ?? schema['oneOf'] ?? []) as Json[])
    yield* oddBodies(each, root, around, depth + 1);
  const properties = (schema['properties'] ?? {}) as Record<string, Json>;
  const fixed = Object.fromEntries(
    Object.entries(properties).flatMap(([name, member]) => ('const' in member ? [[name, member['const']]] : [])),
  );
  for (const [name, member] of Object.entries(properties))
    yield* oddBodies(member, root, (value) => around({ ...fixed, [name]: value }), depth + 1);
  if (typeof schema['items'] === 'object' && schema['items'] !== null)
    yield* oddBodies(schema['items'] as Json, root, (value) => around([value]), depth + 1);
}

const bodiesFor = (shape: () => z.ZodType): Generator<unknown> => {
  const schema = z.toJSONSchema(shape(), { io: 'input', unrepresentable: 'any' }) as unknown as Json;
  return oddBodies(schema, schema, (value) => value);
};

describe('types and lengths of values', () => {
  const bodied = OPERATIONS.filter((op) => op.body && !op.upload);
  test.each(bodied.map((op) => [op.id, op] as const))(
    'a wrong type in any member of the body of %s breaks nothing: the type is checked before the length (H1)',
    async (_, op) => {
      const it = await kit();
      const path = op.path.replaceAll(/\{\w+\}/g, 'Customer:00000000-0000-7000-8000-000000000000');
      for (const body of bodiesFor(op.body as () => z.ZodType)) {
        const answer = await it.overlapping(op.method, path, body, { headers: { 'idempotency-key': 'k' } });
        sane(answer, JSON.stringify(body).slice(0, 300));
      }
    },
  );

  const doors = CONTROLS.filter((door) => door.body);
  test.each(doors.map((door) => [`${door.method} ${door.path}`, door] as const))(
    'a wrong type in any member of the body of %s breaks nothing in the control API: type before length (H1)',
    async (_, door) => {
      const it = await kit();
      for (const body of bodiesFor(door.body as () => z.ZodType)) {
        const answer = await it.control(door.method, door.path.replaceAll(/:\w+/g, 'x'), body);
        sane(answer, JSON.stringify(body).slice(0, 300));
      }
    },
  );

  test('a wrong type in a scenario is refused with 400 by POST /_emulator/sandboxes, before its length is read (H1)', async () => {
    const it = await kit();
    for (const odd of ODD)
      for (const scenario of [
        { platform: { umaDomain: odd } },
        { platform: { currencies: odd } },
        { credentials: [{ id: odd, secret: odd }] },
        { credentials: odd },
        { customers: [{ customerType: 'INDIVIDUAL', fullName: odd }] },
        { customers: [{ customerType: 'INDIVIDUAL', address: { line1: odd, postalCode: odd, country: odd } }] },
        { customers: [{ label: odd, customerType: 'INDIVIDUAL' }] },
        { externalAccounts: [{ currency: 'EUR', accountInfo: { accountType: 'EUR_ACCOUNT', iban: odd } }] },
        { faults: [{ match: { path: odd }, then: { message: odd } }] },
      ]) {
        const answer = await it.control('POST', '/sandboxes', { scenario });
        expect(answer.status, JSON.stringify(scenario)).toBe(400);
      }
  });
});
