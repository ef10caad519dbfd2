import { accounts } from './areas/accounts/index.ts';
import { agents } from './areas/agents/index.ts';
import { bulk } from './areas/bulk/index.ts';
import { cards } from './areas/cards/index.ts';
import { codes } from './areas/codes/index.ts';
import { contact } from './areas/contact/index.ts';
import { credentials } from './areas/credentials/index.ts';
import { customers } from './areas/customers/index.ts';
import { delegatedKeys } from './areas/delegated-keys/index.ts';
import { directories } from './areas/directories/index.ts';
import { externalAccounts } from './areas/external-accounts/index.ts';
import { invitations } from './areas/invitations/index.ts';
import { live } from './areas/live/index.ts';
import { lookups } from './areas/lookups/index.ts';
import { onboarding } from './areas/onboarding/index.ts';
import { platform } from './areas/platform/index.ts';
import { quotes } from './areas/quotes/index.ts';
import { rates } from './areas/rates/index.ts';
import { sandbox } from './areas/sandbox/index.ts';
import { sca } from './areas/sca/index.ts';
import { sessions } from './areas/sessions/index.ts';
import { signing } from './areas/signing/index.ts';
import { stablecoins } from './areas/stablecoins/index.ts';
import { tokens } from './areas/tokens/index.ts';
import { transactions } from './areas/transactions/index.ts';
import { transfers } from './areas/transfers/index.ts';
import { wallets } from './areas/wallets/index.ts';
import { webhooks } from './areas/webhooks/index.ts';
import { assemble } from './declare/area.ts';

/** Every area, lower first. The order IS the import rule: an area may import only those above it in this list. */
export const AREAS = [
  platform,
  tokens,
  accounts,
  codes,
  signing,
  sessions,
  credentials,
  wallets,
  customers,
  contact,
  sca,
  onboarding,
  bulk,
  externalAccounts,
  rates,
  lookups,
  invitations,
  directories,
  transactions,
  quotes,
  transfers,
  stablecoins,
  agents,
  cards,
  delegatedKeys,
  webhooks,
  sandbox,
  live,
];

export const {
  TABLES,
  OPERATIONS,
  PRINCIPALS,
  JOB_KINDS,
  LIMITS,
  EVENTS,
  DECISIONS,
  SEEDS,
  machines,
  magicValues,
  RULE_TEXTS,
  LEDGER_RULES,
  PARTS,
} = assemble(AREAS);
