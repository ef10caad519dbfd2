import { operation, reply } from '../../kernel/operation.ts';
import type { World } from '../../kernel/world.ts';
import { configure, type Platform, platformOf } from './rules.ts';
import { PlatformConfig, PlatformConfigUpdate } from './schema.ts';

/** The configuration as `GET /config` shows it (spec 4.4). */
const showPlatform = (p: Platform) => ({
  id: p.id,
  umaDomain: p.umaDomain,
  proxyUmaSubdomain: p.umaDomain.split('.')[0] as string,
  webhookEndpoint: p.webhookEndpoint,
  supportedCurrencies: p.currencies,
  isRegulatedFinancialInstitution: p.regulated,
  embeddedWalletConfig: p.embeddedWallet,
  cardTokenization2faConfig: p.cardTokenization,
  feeConfigs: p.fees,
  createdAt: p.createdAt,
  updatedAt: p.updatedAt,
});

/** What happens elsewhere when the configuration changes; higher areas are told, never asked. */
export type ConfigChange = (world: World, before: Platform, after: Platform) => void;

export const routes = (changed: ConfigChange) => [
  operation({
    id: 'getPlatformConfig',
    method: 'GET',
    path: '/config',
    tag: 'Platform Configuration',
    summary: 'Read the platform configuration',
    replies: { 200: PlatformConfig },
    load: ({ world }) => platformOf(world),
    read: (_ask, platform) => reply(200, showPlatform(platform)),
  }),
  operation({
    id: 'updatePlatformConfig',
    method: 'PATCH',
    path: '/config',
    tag: 'Platform Configuration',
    summary: 'Change the platform configuration',
    description:
      'Members that are not sent stay as they are, null clears an optional one; only what differs from what is stored is checked. Setting a new webhookEndpoint sends it one TEST event.',
    body: PlatformConfigUpdate,
    replies: { 200: PlatformConfig },
    refuses: ['NOT_IMPLEMENTED'],
    load: ({ world }) => platformOf(world),
    write: ({ world, body }, before) => {
      const after = configure(world, body);
      changed(world, before, after);
      return reply(200, showPlatform(after));
    },
  }),
];
