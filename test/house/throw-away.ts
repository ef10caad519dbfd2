import * as z from 'zod';
import { CUSTOMERS } from '../../src/areas/customers/index.ts';
import { fail } from '../../src/contract/errors.ts';
import { limit } from '../../src/contract/limit.ts';
import { policyDelay } from '../../src/contract/policy.ts';
import { area } from '../../src/declare/area.ts';
import { decision } from '../../src/declare/decision.ts';
import { who } from '../../src/declare/example.ts';
import { job } from '../../src/declare/job.ts';
import { operationsOf, reply } from '../../src/declare/operation.ts';
import { seed } from '../../src/declare/seed.ts';
import { resource } from '../../src/engine/resource.ts';
import { secret } from '../../src/engine/secrets.ts';
import { lazyRow, type RowOf } from '../../src/engine/table.ts';
import type { World } from '../../src/engine/world.ts';

/** An area as a newcomer would add it, in one file: vouchers of customers, which the contract knows nothing of. */
const VoucherRow = lazyRow(() =>
  z.strictObject({
    id: z.string().startsWith('Voucher:'),
    customerId: z.string(),
    name: z.string(),
    stripe: secret(z.string()),
    state: z.enum(['MADE', 'OPEN', 'BURNT']),
    createdAt: z.string(),
  }),
);
type Voucher = RowOf<typeof VoucherRow>;
const VoucherShape = () =>
  z.object({ id: z.string(), customerId: z.string(), name: z.string(), state: z.string(), createdAt: z.string() });

const VOUCHERS = resource('vouchers', {
  row: VoucherRow,
  indexes: { customerId: (c) => c.customerId },
  refers: { customerId: 'customers' },
  titles: ['Vouchers', 'Voucher', 'Paper of customers'],
  prefix: 'Voucher',
  label: (c) => `voucher of ${c.name}`,
  view: ({ stripe: _, ...shown }) => shown,
  made: 'createVoucher',
  columns: { State: ['state', 'status'], Created: ['createdAt', 'time'] },
  tones: { BURNT: 'bad' },
});

const VOUCHER_SECONDS = limit('voucherSeconds', 60, 'Virtual seconds until a voucher opens; 60');

function moved(world: World, id: string, state: Voucher['state']): Omit<Voucher, 'stripe'> {
  const old = world.rows(VOUCHERS).get(id) ?? fail('REFERENCE_NOT_FOUND', `no voucher ${id}`);
  const { stripe: _, ...voucher } = world.rows(VOUCHERS).put({ ...old, state });
  world.emit(`VOUCHER.${state}`, id, voucher);
  return voucher;
}

const Opening = () => z.strictObject({ voucherId: z.string() });
const Fate = () => z.strictObject({ fate: z.enum(['BURNT']) });
const NewVoucher = () => z.object({ customerId: z.string(), name: z.string(), stripe: secret(z.string()) });

export const vouchers = area('vouchers', {
  tables: [VOUCHERS],
  limits: [VOUCHER_SECONDS],
  seeds: [
    seed(VOUCHERS, {
      key: 'vouchers',
      about: 'Vouchers that are there from the start',
      example: '{ label: gift, customer: ada }',
      members: () => ({ customer: z.string(), name: z.string().default('Gift') }),
      plant: (world, { id = world.newId('Voucher'), customer, name }, labels) => {
        if (name === 'Blank') labels.refuse('name', 'nobody writes on it');
        const createdAt = world.clock.iso();
        const customerId = labels.idOf(CUSTOMERS, customer, 'customer');
        return world.rows(VOUCHERS).insert({ id, customerId, name, stripe: '0', state: 'MADE', createdAt }).id;
      },
    }),
  ],
  rules: [{ place: 'vouchers 1', about: 'Vouchers', says: 'A burnt voucher is not made again.' }],
  operations: [
    operationsOf('Vouchers')({
      id: 'createVoucher',
      endpoint: 'POST /vouchers',
      summary: 'Make a voucher',
      body: NewVoucher,
      example: { body: { customerId: who(), name: 'Gift', stripe: '0' } },
      replies: { 201: VoucherShape },
      write: ({ world, body }) => {
        const voucher = { ...body, id: world.newId('Voucher'), state: 'MADE' as const, createdAt: world.clock.iso() };
        const { stripe: _, ...shown } = world.rows(VOUCHERS).insert(voucher);
        const wait = Math.max(world.limit(VOUCHER_SECONDS) * 1000, policyDelay(world.policy('voucher.open')));
        world.schedule('voucher.open', { voucherId: voucher.id }, wait);
        return reply(201, shown);
      },
    }),
  ],
  jobs: {
    'voucher.open': job({
      payload: Opening,
      refers: { voucherId: 'vouchers' },
      policy: true,
      words: {
        verb: 'open',
        about: ({ voucherId }) => voucherId,
        name: (world, id) => world.rows(VOUCHERS).get(id)?.name,
      },
      run:
        (world, { voucherId }) =>
        () =>
          void moved(world, voucherId, 'OPEN'),
    }),
  },
  events: [
    {
      name: 'voucher-update',
      summary: 'A voucher moved on',
      types: ['VOUCHER.OPEN', 'VOUCHER.BURNT'],
      data: VoucherShape,
      after: { 'VOUCHER.OPEN': ['createVoucher'], 'VOUCHER.BURNT': () => 'a tester burns vouchers' },
    },
  ],
  decisions: [
    decision({
      table: VOUCHERS,
      name: 'fate',
      about: 'Decide what becomes of a voucher',
      body: Fate,
      decide: (world, id, { fate }) => moved(world, id, fate),
      choices: (_, { state }) => (state === 'OPEN' ? [{ label: 'Burn it', body: { fate: 'BURNT' } }] : []),
    }),
  ],
});
