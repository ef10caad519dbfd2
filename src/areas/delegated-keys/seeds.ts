import * as z from 'zod';
import { seed } from '../../declare/seed.ts';
import { accountOf } from '../accounts/index.ts';
import { CARDS, fundingSourcesOf } from '../cards/index.ts';
import { DELEGATED_KEYS } from './row.ts';
import { bindingOf, checkNoneActive, grantKey, makeKey, newPublicKey } from './rules.ts';

export const seeds = [
  seed(DELEGATED_KEYS, {
    key: 'delegatedKeys',
    about: 'Keys with which the service signs for cards that embedded wallets pay for, ACTIVE',
    example: '{ card: everyday }',
    members: () => ({
      card: z.string().describe('Label of a card that an embedded wallet pays for'),
      nickname: z.string().min(1).max(256).default('Card payments').describe('A name for people'),
    }),
    plant: (world, { id, card, nickname }, labels) => {
      const cardId = labels.idOf(CARDS, card, 'card');
      const source = fundingSourcesOf(world, cardId).find(
        ({ accountId }) => accountOf(world, accountId).type === 'EMBEDDED_WALLET',
      );
      if (!source) return labels.refuse('card', 'no embedded wallet pays for this card');
      const binding = bindingOf(world, cardId, source.accountId);
      checkNoneActive(world, binding);
      return grantKey(world, binding, makeKey(world, binding, newPublicKey(world, binding), nickname, id)).id;
    },
  }),
];
