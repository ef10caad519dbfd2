import { createExternalAccount, type ExternalAccount } from '../../areas/external-accounts/index.ts';
import { type Draft, externalSide, moveOnLater, railFor, type Side } from '../../areas/transactions/index.ts';
import type { World } from '../../engine/world.ts';
import { outsideAccount } from '../../ledger/ledger.ts';
import { reach } from '../history.ts';
import type { Payee } from './payee.ts';

/**
 * Virtual milliseconds: a payout younger than this at the start of the scenario is still under way, and ends at this
 * age.
 */
const UNDER_WAY_MS = 6 * 3_600_000;

/** Bank details by currency; other currencies are paid to UMA addresses. No number ends in a magic suffix. */
const BANKS: Readonly<Record<string, (nth: number) => Record<string, unknown>>> = {
  USD: (nth) => ({
    accountType: 'USD_ACCOUNT',
    accountNumber: `${700_000_000 + nth}501`,
    routingNumber: '021000021',
    paymentRails: ['ACH'],
  }),
  EUR: () => ({ accountType: 'EUR_ACCOUNT', iban: 'DE02120300000000202051' }),
  MXN: () => ({ accountType: 'MXN_ACCOUNT', clabeNumber: '646180157000004501' }),
};

/** Makes payouts of the past. Each customer has one bank account of their own, made at their first payout. */
export class Payouts {
  readonly #failed: number;
  readonly #now: number;
  readonly #accounts = new Map<string, ExternalAccount>();
  #count = 0;
  #failures = 0;

  /** `failed` is the share of payouts that a bank refuses; `now` is the start of the scenario. */
  constructor(failed: number, now: number) {
    this.#failed = failed;
    this.#now = now;
  }

  /**
   * Pays out an amount in minor units, with all its consequences. Returns false for the platform itself, which has no
   * bank.
   */
  pay(world: World, { customer, account }: Payee, amount: number): boolean {
    if (!customer) return false;
    const { currency } = account;
    const mine: Side = { kind: 'ACCOUNT', accountId: account.id, currency };
    const sent = { amount, currency };
    const bank = this.#bankOf(world, customer, currency);
    const draft: Draft = {
      type: 'OUTGOING',
      source: mine,
      ...(bank
        ? { destination: externalSide(bank), ...railFor(bank, undefined) }
        : { destination: { kind: 'UMA_ADDRESS', umaAddress: '$payee@bank.example', currency } }),
      ...{ sent, received: sent, fees: 0, platformFees: 0 },
      ...{ payer: account.id, payee: outsideAccount('payout', currency), refundTo: account.id },
      cancellable: bank !== undefined,
    };
    this.#count += 1;
    const age = this.#now - world.clock.now();
    const isUnderWay = age > 0 && age < UNDER_WAY_MS;
    const fails = !isUnderWay && this.#failures < Math.floor(this.#failed * this.#count);
    if (fails) this.#failures += 1;
    const status = isUnderWay ? 'PROCESSING' : fails ? 'FAILED' : 'COMPLETED';
    const made = reach(world, customer, draft, { type: 'OUTGOING', status });
    if (isUnderWay) moveOnLater(world, made, 'COMPLETED', UNDER_WAY_MS);
    return true;
  }

  #bankOf(world: World, customer: NonNullable<Payee['customer']>, currency: string): ExternalAccount | undefined {
    const details = BANKS[currency];
    const known = this.#accounts.get(customer.id);
    if (known || !details) return known;
    const { fullName, birthDate, businessInfo, address } = customer.details;
    const named = businessInfo
      ? { beneficiaryType: 'BUSINESS', legalName: businessInfo.legalName }
      : { beneficiaryType: 'INDIVIDUAL', fullName, birthDate, nationality: 'US' };
    const beneficiary = currency === 'EUR' ? { ...named, countryOfResidence: address?.country } : named;
    const made = createExternalAccount(world, {
      customerId: customer.id,
      currency,
      accountInfo: { ...details(this.#accounts.size), beneficiary },
    } as unknown as Parameters<typeof createExternalAccount>[1]);
    this.#accounts.set(customer.id, made);
    return made;
  }
}
