import { expect, test } from 'vitest';
import { KYC, type Trigger } from '../../src/areas/customers/machine.ts';
import type { Status } from '../../src/areas/customers/schema.ts';
import { advance, type Machine, transition } from '../../src/kernel/machine.ts';

const DOOR: Machine<'open' | 'shut' | 'locked', 'build' | 'open' | 'shut' | 'lock' | 'break'> = {
  name: 'door',
  transitions: [
    { from: 'none', on: 'build', to: 'shut' },
    { from: ['shut'], on: 'open', to: 'open', tells: 'OPENED' },
    { from: ['open'], on: 'shut', to: 'shut' },
    { from: ['shut', 'open'], on: 'lock', to: 'locked' },
    { from: 'any', on: 'break', to: 'open' },
  ],
};

test('a machine allows what its list says and nothing else', () => {
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
  expect(transition(DOOR, 'shut', 'open')?.tells).toBe('OPENED');
  expect(() => advance(DOOR, 'locked', 'open')).toThrow(expect.objectContaining({ code: 'CONFLICT', status: 409 }));
});

test('kycStatus moves as the specification says (spec 3.1)', () => {
  const move = (from: Status | undefined, on: Trigger) => {
    const line = transition(KYC, from, on);
    return line && [line.to, line.tells];
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
