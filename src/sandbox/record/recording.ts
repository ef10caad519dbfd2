import { OPERATIONS } from '../../areas.ts';
import { failFields } from '../../contract/errors.ts';
import { MASK } from '../../engine/masking.ts';
import { jsonOf } from '../code/shown-call.ts';
import type { CommandContext } from '../commands/command.ts';
import { maskAnswered, maskHeaders, maskPath, maskSent, maskTarget } from '../mask.ts';
import { rememberedRequest } from '../past.ts';
import { type Entry, REMEMBERED_BODY } from '../request-log.ts';
import { expected } from './expected.ts';
import { type Lookup, lookups } from './lookups.ts';
import { Names, nameFor, type Template, type TemplatedNode, textsIn } from './template.ts';

/** Which requests are recorded: each by its id, or all of a span, both ends included. */
export type Chosen = readonly string[] | { readonly from: string; readonly to: string };

/** A value that a reply gives and later calls use. */
export interface Capture {
  readonly variable: string;
  readonly path: readonly (string | number)[];
}

/** Who makes a call: the sandbox's own login, another, or nobody. */
export type Login = 'own' | 'none' | { readonly id: Template; readonly secret: Template };

/** One call of a recording. */
export interface Step {
  readonly id: string;
  /** What it is, for people. */
  readonly title: string;
  readonly at: string;
  readonly method: string;
  /** Below the version segment, query included. */
  readonly path: Template;
  readonly login: Login;
  readonly headers: readonly (readonly [name: string, value: Template])[];
  readonly json: TemplatedNode | undefined;
  readonly text: Template | undefined;
  readonly status: number;
  readonly expected: TemplatedNode | undefined;
  readonly captures: readonly Capture[];
  /** It was not chosen, but makes something that a chosen one uses. */
  readonly needed: boolean;
}

/** A recording: what has to be looked up first, the calls, and what could not be recorded. */
export interface Recording {
  readonly lookups: readonly Lookup[];
  readonly steps: readonly Step[];
  readonly notes: readonly string[];
  readonly entries: readonly Entry[];
}

const RECORD_ID = /[A-Z][A-Za-z]*:[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
/** Codes that everybody knows: they are no secrets. */
const PUBLIC_CODES = new Set(['000000', '123456']);
/** Headers of a call that belong into a test. */
const KEPT = /^(?:idempotency-key|x-[\w-]+|if-[\w-]+)$/;
const isMade = ({ status, method }: Entry): boolean => status < 300 && method !== 'GET';

/** What requests of the log say, ids as variables. 404 `REFERENCE_NOT_FOUND` for one that is not remembered, 400 for none. */
export async function recordingOf(context: CommandContext, chosen: Chosen): Promise<Recording> {
  const { sandbox, host } = context;
  const wanted = chosenEntries(context, chosen);
  const notes: string[] = [];
  const picked = wanted.filter((entry) => {
    const why = whyNot(entry, host.profile.walletSignatureHeader);
    if (why !== undefined) notes.push(`${entry.method} ${maskPath(entry)} (${entry.id}) is left out: ${why}`);
    return why === undefined;
  });
  if (picked.length === 0)
    failFields([{ field: 'requests', message: notes[0] ?? 'no request of the API is among them' }]);
  const entries = withNeeded(picked, [...sandbox.requestLog.newest()].reverse(), host.profile.walletSignatureHeader);
  const names = new Names();
  const found = await lookups(context, entries, unmade(entries), names);
  for (const id of found.missing)
    notes.push(`${id} was made before the first request that is remembered: put one of yours in its place`);
  const steps = entries.map((entry, i) => stepOf(context, entry, names, entries.slice(i + 1), !picked.includes(entry)));
  for (const [i, step] of steps.entries())
    if (isMaskedIn([step.login, step.headers]))
      notes.push(
        `${step.title} (${entries[i]?.id}) was sent with a secret that no call here gives: put yours in place of ${MASK}`,
      );
  return { lookups: found.lookups, steps, notes, entries };
}

const isMaskedIn = (value: unknown): boolean => JSON.stringify(value).includes(MASK);

function chosenEntries({ sandbox }: CommandContext, chosen: Chosen): Entry[] {
  const all = [...sandbox.requestLog.newest()].reverse();
  if (!('from' in chosen)) {
    const ids = new Set(chosen.map((id) => rememberedRequest(sandbox, id).id));
    return all.filter(({ id }) => ids.has(id));
  }
  const [from, to] = [rememberedRequest(sandbox, chosen.from), rememberedRequest(sandbox, chosen.to)];
  const [first, last] = [all.indexOf(from), all.indexOf(to)].sort((a, b) => a - b) as [number, number];
  return all.slice(first, last + 1);
}

/** Why a request cannot be part of a recording, if it cannot. */
function whyNot(entry: Entry, signature: string): string | undefined {
  const operation = OPERATIONS.find(({ id }) => id === entry.operation);
  if (!operation) return 'no operation of the service answers there';
  if (entry.fault) return `a fault answered it (${entry.fault})`;
  if (operation.upload) return 'the log does not keep files';
  if (entry.body.length > REMEMBERED_BODY) return 'the log has its body only in part';
  const names = entry.headers.filter((_, i) => i % 2 === 0).map((name) => name.toLowerCase());
  if (names.includes(signature.toLowerCase()))
    return 'a wallet signed it; sign it in the test, as docs/wallet.md shows';
  return undefined;
}

const idsIn = (text: string): string[] => text.match(RECORD_ID) ?? [];
const usesOf = ({ path, query, body }: Entry): string[] => idsIn(decode(`${path}${query}`) + body);

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Requests with those before them that made what they use. */
function withNeeded(picked: readonly Entry[], all: readonly Entry[], signature: string): Entry[] {
  const chosen = new Set(picked);
  const open = [...picked];
  for (let entry = open.pop(); entry; entry = open.pop()) {
    const at = all.indexOf(entry);
    for (const id of new Set(usesOf(entry))) {
      const maker = all.slice(0, at).find((one) => isMade(one) && one.reply.includes(id));
      if (!maker || chosen.has(maker) || whyNot(maker, signature) !== undefined) continue;
      chosen.add(maker);
      open.push(maker);
    }
  }
  return all.filter((entry) => chosen.has(entry));
}

/** Ids that requests use and that none of them made before. */
function unmade(entries: readonly Entry[]): string[] {
  const made = new Set<string>();
  const unknown = new Set<string>();
  for (const entry of entries) {
    for (const id of usesOf(entry)) if (!made.has(id)) unknown.add(id);
    // Of a reply that the log has only in part, nothing can be read.
    if (entry.status < 300 && jsonOf(entry.reply)) for (const id of idsIn(entry.reply)) made.add(id);
  }
  return [...unknown];
}

function stepOf(context: CommandContext, entry: Entry, names: Names, later: readonly Entry[], needed: boolean): Step {
  const { host } = context;
  const base = [host.basePath, '/grid/2025-10-13', '/2025-10-13'].find((one) => entry.path.startsWith(`${one}/`)) ?? '';
  const json = jsonOf(entry.body);
  const shown = json && publicCodes(json.value, jsonOf(maskSent(entry))?.value, names);
  const step = {
    id: entry.id,
    title: entry.operation ?? `${entry.method} ${entry.path}`,
    at: entry.at,
    method: entry.method,
    // Clients escape the colon of an id in a query, which may stand as it is.
    path: names.template(decode(maskPath(entry).slice(base.length)) + queryOf(entry, names).replaceAll(/%3a/gi, ':')),
    login: loginOf(context, entry, names),
    headers: headersOf(entry, names),
    json: shown === undefined ? undefined : names.node(shown),
    text: json || entry.body === '' ? undefined : names.template(maskSent(entry)),
    status: entry.status,
  };
  const reply = jsonOf(entry.reply)?.value;
  // Before the captures: what this very reply gives has no name yet.
  const same = reply === undefined ? undefined : expected(reply, jsonOf(maskAnswered(entry))?.value, names);
  return { ...step, expected: same, captures: capturesOf(reply, later, names), needed };
}

/** A query with its secrets masked, but for values that have a name. */
function queryOf(entry: Entry, names: Names): string {
  const masked = maskTarget(entry).slice(maskPath(entry).length).split('&');
  const parts = entry.query.split('&');
  return parts
    .map((part, i) => (names.of(decode(part.slice(part.indexOf('=') + 1))) ? part : (masked[i] ?? '')))
    .join('&');
}

/** A body with its secrets masked, but for codes that everybody knows and values that have a name. */
function publicCodes(value: unknown, masked: unknown, names: Names): unknown {
  if (masked === MASK) return typeof value === 'string' && (PUBLIC_CODES.has(value) || names.of(value)) ? value : MASK;
  if (typeof value !== 'object' || value === null || typeof masked !== 'object' || masked === null) return masked;
  if (Array.isArray(value)) return value.map((one, i) => publicCodes(one, Reflect.get(masked, i), names));
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [name, publicCodes(one, Reflect.get(masked, name), names)]),
  );
}

function headersOf(entry: Entry, names: Names): Step['headers'] {
  const shown = maskHeaders(entry.headers);
  return entry.headers.flatMap((header, i) => {
    const name = header.toLowerCase();
    if (i % 2 === 1) return [];
    const value = entry.headers[i + 1] as string;
    if (name === 'authorization' && /^bearer /i.test(value)) {
      const token = value.slice('bearer '.length);
      return [[name, ['Bearer ', ...(names.of(token) ? names.template(token) : [MASK])]] as const];
    }
    return KEPT.test(name) ? [[name, names.template(shown[name] ?? value)] as const] : [];
  });
}

function loginOf({ sandbox }: CommandContext, { headers }: Entry, names: Names): Login {
  const at = headers.findIndex((name, i) => i % 2 === 0 && name.toLowerCase() === 'authorization');
  const [, encoded] = /^basic\s+(\S+)$/i.exec(at < 0 ? '' : (headers[at + 1] as string)) ?? [];
  if (encoded === undefined) return 'none';
  const [id = '', ...rest] = Buffer.from(encoded, 'base64').toString('utf8').split(':');
  const secret = rest.join(':');
  const [own] = sandbox.credentials;
  if (own?.tokenId === id && (own.secret === undefined || own.secret === secret)) return 'own';
  const isKnown = sandbox.credentials.some((one) => one.tokenId === id && one.secret === secret);
  return { id: names.template(id), secret: isKnown || names.of(secret) ? names.template(secret) : [MASK] };
}

/** Shorter texts stand for too much else. */
const SHORTEST = 6;

/** What later requests use of a reply, and could not know otherwise. */
function capturesOf(reply: unknown, later: readonly Entry[], names: Names): Capture[] {
  const captures: Capture[] = [];
  for (const { text, path } of textsIn(reply)) {
    if (text.length < SHORTEST || names.of(text) !== undefined || /^[A-Z_]+$/.test(text)) continue;
    if (!later.some((entry) => isUsed(text, entry))) continue;
    const member = String(path.findLast((part) => typeof part === 'string') ?? 'value');
    captures.push({ variable: names.add(text, nameFor(text, member)), path });
  }
  return captures;
}

function isUsed(value: string, { path, query, body, headers }: Entry): boolean {
  const isPassing = /[:\d]/.test(value) && /^\S+$/.test(value) && !/^\d{4}-\d\d-\d\d/.test(value);
  if (!isPassing) return false;
  if (`${decode(path + query)} ${body}`.includes(value)) return true;
  return headers.some((header, i) => i % 2 === 1 && (header.includes(value) || basicIn(header).includes(value)));
}

const basicIn = (header: string): string => {
  const [, encoded = ''] = /^basic\s+(\S+)$/i.exec(header) ?? [];
  return Buffer.from(encoded, 'base64').toString('utf8');
};
