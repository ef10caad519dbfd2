import * as z from 'zod';
import { webhookKey } from '../areas/webhooks/index.ts';
import type { Host } from '../host/host.ts';
import type { Sandbox } from '../host/sandbox.ts';
import { fail } from '../kernel/errors.ts';
import { lazy } from '../kernel/lazy.ts';
import { ScenarioError } from '../scenario/error.ts';
import { control } from './control.ts';

const CreateSandbox = lazy(() =>
  z.strictObject({
    scenario: z.union([z.string(), z.record(z.string(), z.unknown())]).optional(),
    seed: z.union([z.number(), z.string().max(200)]).optional(),
    webhookUrl: z.url({ protocol: /^https?$/ }).optional(),
  }),
);

const show = (host: Host, sandbox: Sandbox, origin: string) => ({
  id: sandbox.id,
  credentials: sandbox.credentials.map(({ tokenId, secret, permissions }) => ({
    id: tokenId,
    ...(secret === undefined ? {} : { secret }),
    permissions: [...permissions],
  })),
  baseUrl: `${origin}${host.basePath}`,
  webhookPublicKey: webhookKey(sandbox.world).pem,
  clock: sandbox.world.clock.state(),
  isDefault: sandbox === host.default,
});

/** A sandbox as it is shown to whoever made it: its one login, ready to use. */
function created(host: Host, sandbox: Sandbox, origin: string) {
  const [credentials] = sandbox.credentials;
  return { ...show(host, sandbox, origin), credentials: { id: credentials?.tokenId, secret: credentials?.secret } };
}

const named = (host: Host, id: string): Sandbox =>
  host.find(id) ?? fail('REFERENCE_NOT_FOUND', `there is no sandbox ${id}`);

export const sandboxControls = [
  control('GET', '/sandboxes', 'List the sandboxes of this process', ({ host, origin }) => ({
    data: [...host.sandboxes].map((sandbox) => show(host, sandbox, origin)),
  })),
  control(
    'POST',
    '/sandboxes',
    'Create an isolated sandbox',
    async ({ host, body, origin }) => {
      try {
        return created(host, await host.create(body), origin);
      } catch (error) {
        if (error instanceof ScenarioError || (error instanceof Error && error.message.startsWith('no scenario')))
          return fail('INVALID_INPUT', error.message, {
            details: { problems: error instanceof ScenarioError ? error.problems : [] },
          });
        throw error;
      }
    },
    { body: CreateSandbox },
  ),
  control('GET', '/sandboxes/:id', 'Read a sandbox', ({ host, params, origin }) =>
    show(host, named(host, params['id'] as string), origin),
  ),
  control(
    'POST',
    '/sandboxes/:id/fork',
    'A new sandbox in the very state of this one, with credentials of its own',
    ({ host, params, origin }) => created(host, host.fork(named(host, params['id'] as string)), origin),
  ),
  control('DELETE', '/sandboxes/:id', 'Drop a sandbox', ({ host, params }) => {
    if (!host.drop(named(host, params['id'] as string)))
      fail('CONFLICT', 'the default sandbox cannot be dropped; reset it instead');
    return undefined;
  }),
];
