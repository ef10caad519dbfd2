import { configured } from '../../declare/example.ts';
import { operationsOf, reply } from '../../declare/operation.ts';
import type { Hook } from '../../engine/world.ts';
import type { Platform } from './row.ts';
import { configure, platformOf, showPlatform, wrongCurrencies } from './rules.ts';
import { PlatformConfig, PlatformConfigUpdate } from './schema.ts';

/** Called when the configuration has changed; higher areas are notified, but cannot object. */
export const CONFIG_CHANGED: Hook<[before: Platform, after: Platform]> = { name: 'configuration changed' };

const operation = operationsOf('Platform Configuration');

export const routes = [
  operation({
    id: 'getPlatformConfig',
    endpoint: 'GET /config',
    summary: 'Read the platform configuration',
    replies: { 200: PlatformConfig },
    load: ({ world }) => platformOf(world),
    read: (_ask, platform) => reply(200, showPlatform(platform)),
  }),
  operation({
    id: 'updatePlatformConfig',
    endpoint: 'PATCH /config',
    summary: 'Change the platform configuration',
    description:
      'Members that are not sent stay as they are, null clears an optional one; only what differs from what is stored is checked. Setting a new webhookEndpoint sends it one TEST event.',
    body: PlatformConfigUpdate,
    fieldRules: ({ world }, { supportedCurrencies = [] }) =>
      wrongCurrencies(platformOf(world).currencies, supportedCurrencies),
    example: {
      body: { umaDomain: configured('umaDomain') },
      vary: [
        { body: { umaDomain: 'bank.example' } },
        { body: { webhookEndpoint: null } },
        { body: { supportedCurrencies: [{ currencyCode: 'USD' }] } },
        { body: { embeddedWalletConfig: { appName: 'Pier' } } },
        { body: { feeConfigs: [] } },
      ],
    },
    replies: { 200: PlatformConfig },
    refuses: ['NOT_IMPLEMENTED'],
    load: ({ world }) => platformOf(world),
    write: ({ world, body }, before) => {
      const after = configure(world, body);
      world.react(CONFIG_CHANGED, before, after);
      return reply(200, showPlatform(after));
    },
  }),
];
