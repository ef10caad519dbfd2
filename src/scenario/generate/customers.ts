import { CUSTOMERS, type Customer, consentAt, createCustomer } from '../../areas/customers/index.ts';
import { channelsFor, platformOf } from '../../areas/platform/index.ts';
import type { World } from '../../engine/world.ts';
import type { Scenario } from '../schema.ts';
import { verified } from '../verified.ts';
import { businessName, personName } from './names.ts';

const REGIONS = ['US', 'US', 'US', 'MX', 'BR', 'GB', 'DE', 'FR', 'IN', 'NG'];
const CITIES = ['Tacoma', 'Austin', 'Denver', 'Puebla', 'Recife', 'Leeds', 'Bremen', 'Lyon', 'Pune', 'Lagos'];

type Draw = readonly [number, number, number, number];
type Create = Parameters<typeof createCustomer>[1];

/** Rows between two steps. */
const STEP = 200;

/**
 * Returns whether row `i` is in an evenly spread share: that many of each hundred, the first after half an interval.
 */
const isAmong = (share: number, i: number): boolean => Math.floor((i + 0.5) * share) !== Math.floor((i - 0.5) * share);

/**
 * Makes up customers from the seed: the same seed, the same people. One share of them are businesses; another share
 * waits for the decision of its check. Returns the customers that do not wait.
 */
export function* generateCustomers(world: World, wanted: Scenario['generate']): Generator<number, Customer[]> {
  const { customers: count = 0, businesses = 0, pending = 0 } = wanted;
  const made: Customer[] = [];
  const { regulated, requireEndUserTerms } = platformOf(world);
  const consent = requireEndUserTerms && !regulated ? { endUserTermsConsent: consentAt(world.clock.now()) } : {};
  let people = 0;
  let firms = 0;
  for (let i = 0; i < count; i += 1) {
    if (i % STEP === STEP - 1) yield STEP;
    const draw = world.ids.bytes(4) as unknown as Draw;
    const isPending = pending > 0 && isAmong(pending, i + 1);
    const isFirm = businesses > 0 && isAmong(businesses, i);
    const sent = isFirm ? firm(world, draw, i, firms++) : person(world, draw, i, people++);
    const create = () => createCustomer(world, { ...sent, ...consent });
    const { id } = verified(world, isPending ? 'PENDING' : isFirm && !regulated ? 'APPROVED' : undefined, create);
    const customer = isPending ? undefined : world.rows(CUSTOMERS).get(id);
    if (customer) made.push(customer);
  }
  return made;
}

function person(world: World, [a, b, c, d]: Draw, i: number, nth: number): Create {
  // Nobody is born after the clock's present year, however early it starts.
  const lastYear = new Date(world.clock.now()).getUTCFullYear() - 1;
  const { first, last, full } = personName(nth);
  const place = c % REGIONS.length;
  const region = REGIONS[place] as string;
  return {
    customerType: 'INDIVIDUAL',
    platformCustomerId: `user-${i + 1}`,
    region,
    email: `${first}.${last}.${i + 1}@example.com`.toLowerCase(),
    ...phoneIn(world, region, i),
    fullName: full,
    birthDate: `${Math.min(1950 + (d % 55), lastYear)}-0${1 + (a % 9)}-1${b % 10}`,
    address: addressOf([a, b, c, d]),
  };
}

/** Returns a phone number where the provider verifies one. */
const phoneIn = (world: World, region: string, i: number) =>
  channelsFor(platformOf(world), region).includes('phone') ? { phoneNumber: `+1${2_065_550_000 + i}` } : {};

const addressOf = ([a, b, c, d]: Draw) => ({
  line1: `${1 + d} Elm Street`,
  city: CITIES[c % CITIES.length] as string,
  postalCode: String(10_000 + a * 256 + b),
  country: REGIONS[c % REGIONS.length] as string,
});

function firm(world: World, draw: Draw, i: number, nth: number): Create {
  const [a, b, c, d] = draw;
  const country = REGIONS[c % REGIONS.length] as string;
  return {
    customerType: 'BUSINESS',
    platformCustomerId: `business-${i + 1}`,
    region: country,
    email: `accounts.${i + 1}@example.com`,
    ...phoneIn(world, country, i),
    businessInfo: {
      legalName: businessName(nth),
      country,
      // The last character is a letter: no magic suffix.
      registrationNumber: `${10_000_000 + i}-R`,
      taxId: `${20 + (a % 70)}-${1_000_000 + i}`,
      incorporatedOn: `${1995 + (d % 25)}-0${1 + (b % 9)}-1${a % 10}`,
    },
    address: addressOf(draw),
  };
}
