import type { InternalAccount } from '../areas/accounts/index.ts';
import { type Customer, createCustomer } from '../areas/customers/index.ts';
import { channelsFor, platformOf } from '../areas/platform/index.ts';
import { apply, openTransaction } from '../areas/transactions/index.ts';
import type { Steps } from '../engine/slices.ts';
import type { World } from '../engine/world.ts';
import { outsideAccount } from '../ledger/ledger.ts';

const FIRST = [
  'Ada',
  'Ben',
  'Chloe',
  'Dario',
  'Esi',
  'Farid',
  'Greta',
  'Hugo',
  'Ines',
  'Jonas',
  'Kemi',
  'Liam',
  'Mara',
  'Noor',
  'Otis',
  'Pia',
];
const LAST = [
  'Abara',
  'Brandt',
  'Costa',
  'Dubois',
  'Eriksen',
  'Fontana',
  'Garcia',
  'Haddad',
  'Ito',
  'Jensen',
  'Keller',
  'Lopez',
  'Moreau',
  'Novak',
  'Okafor',
  'Petrov',
];
const REGIONS = ['US', 'US', 'US', 'MX', 'BR', 'GB', 'DE', 'FR', 'IN', 'NG'];
const CITIES = ['Tacoma', 'Austin', 'Denver', 'Puebla', 'Recife', 'Leeds', 'Bremen', 'Lyon', 'Pune', 'Lagos'];

/** Rows between two steps. */
const STEP = 200;

/** Make up individual customers from the seed: the same seed, the same people. */
export function* generateCustomers(world: World, count: number): Generator<number, Customer[]> {
  const made: Customer[] = [];
  const platform = platformOf(world);
  // Nobody is born after the clock's present year, however early it starts.
  const lastYear = new Date(world.clock.now()).getUTCFullYear() - 1;
  for (let i = 0; i < count; i += 1) {
    if (i % STEP === STEP - 1) yield STEP;
    const [a, b, c, d] = world.ids.bytes(4) as unknown as [number, number, number, number];
    const first = FIRST[a % FIRST.length] as string;
    const last = LAST[b % LAST.length] as string;
    const place = c % REGIONS.length;
    const phones = channelsFor(platform, REGIONS[place]).includes('phone');
    const customer = createCustomer(world, {
      customerType: 'INDIVIDUAL',
      platformCustomerId: `user-${i + 1}`,
      region: REGIONS[place] as string,
      email: `${first}.${last}.${i + 1}@example.com`.toLowerCase(),
      ...(phones ? { phoneNumber: `+1${2_065_550_000 + i}` } : {}),
      fullName: `${first} ${last}`,
      birthDate: `${Math.min(1950 + (d % 55), lastYear)}-0${1 + (a % 9)}-1${b % 10}`,
      address: {
        line1: `${1 + d} Elm Street`,
        city: CITIES[place] as string,
        postalCode: String(10_000 + a * 256 + b),
        country: REGIONS[place] as string,
      },
    });
    made.push(customer);
  }
  return made;
}

/** The payee of made-up payments: a customer, or the platform where none is given. */
export interface Payee {
  readonly customer?: Customer | undefined;
  readonly account: InternalAccount;
}

/**
 * Make up payments of the past from the seed: incoming money, to the payees in turn. `before` is called before each, to
 * move the clock.
 */
export function* generateTransactions(
  world: World,
  payees: readonly Payee[],
  count: number,
  before: (i: number) => void,
): Steps {
  for (let i = 0; i < count; i += 1) {
    if (i % STEP === STEP - 1) yield STEP;
    before(i);
    const { customer, account } = payees[i % payees.length] as Payee;
    const { currency } = account;
    const [a, b] = world.ids.bytes(2) as unknown as [number, number];
    const amount = 100 + a * 256 + b;
    const payer = outsideAccount('funding', currency);
    const opened = openTransaction(
      world,
      customer,
      {
        type: 'INCOMING',
        source: { kind: 'REALTIME_FUNDING', currency, customerId: customer?.id },
        destination: { kind: 'ACCOUNT', accountId: account.id, currency },
        sent: { amount, currency },
        received: { amount, currency },
        fees: 0,
        platformFees: 0,
        payer,
        payee: account.id,
        refundTo: payer,
        cancellable: false,
      },
      'collect',
    );
    apply(world, opened, { on: 'complete' });
  }
}
