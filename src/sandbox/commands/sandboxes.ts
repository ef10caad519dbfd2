import * as z from 'zod';
import { webhookKey } from '../../areas/webhooks/index.ts';
import { SANDBOX_ID } from '../../contract/address.ts';
import { Delay } from '../../contract/duration.ts';
import { parseDuration } from '../../contract/duration-text.ts';
import { fail, failFields } from '../../contract/errors.ts';
import { BUILT_INS } from '../../scenario/builtin.ts';
import { ScenarioError } from '../../scenario/error.ts';
import { didYouMean, nearest } from '../../scenario/nearest.ts';
import type { Sandbox } from '../sandbox.ts';
import { byId, type CommandContext, command, rootOf } from './command.ts';

const show = (context: CommandContext, sandbox: Sandbox) => ({
  id: sandbox.id,
  credentials: sandbox.credentials.map(({ tokenId, secret, permissions }) => ({
    id: tokenId,
    ...(secret === undefined ? {} : { secret }),
    permissions: [...permissions],
  })),
  baseUrl: context.baseUrl,
  inspectorUrl: `${rootOf(context)}/?sandbox=${encodeURIComponent(sandbox.id)}`,
  webhookPublicKey: webhookKey(sandbox.world).pem,
  clock: sandbox.world.clock.state(),
  ...(sandbox.idle === undefined ? {} : { idle: sandbox.idle.text, idleForMs: context.host.idleFor(sandbox) }),
  isDefault: sandbox === context.host.default,
});

/** Returns a sandbox as its creator sees it: its one login, ready to use. */
export function createdSandbox(context: CommandContext, sandbox: Sandbox) {
  const [credentials] = sandbox.credentials;
  return { ...show(context, sandbox), credentials: { id: credentials?.tokenId, secret: credentials?.secret } };
}

/** The longest seed: fixtures send the whole name of a test, which may have a parameter in it. */
const LONGEST_SEED = 500_000;

/** The schema for the name of a new sandbox. */
export const chosenId = () =>
  z
    .string()
    .regex(SANDBOX_ID, 'letters, digits, _ . - only, and not . or ..')
    .optional()
    .describe('Its id, which is its token id, too; without it sandbox-1, sandbox-2, ...');

/**
 * Refuses a path, so that no caller names a file of this machine: 400 `INVALID_INPUT`. A built-in scenario or one in
 * the body is accepted.
 */
function refusePath(scenario: unknown): void {
  if (typeof scenario !== 'string' || BUILT_INS.includes(scenario)) return;
  failFields([
    {
      field: 'scenario',
      message: `no built-in scenario ${scenario}${didYouMean(nearest(scenario, BUILT_INS))}; send the scenario itself, or one of ${BUILT_INS.join(', ')}: files are named at the start only`,
    },
  ]);
}

export const sandboxes = {
  list: command('List the sandboxes of this process', (context) => ({
    data: [...context.host.sandboxes].map((sandbox) => show(context, sandbox)),
  })),
  create: command(
    'Create an isolated sandbox',
    () => ({
      id: chosenId(),
      secret: z
        .string()
        .min(1)
        .max(200)
        .optional()
        .describe('Its client secret; without it one that follows from the seed'),
      idle: Delay()
        .refine((text) => (parseDuration(text) ?? 0) > 0, 'must be longer than no time')
        .optional()
        .describe('Real time, such as 7d, without a call after which it is dropped; without it, it stays'),
      scenario: z
        .union([z.string().max(200), z.record(z.string(), z.unknown())])
        .optional()
        .describe('Name of a built-in scenario, or a scenario itself'),
      seed: z
        .union([z.number(), z.string().max(LONGEST_SEED)])
        .optional()
        .describe('What its ids and chances are drawn from'),
      webhookUrl: z
        .url({ protocol: /^https?$/ })
        .optional()
        .describe('Where its webhooks go'),
    }),
    async (context, request) => {
      refusePath(request.scenario);
      try {
        return createdSandbox(context, await context.host.create(request));
      } catch (error) {
        if (!(error instanceof ScenarioError)) throw error;
        return fail('INVALID_INPUT', error.message, { details: { problems: error.problems, count: error.count } });
      }
    },
  ),
  present: command('The sandbox of the request, with its credentials', (context) => show(context, context.sandbox)),
  read: command('Read a sandbox', byId('sandbox'), (context, { id }) => show(context, context.host.named(id))),
  fork: command(
    'A new sandbox in the very state of this one, with credentials of its own',
    () => ({ ...byId('sandbox to copy')(), name: chosenId() }),
    async (context, { id, name }) =>
      createdSandbox(context, await context.host.fork(context.host.named(id), { as: name })),
  ),
  drop: command('Drop a sandbox', byId('sandbox'), ({ host }, { id }) => {
    const sandbox = host.named(id);
    if (sandbox.id !== id) fail('CONFLICT', `${id} is a client id of the sandbox ${sandbox.id}; drop it by that name`);
    if (!host.drop(sandbox)) fail('CONFLICT', 'the default sandbox cannot be dropped; reset it instead');
  }),
};
