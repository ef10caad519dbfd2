import { DELIVERIES } from '../../areas/webhooks/index.ts';
import { bodyOf } from '../../contract/domain-event.ts';
import { MASK } from '../../engine/masking.ts';
import { tick } from '../../engine/signal.ts';
import type { CommandContext } from '../../sandbox/commands/command.ts';
import type { Host } from '../../sandbox/host.ts';
import { rowsOf } from '../../scenario/apply.ts';
import { jsonOf } from '../code/shown-call.ts';
import { type ActStep, aroundActs } from './acts.ts';
import { differenceTo, jsonWith, textOf, type Values } from './compare.ts';
import type { Lookup } from './lookups.ts';
import type { Recording, Step } from './recording.ts';
import { startOf } from './start.ts';
import type { Told } from './told.ts';

/** The first step that is another when it is repeated, and why. */
export interface Wrong {
  readonly step: number;
  readonly why: string;
}

/** Operations whose reply is what a receiver says: nobody but that receiver can repeat it. */
const ANSWERED_BY_RECEIVER: ReadonlySet<string> = new Set(['sendTestWebhook']);

/** Rows of a scenario from which on a recording is handed out untried: to fill it takes longer than anybody waits for a text. */
const MOST_ROWS = 5000;

/**
 * Runs a recording in a fresh emulator as the test does, and returns it with what that showed: the first call that cannot be
 * repeated, and without the events that were not emitted. Nothing leaves the process, and this emulator counts none of the calls.
 */
export async function rehearsed(
  context: CommandContext,
  recording: Recording,
): Promise<{ recording: Recording; wrong: Wrong | undefined }> {
  const rows = rowsOf(context.sandbox.scenario);
  if (rows > MOST_ROWS) return noting(recording, `This was not run before: its scenario has ${rows} rows`);
  let host: Host;
  try {
    host = await context.host.another(startOf(context, recording));
  } catch (error) {
    // The file of a scenario may no longer exist, or be no scenario any more.
    return noting(recording, `This was not run before: ${(error as Error).message.split('\n')[0]}`);
  }
  try {
    return await new Rehearsal(host, recording).run();
  } finally {
    host.close();
  }
}

const noting = (recording: Recording, note: string) => ({
  recording: { ...recording, notes: [...recording.notes, note] },
  wrong: undefined,
});

class Rehearsal {
  readonly #host: Host;
  readonly #recording: Recording;
  readonly #values: Values;
  /** Request ids of the steps so far, and the events that were expected. */
  readonly #ids: string[] = [];
  readonly #handedOut = new Set<string>();
  readonly #missed = new Set<Told>();

  constructor(host: Host, recording: Recording) {
    this.#host = host;
    this.#recording = recording;
    this.#values = new Map(recording.given);
    const { options, faults } = host.default;
    // Before any job has run, and for each life to come: no receiver must hear of what is tried out here.
    options.outbound.silent = true;
    faults.clear();
  }

  async run(): Promise<{ recording: Recording; wrong: Wrong | undefined }> {
    const { lookups, steps, notes } = this.#recording;
    for (const lookup of lookups) await this.#find(lookup);
    for (const [i, step] of steps.entries()) {
      await tick();
      const reason = await this.#step(step, steps[i - 1]?.told ?? []);
      if (reason === undefined) continue;
      const why = oneLine(reason);
      const sentence = `${step.title} (${step.id}) cannot be repeated as it is: ${why}`;
      return { recording: { ...this.#recording, notes: [...notes, sentence] }, wrong: { step: i, why } };
    }
    const last = steps.at(-1)?.told ?? [];
    await this.#moveTo(
      last
        .map(({ at }) => at)
        .sort()
        .at(-1) ?? '',
    );
    await this.#hear(last);
    const missed = this.#missed;
    const heard = steps.map((step) => ({ ...step, told: step.told.filter((one) => !missed.has(one)) }));
    const types = [...new Set([...missed].map(({ type }) => type))];
    const more = types.length > 0 ? [`Not expected, for it was not emitted again: ${types.join(', ')}`] : [];
    return { recording: { ...this.#recording, steps: heard, notes: [...notes, ...more] }, wrong: undefined };
  }

  async #find({ variable, path, at }: Lookup): Promise<void> {
    const { reply } = await this.#send('GET', path, this.#own);
    const { data } = (jsonOf(reply)?.value ?? {}) as { data?: readonly { id: string }[] };
    const found = data?.at(at)?.id;
    if (found !== undefined) this.#values.set(variable, found);
  }

  /** Repeats what was done by hand before a step, and the step; returns why it is another, if it is. */
  async #step(step: Step, told: readonly Told[]): Promise<string | undefined> {
    const [before, after] = aroundActs(told, step.acts);
    if (before.length > 0) await this.#moveTo((step.acts[0] as ActStep).at);
    await this.#hear(before);
    for (const act of step.acts) {
      const why = await this.#act(act);
      if (why !== undefined) return why;
    }
    await this.#moveTo(step.at);
    await this.#hear(after);
    for (const lookup of step.lookups) await this.#find(lookup);
    const { login } = step;
    const values = this.#values;
    const sentBasic = typeof login === 'object' ? `${textOf(login.id, values)}:${textOf(login.secret, values)}` : '';
    const headers: [string, string][] = step.headers.map(([name, value]) => [name, textOf(value, values)]);
    if (`${sentBasic}${headers.flat().join()}`.includes(MASK))
      return 'it was sent with a secret that the log does not show';
    if (login === 'own') headers.push(['authorization', this.#own]);
    if (typeof login === 'object') headers.push(['authorization', basic(sentBasic)]);
    const body = step.json ? JSON.stringify(jsonWith(step.json, values)) : step.text && textOf(step.text, values);
    if (step.json && !headers.some(([name]) => name === 'content-type'))
      headers.push(['content-type', 'application/json']);
    const { id, status, reply } = await this.#send(step.method, textOf(step.path, values), undefined, headers, body);
    this.#ids.push(id);
    if (ANSWERED_BY_RECEIVER.has(step.title)) return undefined;
    const read = jsonOf(reply)?.value;
    if (status !== step.status) return `it answers ${status} here, not ${step.status}${saying(read)}`;
    const difference = step.expected && differenceTo(step.expected, read, values);
    if (difference !== undefined) return `its reply is another at ${difference}`;
    for (const { variable, path } of step.captures) this.#values.set(variable, String(valueAt(read, path)));
    return undefined;
  }

  async #act({ at, title, act }: ActStep): Promise<string | undefined> {
    if (act.what === 'rewound') {
      const why = await this.#control(title, 'POST', `/_emulator/requests/${this.#ids[act.step]}/rewind`);
      return typeof why === 'string' ? why : undefined;
    }
    await this.#moveTo(at);
    const [path, body] =
      act.what === 'decided'
        ? [textOf(act.path, this.#values), JSON.stringify(jsonWith(act.body, this.#values))]
        : [`/_emulator/jobs/${await this.#jobOf(act)}/run`];
    const why = await this.#control(title, 'POST', path, body);
    return typeof why === 'string' ? why : undefined;
  }

  async #jobOf({ kind, about, at }: Extract<ActStep['act'], { what: 'ran' }>): Promise<string | undefined> {
    const listed = await this.#control('', 'GET', '/_emulator/jobs');
    const { data = [] } = listed as { data?: readonly { id: string; kind: string; about?: string }[] };
    const subject = about && textOf(about, this.#values);
    return data.filter((job) => job.kind === kind && job.about === subject)[at]?.id;
  }

  /** Returns the answer of the control API, or a sentence that says why it refused. */
  async #control(title: string, method: string, path: string, body?: string): Promise<unknown> {
    const headers = { 'content-type': 'application/json' };
    const init = { method, headers, ...(body === undefined ? {} : { body }) };
    const response = await this.#host.fetch(new Request(`${BASE}${path}`, init));
    const answer = jsonOf(await response.text())?.value;
    return response.ok ? answer : `${title} is refused here${saying(answer)}`;
  }

  /** Looks for events that are to be there by now, each emitted one counted once; remembers those that are not. */
  async #hear(events: readonly Told[]): Promise<void> {
    if (events.length === 0) return;
    const { world } = this.#host.default;
    await world.scheduler.settle();
    const types = new Set(events.map(({ type }) => type));
    const open = [...world.rows(DELIVERIES).rows()].filter(
      ({ id, type }) => types.has(type) && !this.#handedOut.has(id),
    );
    for (const event of events) {
      const subject = event.about === undefined ? '' : (this.#values.get(event.about) ?? '');
      const row = open.find(
        (one) =>
          one.type === event.type && !this.#handedOut.has(one.id) && bodyOf(world.profile, one).includes(subject),
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
    await scheduler.advanceTo(Math.max(at === '' ? 0 : Date.parse(at), clock.now()));
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
    body?: string,
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

/** The address of an emulator without a socket. */
const BASE = 'http://127.0.0.1:4010';

const basic = (login: string): string => `Basic ${Buffer.from(login).toString('base64')}`;

/** A text without what would end a comment's line: a reply may have any sign in it. */
const oneLine = (text: string): string => text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ');

/** The value at a path. */
const valueAt = (value: unknown, path: readonly (string | number)[]): unknown =>
  path.reduce((part, name) => (part as Record<string, unknown> | undefined)?.[name], value);

/** The code of a refusal, for the end of a sentence. */
function saying(reply: unknown): string {
  const { code, message } = (reply ?? {}) as { code?: unknown; message?: unknown };
  return typeof code === 'string' ? ` (${code}: ${String(message).slice(0, 200)})` : '';
}
