import { EVENTS } from '../../areas.ts';
import { fail, failFields } from '../../contract/errors.ts';
import type { Profile } from '../../contract/profile.ts';
import { type After, type Step, stepsAfter } from '../../declare/after.ts';
import { resolved } from '../../declare/example.ts';
import type { CommandContext } from '../../sandbox/commands/command.ts';
import { webhooks } from '../../sandbox/commands/webhooks.ts';
import { didYouMean, nearest, nearOrAll } from '../../scenario/nearest.ts';
import { Rows } from '../rows.ts';
import { type Change, Doer, type Done } from './doer.ts';
import { type Results, referred, withSet } from './steps.ts';

type Values = Readonly<Record<string, unknown>>;

/** The result of a trigger: the calls, and the event with its delivery. */
export interface Triggered {
  readonly event: string;
  readonly calls: readonly Done[];
  readonly webhook: unknown;
}

/** A type of event, its subject, and the calls that lead to it; none if these depend on the rows of the world. */
export interface Triggerable {
  readonly type: string;
  readonly about: string;
  readonly calls: readonly string[];
}

/** Returns the events of a profile, in the order of the areas. */
export const triggerable = (profile: Profile): Triggerable[] =>
  EVENTS.flatMap(({ types, summary, after }) =>
    types
      .filter((type) => !profile.absent['events']?.includes(type))
      .map((type) => ({ type, about: summary, calls: namesIn(after[type]) })),
  );

const namesIn = (after: After | undefined): string[] =>
  typeof after === 'object'
    ? after.flatMap((step) => (typeof step === 'string' ? step : 'call' in step ? step.call : []))
    : [];

/** The most jobs that are awaited after the last call. */
const MOST_WAITS = 20;

/** Returns the types of events that a profile emits. */
export const typesIn = ({ absent }: Profile): string[] =>
  EVENTS.flatMap(({ types }) => types).filter((type) => !absent['events']?.includes(type));

/**
 * Makes the calls that lead to an event, by the rules. 400 `INVALID_INPUT` for an unknown event, 409 `CONFLICT` if the
 * scenario does not let it happen or a call on the way is refused.
 */
export async function trigger(context: CommandContext, event: string, set: Values = {}): Promise<Triggered> {
  const { sandbox } = context;
  const steps = stepsOf(context, event);
  const doer = new Doer(context);
  let eventId: string | undefined;
  let results: Results = {};
  const stop = sandbox.stream.listen((news) => {
    if (news.event !== 'fact') return;
    doer.ids.add(news.subject);
    if (news.type === event) eventId = news.id;
  });
  try {
    const main = steps.findLastIndex((step) => 'call' in step && step.main);
    const last = steps.findLastIndex((step) => 'call' in step);
    await refuseUnknown(doer, steps[main < 0 ? last : main], set);
    for (const [i, step] of steps.entries()) {
      // An event on the way was about something else.
      if (i === last) eventId = undefined;
      results = await taken(doer, step, results, i === (main < 0 ? last : main) ? set : {});
    }
    for (let waits = 0; eventId === undefined && waits < MOST_WAITS; waits += 1)
      if (!(await doer.hasten(doer.ids))) break;
  } finally {
    stop();
    // Also where a call behind the pause was refused.
    await doer.control('webhooks.resume');
  }
  const { aside } = results;
  if (aside) return { event, calls: doer.calls, webhook: { type: event, state: 'DELIVERED', ...aside } };
  if (eventId === undefined)
    return fail('CONFLICT', `${event} did not come about; the request log says why, call by call`, {
      details: { calls: doer.calls },
    });
  return { event, calls: doer.calls, webhook: webhooks.read.run(context, { id: eventId }) };
}

function stepsOf({ sandbox: { world } }: CommandContext, event: string): readonly Step[] {
  const types = typesIn(world.profile);
  if (!types.includes(event)) {
    const name = event.slice(0, 100);
    const near = nearest(name.toUpperCase(), types) ?? sharing(name, types);
    failFields([{ field: 'event', message: `profile ${world.profile.name} has no event ${name}${didYouMean(near)}` }]);
  }
  const after = EVENTS.find(({ types }) => types.includes(event))?.after[event] ?? [];
  const steps = stepsAfter(after, new Rows(world), world);
  return typeof steps === 'string' ? fail('CONFLICT', `${event} cannot happen: ${steps}`) : steps;
}

const wordsOf = (name: string): string[] => name.toUpperCase().split(/[^A-Z]+/);

/**
 * Returns the type that shares most words with a name, if more than half: PAYMENT_FAILED for OUTGOING_PAYMENT.FAILED.
 */
function sharing(name: string, types: readonly string[]): string | undefined {
  const words = wordsOf(name);
  const shared = (type: string) => words.filter((word) => wordsOf(type).includes(word)).length;
  const [best] = [...types].sort((a, b) => shared(b) - shared(a) || a.length - b.length);
  return best !== undefined && shared(best) > words.length / 2 ? best : undefined;
}

/** The most unknown members that a refusal names, each with its nearest name. */
const MOST_UNKNOWN = 20;

const memberOf = (path: string): string => path.slice(0, 100).split('.')[0] as string;

/** Refuses members that the main call would ignore, because the API accepts unknown ones: 400 with the right names. */
async function refuseUnknown(doer: Doer, step: Step | undefined, set: Values): Promise<void> {
  const paths = Object.keys(set);
  if (paths.length === 0) return;
  const id = step && 'call' in step ? step.call : undefined;
  const known = id === undefined ? [] : await doer.members(id);
  const unknown = paths.filter((path) => !known.includes(memberOf(path)));
  const errors = unknown.slice(0, MOST_UNKNOWN).map((path) => {
    const name = memberOf(path);
    return {
      field: `set.${path.slice(0, 100)}`,
      message: `${id ?? 'it'} takes no such member; ${nearOrAll(name, known)}`,
    };
  });
  if (errors.length > 0) failFields(errors);
}

/** Takes one step; returns the results so far, with its own. */
async function taken(doer: Doer, step: Step, results: Results, set: Values): Promise<Results> {
  const made = (value: unknown) => referred(resolved(new Rows(doer.world), value), results);
  if ('ready' in step) await doer.ready(step.ready);
  else if ('control' in step) await doer.control(step.control);
  else if ('page' in step) await doer.page(String(made(step.page)), step.outcome);
  else {
    const changed = made(step.body ?? {}) as Values;
    const touched = step.body !== undefined || Object.keys(set).length > 0;
    const change: Change = {
      params: made(step.params ?? {}) as Record<string, string>,
      query: made(step.query ?? {}) as Record<string, string>,
      complete: step.whole === true || step.params !== undefined,
      body: touched
        ? (example) => withSet(step.whole ? changed : { ...(example as Values), ...changed }, set)
        : undefined,
    };
    const { body } = await doer.call(step.call, change);
    return step.as === undefined ? results : { ...results, [step.as]: body };
  }
  return results;
}
