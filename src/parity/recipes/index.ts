import type { Recipes } from '../builder.ts';
import { ACCOUNTS } from './accounts.ts';
import { AGENTS } from './agents.ts';
import { CARDS } from './cards.ts';
import { COINS } from './coins.ts';
import { PAYMENTS } from './payments.ts';
import { PEOPLE } from './people.ts';
import { PLATFORM } from './platform.ts';
import { SCA } from './sca.ts';
import { WALLETS } from './wallets.ts';

/** How a sensible call of each operation comes about, with the calls that it needs before. */
export const RECIPES: Recipes = {
  ...PLATFORM,
  ...PEOPLE,
  ...ACCOUNTS,
  ...PAYMENTS,
  ...WALLETS,
  ...CARDS,
  ...AGENTS,
  ...COINS,
  ...SCA,
};
