import { fail } from '../../contract/errors.ts';
import { magicName, suffixOf } from '../../contract/suffix.ts';
import type { Infer } from '../../declare/operation.ts';
import { decidedByHand, decideLater } from '../../engine/decide-later.ts';
import { begin, lifecycle, move } from '../../engine/machine.ts';
import { resource, rowOr404 } from '../../engine/resource.ts';
import type { World } from '../../engine/world.ts';
import { ISSUANCE, SERVICE } from './machine.ts';
import { coinMagic } from './magic.ts';
import { ENVIRONMENT, selectProviderAccount } from './provider-accounts.ts';
import { type Stablecoin, StablecoinRow } from './row.ts';
import type { StablecoinRegister } from './schema.ts';
import { coinStory } from './story.ts';

export const STABLECOINS = resource('stablecoins', {
  row: StablecoinRow,
  indexes: {
    issuanceStatus: (c) => c.issuanceStatus,
    serviceOperationsStatus: (c) => c.serviceOperationsStatus,
    provider: (c) => c.provider,
    stablecoinProviderAccountId: (c) => c.stablecoinProviderAccountId,
    token: (c) => [onNetwork(c), atProvider(c)],
  },
  refers: { stablecoinProviderAccountId: 'stablecoin-provider-accounts' },
  titles: ['Stablecoins', 'Stablecoin', 'Coins that the platform issues'],
  prefix: 'Stablecoin',
  label: (c) => c.symbol,
  story: coinStory,
  view: (row) => showStablecoin(row),
  made: 'registerStablecoin',
  columns: {
    Issuance: ['issuanceStatus', 'status'],
    'Use as a currency': ['serviceOperationsStatus', 'status'],
    Symbol: 'symbol',
    Created: ['createdAt', 'time'],
  },
  tones: {
    PROVISIONED: 'good',
    ENABLED: 'good',
    REJECTED: 'bad',
    FAILED: 'bad',
    DISABLED: 'bad',
    PENDING_REVIEW: 'warn',
    PROVISIONING: 'warn',
    PENDING_APPROVAL: 'warn',
    ENABLING: 'warn',
  },
});

const onNetwork = (coin: Pick<Stablecoin, 'network' | 'networkTokenIdentifier'>): string =>
  `network ${coin.network} ${coin.networkTokenIdentifier}`;
const atProvider = (coin: Pick<Stablecoin, 'provider' | 'providerTokenIdentifier'>): string =>
  `provider ${coin.provider} ${coin.providerTokenIdentifier}`;

const ISSUED = lifecycle(STABLECOINS, { state: 'issuanceStatus', machine: ISSUANCE });
const USED = lifecycle(STABLECOINS, { state: 'serviceOperationsStatus', machine: SERVICE });

/** Returns one registered coin. 404 REFERENCE_NOT_FOUND (there is no code of its own for coins). */
export const stablecoinOf = rowOr404(STABLECOINS, 'REFERENCE_NOT_FOUND', 'stablecoin');

/** Returns the currency code of a coin, which it has while it is `ENABLED`. */
export const currencyOf = ({ serviceOperationsStatus, symbol }: Stablecoin): string | undefined =>
  serviceOperationsStatus === 'ENABLED' ? symbol : undefined;

/** Returns a coin as replies show it. */
export const showStablecoin = (coin: Stablecoin) => ({
  ...coin,
  currency: currencyOf(coin),
  providerEnvironment: ENVIRONMENT,
});

/** The statuses of failed registrations: the token can be registered again. */
const GONE: ReadonlySet<string> = new Set(['REJECTED', 'FAILED']);

/** Adds a coin that is under review. Refuses as `registerStablecoin` does. */
function enter(world: World, sent: Infer<typeof StablecoinRegister>, id?: string): Stablecoin {
  const { network, networkTokenIdentifier, providerTokenIdentifier } = sent;
  const { id: stablecoinProviderAccountId, provider } = selectProviderAccount(world, sent.stablecoinProviderAccountId);
  const twin = [onNetwork(sent), atProvider({ provider, providerTokenIdentifier })]
    .flatMap((key) => world.rows(STABLECOINS).all('token', key))
    .find(({ issuanceStatus }) => !GONE.has(issuanceStatus));
  if (twin)
    fail('CONFLICT', `this token is registered already, as ${twin.id}`, {
      details: { reason: 'STABLECOIN_REGISTERED', stablecoinId: twin.id },
      why: { rule: 'reference: stablecoins, one registration of a token', seen: twin.id },
    });
  const now = world.clock.iso();
  return begin(world, ISSUED, 'register', (issuanceStatus) => ({
    id: id ?? world.newId('Stablecoin'),
    name: providerTokenIdentifier,
    symbol: providerTokenIdentifier,
    baseCurrency: 'USD',
    decimals: 6,
    issuanceStatus,
    serviceOperationsStatus: 'NOT_ENABLED' as const,
    network,
    networkTokenIdentifier,
    provider,
    providerTokenIdentifier,
    stablecoinProviderAccountId,
    createdAt: now,
    updatedAt: now,
  }));
}

/**
 * Registers a token that the provider has created. Refuses as `selectProviderAccount` does; 409 CONFLICT for a token
 * that is already registered.
 */
export function registerStablecoin(world: World, sent: Infer<typeof StablecoinRegister>): Stablecoin {
  const coin = enter(world, sent);
  const { providerTokenIdentifier } = coin;
  const magic = coinMagic(providerTokenIdentifier);
  if (magic)
    world.magic(
      `providerTokenIdentifier ends in ${suffixOf(providerTokenIdentifier)}: ${magic.says}`,
      magicName('providerTokenIdentifier', suffixOf(providerTokenIdentifier)),
    );
  continueLater(world, coin);
  return coin;
}

/** Returns the step that a coin takes next by itself; undefined if it is enabled or has failed. */
function stepOf({ issuanceStatus, serviceOperationsStatus }: Stablecoin) {
  if (issuanceStatus === 'PENDING_REVIEW') return 'review';
  if (issuanceStatus === 'PROVISIONING') return 'provision';
  if (serviceOperationsStatus === 'PENDING_APPROVAL') return 'approve';
  return serviceOperationsStatus === 'ENABLING' ? 'enable' : undefined;
}
export type Step = NonNullable<ReturnType<typeof stepOf>>;

/** Schedules the next step of a coin, unless its magic value makes it wait for a decision by hand. */
function continueLater(world: World, coin: Stablecoin): void {
  const step = stepOf(coin);
  const stops = coinMagic(coin.providerTokenIdentifier)?.stops;
  if (step !== undefined && !(stops?.at === step && stops.on === undefined))
    decideLater(world, `stablecoin.${step}`, { stablecoinId: coin.id });
}

/** The effect of each step on a coin. */
const TAKE: Readonly<Record<Step, (world: World, coin: Stablecoin) => Stablecoin>> = {
  review: (world, coin) => move(world, ISSUED, coin, 'review'),
  // A coin that exists requests at once to be a currency.
  provision: (world, coin) => move(world, USED, move(world, ISSUED, coin, 'provision'), 'request'),
  approve: (world, coin) => move(world, USED, coin, 'approve'),
  enable: (world, coin) => move(world, USED, coin, 'enable'),
};

/** Takes a coin's next step, or ends the coin if its magic value says so; does nothing if it was decided by hand. */
export function takeStep(world: World, id: string, step: Step): void {
  const coin = world.rows(STABLECOINS).get(id);
  if (!coin || stepOf(coin) !== step) return;
  const stops = coinMagic(coin.providerTokenIdentifier)?.stops;
  if (stops?.at === step && stops.on !== undefined) move(world, ISSUED, coin, stops.on);
  else continueLater(world, TAKE[step](world, coin));
}

export const ISSUANCE_OUTCOMES = ['PROVISIONED', 'REJECTED', 'FAILED'] as const;
const ENDING = { REJECTED: 'reject', FAILED: 'fail' } as const;

/** Decides the issuance of a coin now, with every step on the way. 409 CONFLICT if it is already decided. */
export function decideIssuance(world: World, id: string, outcome: (typeof ISSUANCE_OUTCOMES)[number]): Stablecoin {
  const coin = stablecoinOf(world, id);
  const decide = () => {
    if (outcome !== 'PROVISIONED') return move(world, ISSUED, coin, ENDING[outcome]);
    return TAKE.provision(world, coin.issuanceStatus === 'PENDING_REVIEW' ? TAKE.review(world, coin) : coin);
  };
  const provisioned = decide();
  for (const step of ['review', 'provision']) decidedByHand(world, `stablecoin.${step}`, { stablecoinId: id });
  continueLater(world, provisioned);
  return provisioned;
}

/** Decides now whether a coin is a currency here. 409 CONFLICT if that is not possible. */
export function decideUse(world: World, id: string, outcome: 'ENABLED' | 'DISABLED'): Stablecoin {
  const coin = stablecoinOf(world, id);
  const decide = () => {
    if (outcome === 'DISABLED') return move(world, USED, coin, 'disable');
    return TAKE.enable(world, coin.serviceOperationsStatus === 'PENDING_APPROVAL' ? TAKE.approve(world, coin) : coin);
  };
  const decided = decide();
  for (const step of ['approve', 'enable']) decidedByHand(world, `stablecoin.${step}`, { stablecoinId: id });
  return decided;
}

/** The statuses at which a coin in a scenario can wait for a decision by hand. */
export const STANDS = ['PROVISIONED', 'ENABLED', 'DISABLED'] as const;

/** Plants a coin that the provider has issued, and returns its id. Refuses as `registerStablecoin` does. */
export function plantStablecoin(
  world: World,
  sent: Infer<typeof StablecoinRegister>,
  status: (typeof STANDS)[number],
  id?: string,
): string {
  const coin = TAKE.provision(world, TAKE.review(world, enter(world, sent, id)));
  return status === 'PROVISIONED' ? coin.id : decideUse(world, coin.id, status).id;
}
