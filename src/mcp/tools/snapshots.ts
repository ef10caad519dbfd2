import * as z from 'zod';
import { commands } from '../../sandbox/commands/index.ts';
import { fitted } from '../fit.ts';
import { needed, tool } from '../tool.ts';

const ACTS = ['list', 'keep', 'restore', 'diff', 'fork', 'rewind', 'fork_before', 'reset'] as const;

export const snapshots = tool(
  'snapshots',
  {
    title: 'Snapshots, forks, rewind',
    destroys: true,
    about:
      'Save and restore the state: keep it under a name, restore it, diff any two states, fork the sandbox into a new one with its own credentials, rewind to the state before a request (fork_before: in a new sandbox), reset to the scenario.',
  },
  () => ({
    act: z.enum(ACTS).default('list').describe('What to do'),
    name: z
      .string()
      .max(100)
      .optional()
      .describe(
        'keep, restore: the snapshot; fork, fork_before: id of the new sandbox; diff: the earlier state: now, a snapshot, sandbox:<id>, before:<request id>',
      ),
    request: z.string().max(100).optional().describe('rewind, fork_before: its x-request-id, such as req_12'),
    to: z.string().max(100).optional().describe('diff: the later state, in the same forms; now'),
  }),
  async (client, { act, name, to, request }) => {
    if (act === 'list') return { snapshots: (await client.ask(commands.snapshots.list, {})).data };
    if (act === 'reset')
      return { ...(await client.ask(commands.state.reset, {})), next: 'the sandbox is as it was at the start' };
    if (act === 'rewind') {
      const rewound = await client.ask(commands.requests.rewind, { id: needed(request, 'request', act) });
      return { ...rewound, next: 'the request is undone: fix the call and make it again' };
    }
    if (act === 'fork' || act === 'fork_before') {
      const made = await (act === 'fork'
        ? client.ask(commands.sandboxes.fork, { id: (await client.ask(commands.sandboxes.present, {})).id, name })
        : client.ask(commands.requests.fork, { id: needed(request, 'request', act), name }));
      const { id: sandbox, credentials, baseUrl, clock } = made;
      const next = `sandbox: "${sandbox}" in any tool works there; what differs: snapshots {act: "diff", name: "now", to: "sandbox:${sandbox}"}`;
      return { sandbox, baseUrl, credentials, clock, next };
    }
    const of = { name: needed(name, 'name', act) };
    if (act === 'keep')
      return {
        ...(await client.ask(commands.snapshots.keep, of)),
        next: 'snapshots {act: "diff"} or {act: "restore"}',
      };
    if (act === 'restore') return { ...(await client.ask(commands.snapshots.restore, of)) };
    const { value, short } = fitted(await client.ask(commands.snapshots.compare, { from: of.name, to, limit: 20 }));
    return { diff: value, ...(short ? { next: 'it is shortened: read_state {id} shows a row in full' } : {}) };
  },
);
