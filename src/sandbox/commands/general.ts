import * as z from 'zod';
import { CUSTOMERS } from '../../areas/customers/index.ts';
import { VERSION } from '../../version.ts';
import { command } from './command.ts';

export const emulator = {
  health: command('Whether the emulator is up, seeded and warm', ({ host }) => ({
    status: 'ok',
    version: VERSION,
    profile: host.profile.name,
    uptimeMs: host.uptimeMs,
    sandboxes: host.count,
    // This needs no control token: if one is set, no names are shown.
    ...(host.filling.length > 0
      ? { filling: host.filling.map((one) => (host.options.controlToken ? { ...one, sandbox: null } : one)) }
      : {}),
  })),
  running: command(
    'What runs here, and every sandbox with its clock and how many customers and requests it has; the default one first',
    () => ({ limit: z.int().min(1).max(10_000).default(100).describe('Sandboxes that are named; more are counted') }),
    ({ host, baseUrl }, { limit }) => ({
      version: VERSION,
      profile: host.profile.name,
      baseUrl,
      uptimeMs: host.uptimeMs,
      sandboxes: [...host.sandboxes]
        .sort((a, b) => Number(b === host.default) - Number(a === host.default))
        .slice(0, limit)
        .map(({ id, world, requestLog }) => ({
          id,
          customers: world.rows(CUSTOMERS).size,
          requests: [...requestLog.calls.values()].reduce((sum, calls) => sum + calls, 0),
          clock: world.clock.state(),
        })),
      totalCount: host.count,
    }),
  ),
  coverage: command(
    'Operations, refusals, events, magic values and states that the sandboxes of this process have met, and never met',
    ({ host }) => host.coverageReport(),
  ),
  openApi: command('The OpenAPI 3.1 document, as JSON text', ({ openApi }: { openApi: () => Promise<string> }) =>
    openApi(),
  ),
};
