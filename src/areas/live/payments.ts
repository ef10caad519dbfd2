import { Failure } from '../../contract/errors.ts';
import type { World } from '../../engine/world.ts';
import { balanceOf } from '../../ledger/ledger.ts';
import { ACCOUNTS, accountsOf, type InternalAccount } from '../accounts/index.ts';
import { CUSTOMERS, type Customer, hasRequired } from '../customers/index.ts';
import { createExternalAccount, EXTERNAL_ACCOUNTS } from '../external-accounts/index.ts';
import { platformOf } from '../platform/index.ts';
import { collectTransfer, payTransfer, prepareTransferIn, prepareTransferOut } from '../transfers/index.ts';
import { LIVE_PAYMENTS, PARTIES } from './row.ts';

/** The most accounts among which live traffic moves money. */
const MOST_PARTIES = 20;
/** The smallest amount of a payment, in minor units. */
const LEAST = 100;

/** Bank details by currency, as a person would enter them. No number ends in a magic suffix. */
const BANKS: Readonly<Record<string, Record<string, unknown>>> = {
  USD: {
    accountType: 'USD_ACCOUNT',
    paymentRails: ['ACH'],
    accountNumber: '700000000501',
    routingNumber: '021000021',
  },
  EUR: { accountType: 'EUR_ACCOUNT', iban: 'DE02120300000000202051' },
  MXN: { accountType: 'MXN_ACCOUNT', clabeNumber: '646180157000004501' },
};

const OWNER = {
  beneficiaryType: 'INDIVIDUAL',
  fullName: 'Ada Keller',
  birthDate: '1990-02-03',
  nationality: 'US',
  countryOfResidence: 'US',
};

/** Returns accounts that can pay and be paid by a bank: those of the first customers, else the platform's own. */
function partiesOf(world: World): InternalAccount[] {
  const isOpen = (account: InternalAccount): boolean =>
    account.type === 'INTERNAL_FIAT' && Object.hasOwn(BANKS, account.currency);
  const asksForTerms = platformOf(world).requireEndUserTerms;
  const lacksTerms = (customer: Customer): boolean => asksForTerms && !customer.endUserTermsConsent;
  const found: InternalAccount[] = [];
  for (const customer of world.rows(CUSTOMERS).rows()) {
    if (customer.kycStatus !== 'APPROVED' || customer.isDeleted || lacksTerms(customer)) continue;
    const [account] = accountsOf(world, customer.id).filter(
      (one) => isOpen(one) && hasRequired(world, customer, one.currency),
    );
    if (account) found.push(account);
    if (found.length === MOST_PARTIES) return found;
  }
  return found.length > 0 ? found : accountsOf(world).filter(isOpen).slice(0, 1);
}

/** Updates the list of accounts; people may have created and deleted customers. */
export function gather(world: World): void {
  const rows = world.rows(PARTIES);
  const present = new Set(partiesOf(world).map(({ id }) => id));
  for (const { id } of [...rows.rows()]) if (!present.has(id)) rows.remove(id);
  for (const id of present) if (!rows.get(id)) rows.insert({ id });
}

/** Returns the bank account of a party; creates it for the first payment. */
function bankOf(world: World, account: InternalAccount): string {
  const row = world.rows(PARTIES).get(account.id);
  if (row?.bank !== undefined && world.rows(EXTERNAL_ACCOUNTS).get(row.bank)) return row.bank;
  const { id } = createExternalAccount(world, {
    customerId: account.customerId,
    currency: account.currency,
    accountInfo: { ...BANKS[account.currency], beneficiary: OWNER },
  } as unknown as Parameters<typeof createExternalAccount>[1]);
  world.rows(PARTIES).put({ id: account.id, bank: id });
  return id;
}

/**
 * Makes one payment as a call of the API would: mostly out to a bank, otherwise, or while the balance is low, in from
 * it. A payment that the rules refuse is not made.
 */
export function payOnce(world: World): void {
  const parties = [...world.rows(PARTIES).rows()];
  const [a = 0, b = 0, c = 0] = world.ids.bytes(3);
  const account = world.rows(ACCOUNTS).get(parties[a % Math.max(1, parties.length)]?.id ?? '');
  if (!account) return;
  const drawn = LEAST + b * 256 + c;
  const out = Math.min(drawn, Math.floor(balanceOf(world, account.id).available * 0.7));
  try {
    world.transact(() => {
      const bank = { accountId: bankOf(world, account) };
      const own = { accountId: account.id };
      const made =
        out >= LEAST && c % 8 < 5
          ? payTransfer(world, prepareTransferOut(world, { source: own, destination: bank, amount: out }))
          : collectTransfer(world, prepareTransferIn(world, { source: bank, destination: own, amount: drawn * 2 }));
      world.rows(LIVE_PAYMENTS).insert({ id: made.id, at: world.clock.now() });
    });
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
  }
}
