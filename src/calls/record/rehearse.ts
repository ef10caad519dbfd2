import { DELIVERIES } from '../../areas/webhooks/index.ts';
import { bodyOf } from '../../contract/domain-event.ts';
import { jsonIn } from '../../contract/json.ts';
import { MASK } from '../../engine/masking.ts';
import { tick } from '../../engine/signal.ts';
import type { CommandContext } from '../../sandbox/commands/command.ts';
import type { Host } from '../../sandbox/host.ts';
import { rowsOf } from '../../scenario/apply.ts';
import { type ActStep, aroundActs, type RanAct, variablesOf } from './acts.ts';
import { agreeing, differenceTo, jsonWith, textOf, type Values } from './compare.ts';
import type { ExpectedEvent } from './events-after.ts';
import { bytesOf, type Form } from './form.ts';
import type { Lookup } from './lookups.ts';
import { asksReceiver, type Recording, type Step } from './recording.ts';
import { startOf } from './start.ts';
import { BASE } from './target.ts';
import { variablesIn, variablesWithin } from './template.ts';
import { sealedCode } from './wallet.ts';
import { oneLine } from './words.ts';

/** Operations whose reply comes from a receiver: only that receiver can repeat it. */
const ANSWERED_BY_RECEIVER: ReadonlySet<string> = new Set(['sendTestWebhook']);

/** The number of rows in a scenario from which a recording is returned untried: filling it would take too long. */
const MOST_ROWS = 5000;

/** The most trial runs of a recording: each leaves out what the one before could not repeat. */
const MOST_TRIES = 6;

/**
 * Runs a recording in a fresh emulator as a test does, and returns it with the findings. It leaves out calls and acts
 * that cannot be repeated, and runs the rest without them. With `twice`, `again` says what fails in a second run.
 * Nothing leaves the process, and this emulator counts none of the calls.
 */
export async function rehearsed(
  context: CommandContext,
  recording: Recording,
  { twice = false }: { readonly twice?: boolean } = {},
): Promise<Recording> {
  const rows = rowsOf(context.sandbox.scenario);
  if (rows > MOST_ROWS) return noting(recording, `No trial run was made: the scenario has ${rows} rows`);
  let tried = recording;
  for (let i = 0; i < MOST_TRIES; i += 1) {
    let host: Host;
    try {
      host = await context.host.another(startOf(context, recording));
    } catch (error) {
      // The file of a scenario may no longer exist, or no longer be a scenario.
      return noting(recording, `No trial run was made: ${(error as Error).message.split('\n')[0]}`);
    }
    try {
      const { recording: next, isSame } = await new Rehearsal(host, tried).run();
      tried = next;
      if (!isSame) continue;
      const whole = withNotes(tried, recording);
      return twice ? { ...whole, again: await new Rehearsal(host, tried).firstFailure() } : whole;
    } finally {
      host.close();
    }
  }
  return noting(withNotes(tried, recording), 'Every trial run of this had another difference, so it may fail');
}

const noting = (recording: Recording, note: string): Recording => ({
  ...recording,
  notes: [...recording.notes, oneLine(note)],
});

/** Adds notes about the steps and acts that a trial left out, or found to differ. */
function withNotes(tried: Recording, original: Recording): Recording {
  const found = tried.steps.flatMap(({ title, id, leftOut, wrong, acts }, i) => {
    const before = original.steps[i];
    return [
      ...acts.flatMap((act, at) =>
        act.leftOut === before?.acts[at]?.leftOut ? [] : [`${act.title} is left out: ${act.leftOut}`],
      ),
      ...[leftOut === before?.leftOut ? undefined : leftOut, wrong].flatMap((why) =>
        why === undefined ? [] : [`${title} (${id}) cannot be repeated as it is: ${why}`],
      ),
    ];
  });
  return { ...tried, notes: [...tried.notes, ...found] };
}

/** Returns the notes on events that did not arrive after a step. */
const unheard = (events: readonly ExpectedEvent[]): string[] =>
  events.length === 0
    ? []
    : [
        `Not expected after it, because a trial run did not emit it: ${[...new Set(events.map(({ type }) => type))].join(', ')}`,
      ];

class Rehearsal {
  readonly #host: Host;
  readonly #recording: Recording;
  readonly #values: Values;
  /** The request ids of the steps so far, and the events that were expected. */
  readonly #ids: (string | undefined)[] = [];
  readonly #handedOut = new Set<string>();
  readonly #missed = new Set<ExpectedEvent>();
  readonly #unfound = new Set<string>();
  /** The milliseconds by which this run is later than the recording. */
  #later = 0;
  /** The number of steps and acts that this run leaves out or changes. */
  #changes = 0;

  constructor(host: Host, recording: Recording) {
    this.#host = host;
    this.#recording = recording;
    this.#values = new Map(recording.given);
    const { options, faults } = host.default;
    // Before any job has run, and for each life that follows: no receiver may get events of a trial.
    options.outbound.silent = true;
    faults.clear();
  }

  /**
   * Runs the recording again in the same sandbox, at moments later than before. Returns in words the first call that
   * fails then.
   */
  async firstFailure(): Promise<string | undefined> {
    const { lookups, steps } = this.#recording;
    const { clock } = this.#host.default.world;
    const first = Date.parse(steps[0]?.acts[0]?.at ?? steps[0]?.at ?? '');
    this.#later = Math.max(0, clock.now() - first);
    for (const lookup of lookups) await this.#find(lookup);
    let before: readonly ExpectedEvent[] = [];
    for (const step of steps) {
      await tick();
      if (step.leftOut !== undefined) continue;
      const { leftOut, events } = await this.#step(step, before);
      before = events;
      if (leftOut !== undefined) return `in one where it ran before, ${step.title} fails: ${leftOut}`;
    }
    return undefined;
  }

  async run(): Promise<{ recording: Recording; isSame: boolean }> {
    const { lookups, steps, notes } = this.#recording;
    if (asksReceiver(this.#recording)) await this.#control('POST', '/_emulator/webhooks/pause');
    for (const lookup of lookups) await this.#find(lookup);
    const after: Step[] = [];
    for (const step of steps) {
      await tick();
      after.push(await this.#step(step, after.at(-1)?.events ?? []));
    }
    const last = after.at(-1)?.events ?? [];
    await this.#moveTo(
      last
        .map(({ at }) => at)
        .sort()
        .at(-1) ?? '',
    );
    await this.#hear(last);
    const missed = this.#missed;
    const found = (all: readonly Lookup[]): Lookup[] =>
      all.map((one) => (this.#unfound.has(one.variable) ? { ...one, isMissing: true } : one));
    const heard = after.map((step) => ({
      ...step,
      says: [...step.says, ...unheard(step.events.filter((one) => missed.has(one)))],
      events: step.events.filter((one) => !missed.has(one)),
      lookups: found(step.lookups),
    }));
    const types = [...new Set([...missed].map(({ type }) => type))];
    const more = types.length > 0 ? [`Not expected, because a trial run did not emit it: ${types.join(', ')}`] : [];
    return {
      recording: { ...this.#recording, lookups: found(lookups), steps: heard, notes: [...notes, ...more] },
      isSame: this.#changes === 0,
    };
  }

  async #find({ variable, path, at }: Lookup): Promise<void> {
    const { reply } = await this.#send('GET', textOf(path, this.#values), this.#own);
    const { data } = (jsonIn(reply) ?? {}) as { data?: readonly { id: string }[] };
    const found = data?.at(at)?.id;
    if (found !== undefined) this.#values.set(variable, found);
    else this.#unfound.add(variable);
  }

  /** Repeats the acts by hand before a step, and the step; returns it with notes on the parts left out. */
  async #step(step: Step, events: readonly ExpectedEvent[]): Promise<Step> {
    const [before, late] = aroundActs(events, step.acts);
    if (before.length > 0) await this.#moveTo((step.acts[0] as ActStep).at);
    await this.#hear(before);
    const acts: ActStep[] = [];
    for (const act of step.acts) {
      const why = act.leftOut === undefined ? await this.#act(act) : undefined;
      if (why !== undefined) this.#changes += 1;
      acts.push(why === undefined ? act : { ...act, leftOut: oneLine(why) });
    }
    await this.#moveTo(step.at);
    await this.#hear(late);
    if (step.leftOut !== undefined) {
      this.#ids.push(undefined);
      return { ...step, acts };
    }
    for (const lookup of step.lookups) await this.#find(lookup);
    const { status, reply, why } = await this.#sent(step);
    if (why !== undefined) {
      this.#changes += 1;
      return { ...step, acts, leftOut: oneLine(why), events: [] };
    }
    if (ANSWERED_BY_RECEIVER.has(step.title)) return { ...step, acts };
    const read = jsonIn(reply);
    const difference = step.expected && differenceTo(step.expected, read, this.#values);
    const captures = step.captures.filter(({ variable, path }) => {
      const value = valueAt(read, path);
      if (value !== undefined) this.#values.set(variable, String(value));
      return value !== undefined;
    });
    if (step.decides) await this.#send('POST', textOf(step.decides.path, this.#values), this.#own);
    if (status === step.status && difference === undefined) return { ...step, acts, captures };
    this.#changes += 1;
    return {
      ...step,
      acts,
      captures,
      wrong: oneLine(`its reply differs at ${difference}`),
      expected: step.expected && agreeing(step.expected, read, this.#values),
    };
  }

  /** Sends a step, and undoes its effects if it cannot be kept; `why` is the reason to leave it out. */
  async #sent(step: Step): Promise<{ status: number; reply: string; why: string | undefined }> {
    const { login, sealed } = step;
    const values = this.#values;
    const refused = (why: string) => {
      this.#ids.push(undefined);
      return { status: 0, reply: '', why };
    };
    if (sealed) {
      const bundle = await sealedCode(values.get(sealed.to) ?? '');
      if (bundle !== undefined) values.set(sealed.variable, bundle);
    }
    const unset = usedBy(step).find((variable) => !values.has(variable));
    if (unset !== undefined) return refused(`it uses ${unset}, ${this.#lacking(unset)}`);
    const sentBasic = typeof login === 'object' ? `${textOf(login.id, values)}:${textOf(login.secret, values)}` : '';
    const headers: [string, string][] = step.headers.map(([name, value]) => [name, textOf(value, values)]);
    if (`${sentBasic}${headers.flat().join()}`.includes(MASK))
      return refused('it needs a secret that the log does not show');
    if (login === 'own') headers.push(['authorization', this.#own]);
    if (typeof login === 'object') headers.push(['authorization', basic(sentBasic)]);
    const json = step.json && JSON.stringify(jsonWith(step.json, values));
    const body = step.form ? this.#form(step.form) : (json ?? (step.text && textOf(step.text, values)));
    if (step.json && !headers.some(([name]) => name === 'content-type'))
      headers.push(['content-type', 'application/json']);
    const { id, status, reply } = await this.#send(step.method, textOf(step.path, values), undefined, headers, body);
    this.#ids.push(id);
    if (status === step.status || ANSWERED_BY_RECEIVER.has(step.title)) return { status, reply, why: undefined };
    await this.#control('POST', `/_emulator/requests/${id}/rewind`);
    this.#ids.splice(-1, 1, undefined);
    return {
      status,
      reply,
      why: `it answers ${status} here, not ${step.status}${saying(jsonIn(reply))}`,
    };
  }

  /** Returns why a variable has no value. */
  #lacking(variable: string): string {
    return this.#unfound.has(variable)
      ? 'which none of these calls creates and a fresh emulator does not have'
      : 'which only a step that is left out creates';
  }

  #form({ fields, files }: Form): FormData {
    const form = new FormData();
    for (const [name, value] of fields) form.append(name, textOf(value, this.#values));
    for (const file of files) form.append(file.part, new Blob([bytesOf(file)], { type: file.type }), file.name);
    return form;
  }

  async #act({ at, act }: ActStep): Promise<string | undefined> {
    if (act.what === 'said') return undefined;
    if (act.what === 'rewound') {
      const id = this.#ids[act.step];
      if (id === undefined) return 'the call that it returns to is left out';
      const why = await this.#control('POST', `/_emulator/requests/${id}/rewind`);
      return typeof why === 'string' ? why : undefined;
    }
    await this.#moveTo(at);
    const unset = variablesOf(act).find((variable) => !this.#values.has(variable));
    if (unset !== undefined) return `it is about ${unset}, ${this.#lacking(unset)}`;
    const [path, body] =
      act.what === 'decided'
        ? [textOf(act.path, this.#values), JSON.stringify(jsonWith(act.body, this.#values))]
        : [`/_emulator/jobs/${await this.#jobOf(act)}/run`];
    const why = await this.#control('POST', path, body);
    return typeof why === 'string' ? why : undefined;
  }

  async #jobOf({ kind, about, at }: RanAct): Promise<string | undefined> {
    const listed = await this.#control('GET', '/_emulator/jobs');
    const { data = [] } = listed as { data?: readonly { id: string; kind: string; about?: string }[] };
    const subject = about && textOf(about, this.#values);
    return data.filter((job) => job.kind === kind && job.about === subject)[at]?.id;
  }

  /** Returns the reply of the control API, or a sentence that says why it refused. */
  async #control(method: string, path: string, body?: string): Promise<unknown> {
    const headers = { 'content-type': 'application/json' };
    const init = { method, headers, ...(body === undefined ? {} : { body }) };
    const response = await this.#host.fetch(new Request(`${BASE}${path}`, init));
    const answer = jsonIn(await response.text());
    return response.ok ? answer : `it is refused here${saying(answer)}`;
  }

  /** Looks for events that should exist by now, and matches each emitted one once; remembers those that are missing. */
  async #hear(events: readonly ExpectedEvent[]): Promise<void> {
    if (events.length === 0) return;
    const { world } = this.#host.default;
    await world.scheduler.settle();
    const types = new Set(events.map(({ type }) => type));
    const open = [...world.rows(DELIVERIES).rows()].filter(
      ({ id, type }) => types.has(type) && !this.#handedOut.has(id),
    );
    for (const event of events) {
      const subject = event.about === undefined ? '' : this.#values.get(event.about);
      const row = open.find(
        (one) =>
          subject !== undefined &&
          one.type === event.type &&
          !this.#handedOut.has(one.id) &&
          bodyOf(world.profile, one).includes(subject),
      );
      if (!row) {
        this.#missed.add(event);
        continue;
      }
      this.#handedOut.add(row.id);
      for (const { variable, path } of event.captures)
        this.#values.set(variable, String(valueAt(JSON.parse(bodyOf(world.profile, row)), path)));
    }
  }

  async #moveTo(at: string): Promise<void> {
    const { scheduler, clock } = this.#host.default.world;
    await scheduler.advanceTo(Math.max(at === '' ? 0 : Date.parse(at) + this.#later, clock.now()));
  }

  get #own(): string {
    const [login] = this.#host.default.credentials;
    return basic(`${login?.tokenId}:${login?.secret ?? ''}`);
  }

  async #send(
    method: string,
    path: string,
    authorization?: string,
    headers: readonly (readonly [string, string])[] = [],
    body?: string | FormData,
  ): Promise<{ id: string; status: number; reply: string }> {
    const sent = new Headers(authorization === undefined ? [] : [['authorization', authorization]]);
    for (const [name, value] of headers) sent.append(name, value);
    const url = `${BASE}${this.#host.basePath}${path}`;
    const request = new Request(url, { method, headers: sent, ...(body === undefined ? {} : { body }) });
    const response = await this.#host.fetch(request);
    const id = response.headers.get('x-request-id') ?? '';
    return { id, status: response.status, reply: await response.text() };
  }
}

const basic = (login: string): string => `Basic ${Buffer.from(login).toString('base64')}`;

/** Returns the value at a path. */
const valueAt = (value: unknown, path: readonly (string | number)[]): unknown =>
  path.reduce((part, name) => (part as Record<string, unknown> | undefined)?.[name], value);

/** Returns the code of a refusal, for the end of a sentence. */
function saying(reply: unknown): string {
  const { code, message } = (reply ?? {}) as { code?: unknown; message?: unknown };
  return typeof code === 'string' ? ` (${code}: ${String(message).slice(0, 200)})` : '';
}

/** Returns the variables without which a call cannot be sent. */
const usedBy = ({ path, login, headers, json, text, form }: Step): string[] => [
  ...variablesIn([...path, ...(typeof login === 'object' ? [...login.id, ...login.secret] : []), ...(text ?? [])]),
  ...[...headers, ...(form?.fields ?? [])].flatMap(([, value]) => variablesIn(value)),
  ...(json ? variablesWithin(json) : []),
];
