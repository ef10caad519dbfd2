import { delimiter } from 'node:path';
import { expect } from 'vitest';
import { PROFILES } from '../../src/contract/profile.ts';
import { eventBeyondContract } from './contract.ts';
import { client, commandLine, type Ready, type Running } from './process.ts';
import { type Received, type Receiver, receiver, signedBy } from './receiver.ts';
import { type Call, type Parties, quoteOf, sure } from './sure.ts';

/** Node binaries that the live journeys run on: this one, or those of `NODES`, as a PATH. */
export const NODES: readonly string[] = (process.env['NODES'] ?? process.execPath).split(delimiter).filter(Boolean);

/** Ends what never comes, long before a quote that waits expires. How soon things come is asked where nothing else runs: `.ci/live.mjs`. */
const NEVER_MS = 60_000;

export interface Live {
  emulator: Running;
  ready: Ready;
  call: Call;
  hooks: Receiver;
  /** Waits for a delivery, and holds its signature against the key, its body against the public contract. */
  told(type: string, which?: (data: Received['event']['data']) => boolean): Promise<Received>;
}

/** The emulator as a user starts it: the real command line, no clock flag, and a receiver on another port. */
export async function live(flags: readonly string[] = [], node: string = process.execPath): Promise<Live> {
  const hooks = await receiver();
  const emulator = commandLine(['--json', '--port', '0', '--webhook-url', hooks.url, ...flags], { node });
  const ready = await emulator.ready();
  const told = async (type: string, which: (data: Received['event']['data']) => boolean = () => true) => {
    const found = await within(`webhook ${type}`, () =>
      hooks.received.find(({ event }) => event.type === type && which(event.data)),
    );
    expect(signedBy(ready.webhookPublicKey, found)).toBe(true);
    expect(eventBeyondContract(PROFILES.spec, found.event)).toBe(undefined);
    return found;
  };
  return { emulator, ready, call: client(ready), hooks, told };
}

/** What is looked for again and again until it is there; fails, with its name, when it never comes. */
export async function within<T>(what: string, look: () => T | undefined | Promise<T | undefined>): Promise<T> {
  const end = Date.now() + NEVER_MS;
  for (;;) {
    const found = await look();
    if (found !== undefined && found !== false) return found;
    if (Date.now() > end) throw new Error(`${what} never came`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** The platform's dollars, and a recipient in euros. */
async function payoutParties(call: Call): Promise<Parties> {
  const does = sure(call);
  const { data } = await does('GET', '/platform/internal-accounts?currency=USD');
  const to = await does('POST', '/platform/external-accounts', {
    currency: 'EUR',
    accountInfo: {
      accountType: 'EUR_ACCOUNT',
      iban: 'DE89370400440532013000',
      countryOfResidence: 'DE',
      beneficiary: { beneficiaryType: 'INDIVIDUAL', fullName: 'Nora Lind', countryOfResidence: 'DE' },
    },
  });
  return { from: data[0].id, to: to.id };
}

/** Leave something that is due in minutes and tells no event: a quote that expires. What is due now must not wait for it. */
export async function leaveQuoteWaiting(call: Call): Promise<Parties> {
  const parties = await payoutParties(call);
  await quoteOf(call, parties);
  return parties;
}

/** Pay between them, as soon as there is money: the payment that comes of it. */
export async function pay(call: Call, parties: Parties): Promise<string> {
  const does = sure(call);
  await does('POST', `/sandbox/internal-accounts/${parties.from}/fund`, { amount: 1_000_000 });
  const quote = await quoteOf(call, parties);
  await does('POST', `/quotes/${quote.id}/execute`);
  return quote.transactionId;
}
