import { Argument, type Command } from 'commander';
import type { AnswerOf, commands } from '../../sandbox/commands/index.ts';
import { undoneText } from '../../sandbox/undone.ts';
import { requestText } from '../output.ts';
import { declareRemote, inPath, Refused, Remote, type RemoteFlags, show } from '../remote.ts';
import { type Colours, jsonText, printable } from '../text.ts';
import { defaultSandbox } from './states.ts';

type LoggedCall = AnswerOf<typeof commands.requests.read>;

/** Declares `why`. */
export function declare(command: Command): void {
  command.addArgument(
    new Argument('[request id]', 'x-request-id of a request; default: the latest refused one').default('last'),
  );
  declareRemote(command, [
    ['why last', 'explain the latest refused call'],
    ['why req_12', 'explain this call: rule, expected and actual values, and what it caused'],
  ]);
  command.action(async (id: string, flags: RemoteFlags) => {
    const remote = new Remote(flags);
    const logged = await remote.ask<LoggedCall>('GET', `/requests/${inPath('request', await idOf(remote, id, flags))}`);
    const rule = logged.why.says === undefined ? undefined : await pageOfRule(remote, logged.why.rule);
    const sandbox = flags.json ? '' : (flags.sandbox ?? (await defaultSandbox(remote)));
    show(flags.json, { ...logged, page: pageOf(remote, flags, logged.id), ...(rule ? { docs: rule } : {}) }, (c) =>
      explained(logged, { sandbox, rule, page: pageOf(remote, flags, logged.id) }, c),
    );
  });
}

/** Returns the id for an argument: `last` is the newest call that was refused or hit by a fault. */
async function idOf(remote: Remote, id: string, flags: RemoteFlags): Promise<string> {
  if (id !== 'last') return id;
  const { data } = await remote.ask<AnswerOf<typeof commands.requests.list>>('GET', '/requests?limit=1000');
  const refused = data.find(
    (one) => one.code !== undefined || one.status >= 400 || one.status === 0 || one.fault !== undefined,
  );
  if (refused) return refused.id;
  const sandbox = flags.sandbox ?? (await defaultSandbox(remote));
  const message = `none of the last 1,000 requests of sandbox ${sandbox} was refused, and no fault struck one; --sandbox names another`;
  throw new Refused(404, { message });
}

const pageOf = ({ url }: Remote, { sandbox }: RemoteFlags, id: string): string =>
  `${url}/inspector/requests/${encodeURIComponent(id)}${sandbox === undefined ? '' : `?sandbox=${encodeURIComponent(sandbox)}`}`;

/** Returns the inspector's address for the rule that a refusal cites. */
async function pageOfRule({ url }: Remote, rule: string | undefined): Promise<string | undefined> {
  const { anchorOf, ruleOf } = await import('../../sandbox/rules.ts');
  const found = ruleOf(rule ?? '');
  return found && `${url}/inspector/rules#${anchorOf(found.place)}`;
}

interface Places {
  sandbox: string;
  rule: string | undefined;
  page: string;
}

/** Returns lines for people: the call, its outcome and the reason, faults and magic values, and its consequences. */
function explained(logged: LoggedCall, { sandbox, rule, page }: Places, c: Colours): string[] {
  const { why, magic, fault, ignored, caused, traceparent } = { traceparent: undefined, ...logged };
  const fact = (name: string, value: unknown): string[] =>
    value === undefined
      ? []
      : [`  ${c.dim(name.padEnd(9))} ${typeof value === 'string' ? printable(value) : jsonText(value)}`];
  return [
    requestText({ ...logged, ignored: [], traceparent: undefined, undone: false, sandbox }, c),
    ...fact('undone', undoneText(logged)?.replace('undone ', '')),
    ...fact('outcome', [why.outcome, why.message].filter(Boolean).join(': ')),
    // The message of one bad field says it already.
    ...(why.fields?.length === 1 ? [] : (why.fields ?? [])).map(
      ({ field, message }) => `    ${c.yellow(printable(field))}: ${printable(message)}`,
    ),
    ...fact('rule', why.rule),
    ...fact('says', why.says),
    ...fact('expected', why.expected),
    ...fact('seen', why.seen),
    ...fact('repeats', why.repeats && `the first reply to this Idempotency-Key, of ${why.repeats}; nothing was done`),
    ...(why.steps ?? []).map(
      ({ step, ok, note }) =>
        `    ${ok ? c.green('passed') : c.red('failed')} ${printable(step)}${note ? `: ${printable(note)}` : ''}`,
    ),
    ...ignored.flatMap(({ name, near }) =>
      fact('ignored', near === undefined ? name : `${name}; did you mean ${near}?`),
    ),
    ...magic.flatMap((text) => fact('magic', text)),
    ...fact('fault', fault),
    ...caused.webhooks.flatMap((webhook) => fact('webhook', webhookText(webhook))),
    ...caused.jobs.flatMap((job) => fact('job', jobText(job))),
    ...fact('trace', traceparent),
    ...fact('docs', rule),
    ...fact('page', page),
  ];
}

type Caused = LoggedCall['caused'];

function webhookText(webhook: Caused['webhooks'][number]): string {
  if (!('type' in webhook)) return `${webhook.id} ${webhook.state.toLowerCase()}`;
  const { type, id, state, attempts, reason } = { reason: undefined, ...webhook };
  const tries = attempts === 1 ? '1 try' : `${attempts} tries`;
  return `${type} ${state.toLowerCase()}, ${tries}${reason === undefined ? '' : ` (${reason})`}  ${id}`;
}

const jobText = (job: Caused['jobs'][number]): string =>
  `${job.kind} ${job.state.toLowerCase()}${'dueAt' in job ? `, due ${job.dueAt.slice(0, 19).replace('T', ' ')}` : ''}  ${job.id}`;
