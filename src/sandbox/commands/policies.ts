import * as z from 'zod';
import { JOB_KINDS } from '../../areas.ts';
import { type Policy, PolicyText } from '../../contract/policy.ts';
import { setPolicies } from '../../engine/decide-later.ts';
import type { Sandbox } from '../sandbox.ts';
import { command, noted } from './command.ts';

/** Kinds of work whose moment may be chosen, each with its default moment. */
const KINDS = new Map<string, Policy>(
  [...JOB_KINDS].flatMap(([kind, { policy }]) => (policy === undefined ? [] : [[kind, policy]])),
);

/** Returns the policy of the scenario for a kind of work, if it has one. */
const written = ({ scenario }: Sandbox, kind: string): Policy | undefined =>
  (scenario.policies as Readonly<Record<string, Policy | undefined>>)[kind];

/** Returns each kind of work with its present moment, and its moment by the scenario. */
const show = (sandbox: Sandbox) => ({
  data: [...KINDS].map(([kind, usual]) => ({
    kind,
    policy: sandbox.world.policy(kind),
    scenario: written(sandbox, kind) ?? usual,
  })),
});

const change = () => PolicyText().nullable().optional().describe('at once, after PT2S or hold; null for the scenario');

export const policies = {
  list: command('When work of each kind happens, now and by the scenario', ({ sandbox }) => show(sandbox)),
  set: noted(
    command(
      'Change when work of some kinds happens, from now on; what is scheduled already keeps its moment',
      () => ({
        policies: z
          .strictObject(Object.fromEntries([...KINDS.keys()].map((kind) => [kind, change()])))
          .refine((sent) => Object.keys(sent).length > 0, `must name a kind of work, such as ${[...KINDS.keys()][0]}`)
          .describe('Policies by kind of work; kinds that are left out stay as they are'),
      }),
      ({ sandbox }, { policies: sent }) => {
        const changes = Object.entries(sent).flatMap(([kind, policy]) =>
          policy === undefined ? [] : [[kind, policy ?? written(sandbox, kind)] as const],
        );
        setPolicies(sandbox.world, changes);
        return show(sandbox);
      },
    ),
    () => ({ what: 'other', words: 'policies were changed' }),
  ),
};
