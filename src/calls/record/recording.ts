import { OPERATIONS } from '../../areas.ts';
import { failFields } from '../../contract/errors.ts';
import { MASK } from '../../engine/masking.ts';
import { tick } from '../../engine/signal.ts';
import type { CommandContext } from '../../sandbox/commands/command.ts';
import { maskAnswered, maskHeaders, maskPath, maskSent } from '../../sandbox/mask.ts';
import { rememberedRequest } from '../../sandbox/past.ts';
import { type Entry, REMEMBERED_BODY } from '../../sandbox/request-log.ts';
import { jsonOf } from '../code/shown-call.ts';
import { type ActStep, actsBetween, idsOf, repeated } from './acts.ts';
import { expected, onlyNamed } from './expected.ts';
import { idsIn } from './ids.ts';
import { type Lookup, lookups, lookupsAtUse } from './lookups.ts';
import { losslessJson } from './lossless.ts';
import { type Secret, Secrets } from './secrets.ts';
import { inSlices, SLICE } from './slices.ts';
import { decode, targetOf } from './target.ts';
import { Names, nameFor, type Template, type TemplatedNode, textsIn } from './template.ts';
import { idsTold, named, type Told, toldAfter } from './told.ts';
import { Texts } from './words.ts';

/** The requests to record: each by its id, or all of a span, both ends included. */
export type Chosen = readonly string[] | { readonly from: string; readonly to: string };

/** A value that a reply gives and later calls use. */
export interface Capture {
  readonly variable: string;
  readonly path: readonly (string | number)[];
}

/** The caller: the sandbox's own login, another, or nobody. */
export type Login = 'own' | 'none' | { readonly id: Template; readonly secret: Template };

/** One call of a recording. */
export interface Step {
  readonly id: string;
  /** A title for people. */
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
  /** The acts by hand before it. */
  readonly acts: readonly ActStep[];
  /** Ids that it uses, and that are found in a list by then. */
  readonly lookups: readonly Lookup[];
  /** The events that are there after it, and were not before. */
  readonly told: readonly Told[];
}

/** A recording: what has to be looked up first, the calls, and what could not be recorded. */
export interface Recording {
  readonly lookups: readonly Lookup[];
  readonly steps: readonly Step[];
  readonly notes: readonly string[];
  /** Values that the log never shows: the person who runs the recording gives theirs. */
  readonly secrets: readonly Secret[];
  readonly entries: readonly Entry[];
  /** The value of a variable that no call of the recording gives: only to try the recording out. */
  readonly given: ReadonlyMap<string, string>;
}

const JSON_TYPE = 'application/json';
/** Headers of a call that belong into a test. */
const KEPT = /^(?:idempotency-key|x-[\w-]+|if-[\w-]+)$/;
const isMade = ({ status, method }: Entry): boolean => status < 300 && method !== 'GET';

/** Characters of bodies and replies that a recording may have: a thousand ordinary calls have half as many. */
const LONGEST = 2_000_000;

/**
 * Returns what requests of the log say, ids as variables. 404 `REFERENCE_NOT_FOUND` for one that is not remembered, 400
 * `INVALID_INPUT` for none, and for too many long ones.
 */
export async function recordingOf(
  context: CommandContext,
  chosen: Chosen,
  expects: 'all' | 'status and ids' = 'all',
): Promise<Recording> {
  const { sandbox, host } = context;
  const signature = host.profile.walletSignatureHeader;
  const all = [...sandbox.requestLog.newest()].reverse();
  const wanted = chosenEntries(context, all, chosen);
  const notes: string[] = [];
  const picked = wanted.filter((entry) => {
    const why = whyNot(entry, signature);
    if (why !== undefined) notes.push(`${entry.method} ${maskPath(entry)} (${entry.id}) is left out: ${why}`);
    return why === undefined;
  });
  if (picked.length === 0)
    failFields([{ field: 'requests', message: notes[0] ?? 'no request of the API is among them' }]);
  const entries = await withNeeded(picked, all, signature);
  const length = entries.reduce((sum, { body, reply }) => sum + body.length + reply.length, 0);
  if (length > LONGEST)
    failFields([
      {
        field: 'requests',
        message: `have ${length} characters of bodies, and a recording ${LONGEST} at most: choose fewer`,
      },
    ]);
  const names = new Names();
  const events = await toldAfter(sandbox, entries);
  const { known, unknown } = await idsUsed(entries, (i) => idsTold(events, i));
  const acts = actsBetween(context, entries, all, 'from' in chosen, (id) => known.has(id) || unknown.has(id));
  notes.push(...acts.notes);
  for (const act of [...acts.before.values()].flat()) for (const id of idsOf(act)) if (!known.has(id)) unknown.add(id);
  const found = await lookups(context, entries, [...unknown], names);
  const later = await lookupsAtUse(context, entries, found.missing, names, usesOf);
  for (const id of later.missing) notes.push(missingNote(id, all, entries));
  const sent = new Texts();
  await inSlices(entries, (entry, i) =>
    sent.add([sentBy(entry), ...(acts.before.get(i) ?? []).flatMap(idsOf)].join('\n')),
  );
  const secrets = new Secrets(names);
  const isPicked = new Set(picked);
  const steps = await inSlices(entries, (entry, i): Step => {
    const byHand = (acts.before.get(i) ?? []).flatMap((act) => repeated(act, entries, names) ?? []);
    const call = stepOf(context, entry, secrets, (value) => sent.isBehind(value, i), !isPicked.has(entry));
    const step = {
      ...call,
      expected: expects === 'all' ? call.expected : onlyNamed(call.expected),
      acts: byHand,
      told: named(events.get(i), names, (value) => sent.isBehind(value, i)),
      lookups: later.at.get(i) ?? [],
    };
    if (isMaskedIn([step.login, step.headers]))
      notes.push(
        `${step.title} (${entry.id}) was sent with a secret that no call here gives: put yours in place of ${MASK}`,
      );
    return step;
  });
  return {
    lookups: found.lookups,
    steps: inTime(steps),
    notes,
    secrets: secrets.unknown,
    entries,
    given: secrets.given,
  };
}

/** Steps whose moments never go back, but where a rewind takes them: calls that overlap are logged in the order of their answers. */
function inTime(steps: readonly Step[]): Step[] {
  let now = '';
  const moved = <T extends { readonly at: string }>(one: T): T => {
    now = one.at > now ? one.at : now;
    return { ...one, at: now };
  };
  return steps.map((step) => {
    const acts = step.acts.map((one) => {
      if (one.act.what === 'rewound') now = '';
      return moved(one);
    });
    return { ...moved(step), acts };
  });
}

const isMaskedIn = (value: unknown): boolean => JSON.stringify(value).includes(MASK);

function chosenEntries({ sandbox }: CommandContext, all: readonly Entry[], chosen: Chosen): readonly Entry[] {
  if (!('from' in chosen)) {
    const wanted = new Set(chosen);
    const found = all.filter(({ id }) => wanted.has(id));
    const known = new Set(found.map(({ id }) => id));
    for (const id of wanted) if (!known.has(id)) rememberedRequest(sandbox, id);
    return found;
  }
  const [from, to] = [rememberedRequest(sandbox, chosen.from), rememberedRequest(sandbox, chosen.to)];
  const [first, last] = [all.indexOf(from), all.indexOf(to)].sort((a, b) => a - b) as [number, number];
  return all.slice(first, last + 1);
}

/** Returns why a request cannot be part of a recording, if it cannot. */
function whyNot(entry: Entry, signature: string): string | undefined {
  const operation = OPERATIONS.find(({ id }) => id === entry.operation);
  if (!operation) return 'no operation of the service answers there';
  if (entry.fault) return `a fault answered it (${entry.fault})`;
  if (operation.upload) return 'the log does not keep files';
  if (entry.body.length > REMEMBERED_BODY) return 'the log has its body only in part';
  const names = entry.headers.filter((_, i) => i % 2 === 0).map((name) => name.toLowerCase());
  const length = entry.headers[2 * names.indexOf('content-length') + 1] ?? '0';
  if (entry.body === '' && entry.method !== 'GET' && (names.includes('transfer-encoding') || Number(length) > 0))
    return 'the log does not keep its body, which is no text or too long';
  if (names.includes(signature.toLowerCase()))
    return 'a wallet signed it; sign it in the test, as docs/wallet.md shows';
  return undefined;
}

const usesOf = ({ path, query, body }: Entry): string[] => idsIn(decode(`${path}${query}`) + body);

/** Requests with those before them that made what they use. */
async function withNeeded(picked: readonly Entry[], all: readonly Entry[], signature: string): Promise<Entry[]> {
  const places = new Map(all.map((entry, i) => [entry, i]));
  const makers = new Map<string, Entry>();
  await inSlices(all, (entry) => {
    if (!isMade(entry)) return;
    for (const id of idsIn(entry.reply)) if (!makers.has(id)) makers.set(id, entry);
  });
  const chosen = new Set(picked);
  const open = [...picked];
  const placeOf = (entry: Entry): number => places.get(entry) ?? 0;
  for (let entry = open.pop(); entry; entry = open.pop()) {
    if (open.length % SLICE === 0) await tick();
    for (const id of new Set(usesOf(entry))) {
      const maker = makers.get(id);
      if (!maker || placeOf(maker) >= placeOf(entry) || chosen.has(maker)) continue;
      if (whyNot(maker, signature) !== undefined) continue;
      chosen.add(maker);
      open.push(maker);
    }
  }
  return all.filter((entry) => chosen.has(entry));
}

/** Says of an id where it was made, as far as the log knows. */
function missingNote(id: string, all: readonly Entry[], entries: readonly Entry[]): string {
  const chosen = new Set(entries);
  const first = entries.find((entry) => usesOf(entry).includes(id));
  const before = all.slice(0, first && all.indexOf(first));
  const maker = before.find((entry) => !chosen.has(entry) && isMade(entry) && idsIn(entry.reply).includes(id));
  const made = maker ? `by ${maker.id}, which is left out` : 'by none of these calls, and no list of the API has it';
  return `${id} was made ${made}: put one of yours in its place`;
}

/** The ids that requests make, and those that they use and that none of them made before. */
async function idsUsed(
  entries: readonly Entry[],
  told: (i: number) => readonly string[],
): Promise<{ known: Set<string>; unknown: Set<string> }> {
  const known = new Set<string>();
  const unknown = new Set<string>();
  await inSlices(entries, (entry, i) => {
    for (const id of usesOf(entry)) if (!known.has(id)) unknown.add(id);
    // Of a reply that the log has only in part, nothing can be read.
    if (entry.status < 300 && jsonOf(entry.reply)) for (const id of idsIn(entry.reply)) known.add(id);
    for (const id of told(i)) known.add(id);
  });
  return { known, unknown };
}

function stepOf(
  context: CommandContext,
  entry: Entry,
  secrets: Secrets,
  isUsed: (value: string) => boolean,
  needed: boolean,
): Omit<Step, 'acts' | 'told' | 'lookups'> {
  const { host } = context;
  const { names } = secrets;
  const base = [host.basePath, '/grid/2025-10-13', '/2025-10-13'].find((one) => entry.path.startsWith(`${one}/`)) ?? '';
  const json = losslessJson(entry.body);
  const shown = json && secrets.shown(json.value, jsonOf(maskSent(entry))?.value);
  const step = {
    id: entry.id,
    title: entry.operation ?? `${entry.method} ${entry.path}`,
    at: entry.at,
    method: entry.method,
    path: targetOf(entry, base, names),
    login: loginOf(context, entry, names),
    headers: headersOf(entry, json !== undefined, names),
    json: shown === undefined ? undefined : names.node(shown),
    text: json || entry.body === '' ? undefined : names.template(maskSent(entry)),
    status: entry.status,
  };
  // The reply to HEAD has no body, although the log has the one of GET.
  const reply = entry.method === 'HEAD' ? undefined : jsonOf(entry.reply)?.value;
  // Before the captures: what this very reply gives has no name yet.
  const same = reply === undefined ? undefined : expected(reply, jsonOf(maskAnswered(entry))?.value, names);
  return { ...step, expected: same, captures: capturesOf(reply, isUsed, names), needed };
}

/** The headers that decide what a call means; the type of a body only where it is not the one that JSON is sent with. */
function headersOf(entry: Entry, isJson: boolean, names: Names): Step['headers'] {
  const shown = maskHeaders(entry.headers);
  const headers = entry.headers.flatMap((header, i): Step['headers'] => {
    const name = header.toLowerCase();
    if (i % 2 === 1) return [];
    const value = entry.headers[i + 1] as string;
    if (name === 'authorization' && /^bearer /i.test(value)) {
      const token = value.slice('bearer '.length);
      return [[name, ['Bearer ', ...(names.of(token) ? names.template(token) : [MASK])]]];
    }
    if (name === 'content-type' && !((isJson || entry.body === '') && value === JSON_TYPE)) return [[name, [value]]];
    return KEPT.test(name) ? [[name, names.template(shown[name] ?? value)]] : [];
  });
  // A client that is told no type for a text makes one up; without one, the emulator reads JSON.
  if (!isJson && entry.body !== '' && !headers.some(([name]) => name === 'content-type'))
    headers.push(['content-type', [JSON_TYPE]]);
  return headers;
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

/** Returns what later requests use of a reply, and could not know otherwise. */
function capturesOf(reply: unknown, isUsed: (value: string) => boolean, names: Names): Capture[] {
  const captures: Capture[] = [];
  for (const { text, path } of textsIn(reply)) {
    if (text.length < SHORTEST || names.of(text) !== undefined || /^[A-Z_]+$/.test(text)) continue;
    if (!isPassing(text) || !isUsed(text)) continue;
    const member = String(path.findLast((part) => typeof part === 'string') ?? 'value');
    captures.push({ variable: names.add(text, nameFor(text, member)), path });
  }
  return captures;
}

const isPassing = (value: string): boolean =>
  /[:\d]/.test(value) && /^\S+$/.test(value) && !/^\d{4}-\d\d-\d\d/.test(value);

/** All that a request says, in which a value of an earlier reply may stand. */
const sentBy = ({ path, query, body, headers }: Entry): string =>
  [decode(path + query), body, ...headers.flatMap((header, i) => (i % 2 === 1 ? [header, basicIn(header)] : []))].join(
    '\n',
  );

const basicIn = (header: string): string => {
  const [, encoded = ''] = /^basic\s+(\S+)$/i.exec(header) ?? [];
  return Buffer.from(encoded, 'base64').toString('utf8');
};
