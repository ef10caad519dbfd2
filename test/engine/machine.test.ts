import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { KYC, type Trigger } from '../../src/areas/customers/machine.ts';
import type { Status } from '../../src/areas/customers/schema.ts';
import { begin, lifecycle, type Machine, move, transition } from '../../src/engine/machine.ts';
import { lazyRow, type RowOf, Table, table } from '../../src/engine/table.ts';
import type { World } from '../../src/engine/world.ts';

const DOOR: Machine<'open' | 'shut' | 'locked', 'build' | 'open' | 'shut' | 'lock' | 'break'> = {
  name: 'door',
  rule: 'doors',
  transitions: [
    { from: 'none', on: 'build', to: 'shut' },
    { from: ['shut'], on: 'open', to: 'open', emits: 'OPENED' },
    { from: ['open'], on: 'shut', to: 'shut' },
    { from: ['shut', 'open'], on: 'lock', to: 'locked' },
    { from: 'any', on: 'break', to: 'open' },
  ],
};

test('a state machine allows the transitions of its list and no others', () => {
  const states = [undefined, 'open', 'shut', 'locked'] as const;
  const allowed = states.flatMap((from) =>
    (['build', 'open', 'shut', 'lock', 'break'] as const).flatMap((on) => {
      const line = transition(DOOR, from, on);
      return line ? [`${from ?? 'none'} ${on} ${line.to}`] : [];
    }),
  );
  expect(allowed).toEqual([
    'none build shut',
    'open shut shut',
    'open lock locked',
    'open break open',
    'shut open open',
    'shut lock locked',
    'shut break open',
    'locked break open',
  ]);
  expect(transition(DOOR, 'shut', 'open')?.emits).toBe('OPENED');
});

test('kycStatus moves as the specification says (spec 3.1)', () => {
  const move = (from: Status | undefined, on: Trigger) => {
    const line = transition(KYC, from, on);
    return line && [line.to, line.emits];
  };
  expect(move(undefined, 'create regulated')).toEqual(['APPROVED', undefined]);
  expect(move(undefined, 'create')).toEqual(['PENDING', undefined]);
  for (const from of ['PENDING', 'APPROVED', 'REJECTED'] as const)
    expect(move(from, 'submit')).toEqual(['PENDING', 'PENDING']);
  expect(move('PENDING', 'approve')).toEqual(['APPROVED', 'APPROVED']);
  expect(move('PENDING', 'reject')).toEqual(['REJECTED', 'REJECTED']);
  for (const from of ['APPROVED', 'REJECTED'] as const)
    for (const on of ['approve', 'reject'] as const) expect(move(from, on)).toBeUndefined();
});

const DOORS = table('doors', {
  row: lazyRow(() =>
    z.strictObject({
      id: z.string(),
      state: z.enum(['open', 'shut', 'locked']),
      colour: z.string().exactOptional(),
      updatedAt: z.string(),
    }),
  ),
});
type Door = RowOf<(typeof DOORS)['row']>;

/** A world of doors, and what happens in it, in order. */
function doors(audible = true) {
  const rows = new Table(DOORS).open();
  const seen: unknown[] = [];
  const world = {
    rows: () => rows,
    clock: { iso: () => 'now' },
    emitsEvents: audible,
    emit: (...event: unknown[]) => seen.push(event),
  } as unknown as World;
  const life = lifecycle(DOORS, {
    state: 'state',
    machine: DOOR,
    event: ({ colour }, tells) => (colour === 'black' ? undefined : `DOOR.${tells}`),
    view: ({ id, state, colour }) => ({ id, state, colour }),
    effect: (_, door, on) => void seen.push(`${on} ${door.state}`),
  });
  const door = begin(world, life, 'build', (state): Door => ({ id: 'Door:1', state, updatedAt: 'then' }));
  return { world, rows, seen, life, door };
}

describe('the state of a row', () => {
  test('a row begins in the state of its first trigger, and with no other trigger', () => {
    const { world, rows, life, door, seen } = doors();
    expect(door).toEqual({ id: 'Door:1', state: 'shut', updatedAt: 'then' });
    expect(rows.get('Door:1')).toBe(door);
    expect(seen).toEqual([]);
    expect(() => begin(world, life, 'open', (state) => ({ ...door, state }))).toThrow('nothing begins with open');
  });

  test('a move has its effect first, then emits its event with the view of the changed row', () => {
    const { world, rows, life, door, seen } = doors();
    const moved = move(world, life, door, 'open', { colour: 'red' });
    expect(moved).toEqual({ id: 'Door:1', state: 'open', colour: 'red', updatedAt: 'now' });
    expect(rows.get('Door:1')).toBe(moved);
    expect(seen).toEqual(['open open', ['DOOR.OPENED', 'Door:1', { id: 'Door:1', state: 'open', colour: 'red' }]]);
  });

  test('a move emits no event where the table, the row or the world has none', () => {
    const { world, life, door, seen } = doors();
    move(world, life, door, 'lock');
    move(world, life, door, 'open', { colour: 'black' });
    expect(seen).toEqual(['lock locked', 'open open']);
    const quiet = doors(false);
    move(quiet.world, quiet.life, quiet.door, 'open');
    expect(quiet.seen).toEqual(['open open']);
  });

  test('an impossible move is refused with 409 CONFLICT, names row, state and trigger, and changes nothing', () => {
    const { world, rows, life, door, seen } = doors();
    expect(() => move(world, life, door, 'shut', { colour: 'red' })).toThrow(
      expect.objectContaining({ code: 'CONFLICT', status: 409, message: 'door Door:1 is shut: shut is not possible' }),
    );
    expect(rows.get('Door:1')).toBe(door);
    expect(seen).toEqual([]);
  });
});
