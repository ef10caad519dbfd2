/**
 * Acts that a wallet's owner signs beyond credentials and sessions: its export and its privacy (spec 4.7).
 * Chosen where the specification is silent: an account that is not a wallet is 400 `INVALID_INPUT`; the exported phrase
 * has 12 words, is derived from the wallet's id and never changes; the envelope is unsigned, as the sandbox's is.
 */
import { area } from '../../declare/area.ts';
import { routes } from './routes.ts';

export const wallets = area('wallets', { operations: routes });
