import * as z from 'zod';
import { webhookKey } from '../areas/webhooks/index.ts';
import { fail, failFields } from '../contract/errors.ts';
import { lazy } from '../contract/lazy.ts';
import type { Host } from '../sandbox/host.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { BUILT_INS } from '../scenario/builtin.ts';
import { ScenarioError } from '../scenario/error.ts';
import { nearest } from '../scenario/load.ts';
import { control } from './control.ts';

const CreateSandbox = lazy(() =>
  z.strictObject({
    scenario: z.union([z.string().max(200), z.record(z.string(), z.unknown())]).optional(),
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

/** Who calls over HTTP names no file of this machine: a built-in scenario, or one sent along. 400 `INVALID_INPUT`. */
function refusePath(scenario: unknown): void {
  if (typeof scenario !== 'string' || BUILT_INS.includes(scenario)) return;
  const near = nearest(scenario, BUILT_INS);
  failFields([
    {
      field: 'scenario',
      message: `no built-in scenario ${scenario}${near ? `; did you mean ${near}?` : ''}; send the scenario itself, or one of ${BUILT_INS.join(', ')}: files are named at the start only`,
    },
  ]);
}

export const sandboxControls = [
  control('GET', '/sandboxes', 'List the sandboxes of this process', ({ host, origin }) => ({
    data: [...host.sandboxes].map((sandbox) => show(host, sandbox, origin)),
  })),
  control(
    'POST',
    '/sandboxes',
    'Create an isolated sandbox',
    async ({ host, body, origin }) => {
      refusePath(body.scenario);
      try {
        return created(host, await host.create(body), origin);
      } catch (error) {
        if (!(error instanceof ScenarioError)) throw error;
        return fail('INVALID_INPUT', error.message, {
          details: { problems: error.problems, count: error.count },
        });
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
    async ({ host, params, origin }) => created(host, await host.fork(named(host, params['id'] as string)), origin),
  ),
  control('DELETE', '/sandboxes/:id', 'Drop a sandbox', ({ host, params }) => {
    if (!host.drop(named(host, params['id'] as string)))
      fail('CONFLICT', 'the default sandbox cannot be dropped; reset it instead');
    return undefined;
  }),
];
