import { OPERATIONS } from '../areas.ts';
import { fail, failFields } from '../contract/errors.ts';
import { jsonOrText } from '../contract/json.ts';
import { fieldsOf } from '../engine/diff.ts';
import { type CommandContext, rootOf } from './commands/command.ts';
import { explain } from './explain.ts';
import type { Host } from './host.ts';
import { maskAnswered, maskShown } from './mask.ts';
import { rememberedRequest, stateBefore } from './past.ts';
import { type Entry, REMEMBERED_BODY } from './request-log.ts';
import type { ApiLogin, Sandbox } from './sandbox.ts';

/** The options of a replay. */
export interface Replay {
  readonly id: string;
  readonly against: 'now' | 'before' | 'fork';
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string | null>> | undefined;
}

/** Headers of the connection, and those that name the page: a program that replays the call has its own. */
const OWN =
  /^(?:host|connection|content-length|transfer-encoding|expect|keep-alive|upgrade|origin|referer|cookie|sec-.*)$/;

/**
 * Replays a request and returns both replies, secrets masked, with their differences. 404 `REFERENCE_NOT_FOUND` for a
 * request that the log does not have. 400 `INVALID_INPUT` if it cannot be sent so, 409 `CONFLICT` if the state before
 * it is no longer kept.
 */
export async function replay(context: CommandContext, options: Replay) {
  const { host, sandbox } = context;
  const entry = rememberedRequest(sandbox, options.id, host.sandboxes);
  const text = bodyOf(entry, options.body);
  const headers = headersOf(entry, options.headers, text);
  refuseElsewhere(entry, headers, options.against);
  const place = await placeFor(context, entry, headers, options.against);
  try {
    const [login] = place.credentials;
    if (place !== sandbox && headers.get('authorization') === authorizationIn(entry.headers) && login)
      headers.set('authorization', `Basic ${Buffer.from(`${login.tokenId}:${login.secret}`).toString('base64')}`);
    const url = `${rootOf(context)}${entry.path}${entry.query}`;
    const answered = await send(
      host,
      new Request(url, { method: entry.method, headers, ...(text ? { body: text } : {}) }),
    );
    const [original, replayed] = [sideOf(entry), answered];
    const differences = fieldsOf({ ...original, id: '' }, { ...replayed, id: '' });
    return {
      against: options.against,
      sandbox: place.id,
      original,
      replayed,
      same: differences.length === 0,
      differences,
    };
  } finally {
    if (options.against === 'before') host.drop(place);
  }
}

/** Returns the body to send: the given one, otherwise the one that arrived. */
function bodyOf({ body, operation, method }: Entry, given: unknown): string | undefined {
  if (method === 'GET' || method === 'HEAD') return undefined;
  if (given !== undefined) return typeof given === 'string' ? given : JSON.stringify(given);
  const refuse = (message: string) => failFields([{ field: 'body', message }]);
  if (OPERATIONS.find(({ id }) => id === operation)?.upload)
    refuse('the log does not keep files; send the call itself again');
  if (body.length > REMEMBERED_BODY)
    refuse(`the log keeps the first ${REMEMBERED_BODY} characters only; give the whole body`);
  return body === '' ? undefined : body;
}

/** Returns headers as they arrived, with changes: `null` leaves one out. */
function headersOf(entry: Entry, changes: Replay['headers'], text: string | undefined): Headers {
  const headers = new Headers();
  for (let i = 0; i + 1 < entry.headers.length; i += 2) {
    const [name, value] = [entry.headers[i] as string, entry.headers[i + 1] as string];
    if (!OWN.test(name.toLowerCase())) headers.append(name, value);
  }
  for (const [name, value] of Object.entries(changes ?? {}))
    if (value === null) headers.delete(name);
    else headers.set(name, value);
  if (text !== undefined && !headers.has('content-type')) headers.set('content-type', 'application/json');
  return headers;
}

function authorizationIn(headers: readonly string[]): string | null {
  const at = headers.findIndex((name, i) => i % 2 === 0 && name.toLowerCase() === 'authorization');
  return at < 0 ? null : (headers[at + 1] as string).trim();
}

/** Refuses a replay elsewhere: access tokens and hosted links lead to one sandbox only. */
function refuseElsewhere({ operation }: Entry, headers: Headers, against: Replay['against']): void {
  const scheme = OPERATIONS.find(({ id }) => id === operation)?.auth;
  const leadsHere = scheme === 'none' || scheme === 'bearer' || /^bearer /i.test(headers.get('authorization') ?? '');
  if (against !== 'now' && leadsHere)
    failFields([
      { field: 'against', message: 'what this call is known by leads to this sandbox alone; send it against now' },
    ]);
}

/**
 * Returns the sandbox to which the call is sent: this one, a passing one in the state before it, or a fork that stays.
 */
async function placeFor(
  { host, sandbox }: CommandContext,
  entry: Entry,
  headers: Headers,
  against: Replay['against'],
): Promise<Sandbox> {
  if (against === 'now') return sandbox;
  const permissions = await permissionsOf(host, headers);
  if (against === 'fork') return host.fork(sandbox, { permissions });
  const { before } = stateBefore(sandbox, entry);
  const passing = await host.passing(sandbox, before, permissions);
  // It serves one call and then ends: nothing in it happens by itself, no receiver gets its events, and it draws the
  // same ids.
  passing.world.scheduler.sleep();
  passing.world.ids.restore(before.moment.ids);
  passing.world.clock.restore({ ...before.moment.clock, mode: 'held' });
  return passing;
}

/** Returns the permissions of a request's caller; undefined, so all of them, if no login has these credentials. */
async function permissionsOf(host: Host, headers: Headers): Promise<ApiLogin['permissions'] | undefined> {
  const [, encoded = ''] = /^basic\s+(\S+)$/i.exec(headers.get('authorization') ?? '') ?? [];
  const [id = '', ...secret] = Buffer.from(encoded, 'base64').toString('utf8').split(':');
  if (!host.find(id)) return undefined;
  try {
    const { principal } = await host.authenticate(id, secret.join(':'));
    return principal.kind === 'platform' ? principal.permissions : undefined;
  } catch {
    return undefined;
  }
}

/** A reply as the log shows it. */
export interface Side {
  /** Id of the request. */
  readonly id: string;
  readonly status: number;
  readonly body: unknown;
  readonly why?: unknown;
}

/** Refuses 503 `SERVICE_UNAVAILABLE` if a fault prevents the reply, or cuts it short. */
function unanswered(error: unknown): never {
  if (!(error instanceof TypeError)) throw error;
  return fail('SERVICE_UNAVAILABLE', `no reply: ${error.message}`);
}

async function send(host: Host, request: Request): Promise<Side> {
  const response = await host.fetch(request).catch(unanswered);
  const id = response.headers.get('x-request-id') ?? '';
  await response.arrayBuffer().catch(unanswered);
  for (const { requestLog } of host.sandboxes) {
    const entry = requestLog.get(id);
    if (entry) return sideOf(entry);
  }
  return { id, status: response.status, body: null };
}

function sideOf(entry: Entry): Side {
  const { id, status, code } = entry;
  const body = maskAnswered(entry);
  const side = { id, status, body: body === '' ? null : jsonOrText(body) };
  return code === undefined ? side : { ...side, why: maskShown(entry, explain(entry)) };
}
