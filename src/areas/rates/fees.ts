import type { World } from '../../kernel/world.ts';
import { platformOf } from '../platform/index.ts';

/** What one party takes for a payment between currencies: minor units of the sending currency, and basis points. */
export interface Fee {
  readonly fixed: number;
  readonly bps: number;
}

const NOTHING: Fee = { fixed: 0, bps: 0 };

/** What the service takes between two currencies: half a percent, as the samples of the public material do. */
const SERVICE_FEE: Fee = { fixed: 0, bps: 50 };

export const serviceFee = (from: string, to: string): Fee => (from === to ? NOTHING : SERVICE_FEE);

/** What the platform takes, as it configured it for the sending currency. */
export function platformFee(world: World, from: string, to: string): Fee {
  if (from === to) return NOTHING;
  const config = platformOf(world).fees.find((fee) => fee.sourceCurrency === from);
  return config ? { fixed: config.fixedFee.amount, bps: config.variableFeeBps } : NOTHING;
}

/** Halves up, as the public example does (9.5 is 10). */
const rounded = (amount: number): number => Math.floor(amount + 0.5);

export interface Price {
  /** The fixed parts, minor units of the sending currency. */
  readonly fixed: number;
  /** Everything taken, each part rounded by itself, halves up. */
  readonly total: number;
  /** What is left to convert; not rounded. */
  readonly net: number;
}

/** What an amount costs: fixed parts first, then each party's share of the rest (spec 8; fee model of the reference). */
export function priceOf(sending: number, fees: readonly Fee[]): Price {
  const fixed = fees.reduce((sum, fee) => sum + fee.fixed, 0);
  const base = Math.max(0, sending - fixed);
  const shares = fees.map((fee) => (base * fee.bps) / 10_000);
  return {
    fixed,
    total: shares.reduce((sum, share) => sum + rounded(share), fixed),
    net: base - shares.reduce((sum, share) => sum + share, 0),
  };
}
