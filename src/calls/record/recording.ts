import { ACCOUNTS } from '../../areas/accounts/index.ts';
import { DELIVERIES } from '../../areas/webhooks/index.ts';
import { OPERATIONS } from '../../areas.ts';
import { decode } from '../../contract/decode.ts';
import { failFields } from '../../contract/errors.ts';
import { jsonIn } from '../../contract/json.ts';
import { MASK } from '../../engine/masking.ts';
import { tick } from '../../engine/signal.ts';
import type { World } from '../../engine/world.ts';
import type { CommandContext } from '../../sandbox/commands/command.ts';
import { maskAnswered, maskHeaders, maskPath, maskSent } from '../../sandbox/mask.ts';
import { rememberedRequest } from '../../sandbox/past.ts';
import { type Entry, REMEMBERED_BODY } from '../../sandbox/request-log.ts';
import { type ActStep, actsBetween, idsOf, repeated as repeatedAct } from './acts.ts';
import { type ExpectedEvent, eventsAfter, idsInEvents, named } from './events-after.ts';
import { isPassing as differs, expected, onlyNamed } from './expected.ts';
import { type Form, formOf } from './form.ts';
import { idsIn } from './ids.ts';
import { idsBeside, type Lookup, lookups, lookupsAtUse, lookupsOfOwner } from './lookups.ts';
import { losslessJson } from './lossless.ts';
import { type Secret, Secrets, secretNote } from './secrets.ts';
import { inSlices, SLICE } from './slices.ts';
import { targetOf } from './target.ts';
import { Names, nameFor, type Template, type TemplatedNode, textsIn } from './template.ts';
import { againLegacy, bundleIn, legacyHeaders, type Sealed, targetsOf } from './wallet.ts';
import { oneLine, Texts } from './words.ts';

/** The requests to record: chosen by their ids, or all of a span, both ends included. */
export type Chosen = readonly string[] | { readonly from: string; readonly to: string };

/** A value that a reply gives and later calls use. */
export interface Capture {
  readonly variable: string;
  readonly path: readonly (string | number)[];
}

/** The caller: the sandbox's own login, another one, or none. */
export type Login = 'own' | 'none' | { readonly id: Template; readonly secret: Template };

/** One call of a recording. */
export interface Step {
  readonly id: string;
  /** A title for people. */
  readonly title: string;
  readonly at: string;
  readonly method: string;
  /** Below the version segment, with the query. */
  readonly path: Template;
  readonly login: Login;
  readonly headers: readonly (readonly [name: string, value: Template])[];
  readonly json: TemplatedNode | undefined;
  readonly text: Template | undefined;
  readonly form: Form | undefined;
  /** The one-time code that is sealed anew before the call. */
  readonly sealed: Sealed | undefined;
  /** Comments on the call: the stand-ins for values that were sent. */
  readonly says: readonly string[];
  /** The reason why it is left out; only its place is shown then. */
  readonly leftOut: string | undefined;
  /** The first difference in its reply, which is then not expected. */
  readonly wrong: string | undefined;
  readonly status: number;
  readonly expected: TemplatedNode | undefined;
  readonly captures: readonly Capture[];
  /** True if it was not chosen, but makes something that a chosen one uses. */
  readonly needed: boolean;
  /** The acts by hand before it. */
  readonly acts: readonly ActStep[];
  /** The ids that it uses and that a list has by then. */
  readonly lookups: readonly Lookup[];
  /** The events that exist after it, and did not before. */
  readonly events: readonly ExpectedEvent[];
  /** The call that makes the decision which a receiver made by its response. */
  readonly decides?: { readonly path: Template; readonly says: string } | undefined;
}

/** A recording: the ids to look up first, the calls, and notes on what could not be recorded. */
export interface Recording {
  readonly lookups: readonly Lookup[];
  readonly steps: readonly Step[];
  readonly notes: readonly string[];
  /** Values that the log never shows: the person who runs the recording supplies them. */
  readonly secrets: readonly Secret[];
  readonly entries: readonly Entry[];
  /** The reason why a second run in the same sandbox fails; undefined if it succeeds, or was not tried. */
  readonly again?: string | undefined;
  /** The values of variables that no call of the recording gives; only for the trial run. */
  readonly given: ReadonlyMap<string, string>;
}

const JSON_TYPE = 'application/json';
/** Headers of a call that belong in a test. */
const KEPT = /^(?:idempotency-key|request-id|x-[\w-]+|if-[\w-]+)$/;
const isMade = ({ status, method }: Entry): boolean => status < 300 && method !== 'GET';
/** The operation that puts money into an account: later payments from the account need it. */
const FUNDS = 'sandboxFundInternalAccount';
/** The operation that starts the transaction of a quote: later calls about that transaction need it. */
const EXECUTES = 'executeQuote';
const TRANSACTION = /^Transaction:/;

/** The most characters of bodies and replies in a recording: a thousand ordinary calls have half as many. */
const LONGEST = 2_000_000;

/**
 * Returns a recording of requests of the log, with ids as variables. 404 `REFERENCE_NOT_FOUND` for one that the log
 * does not have, 400 `INVALID_INPUT` for none, and for too many long ones.
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
  const leftOut = new Map<Entry, string>();
  const targets = await targetsOf(all);
  const isLost = (entry: Entry): boolean => bundleIn(entry) !== undefined && !targets.has(entry);
  for (const entry of wanted) {
    const lost = isLost(entry) ? 'the log no longer has what its code was sealed to' : undefined;
    const why = whyNot(entry, signature) ?? lost;
    if (why === undefined) continue;
    leftOut.set(entry, why);
    notes.push(`${entry.method} ${maskPath(entry)} (${entry.id}) is left out: ${why}`);
  }
  if (leftOut.size === wanted.length)
    failFields([{ field: 'requests', message: notes[0] ?? 'no request of the API is among them' }]);
  const entries = await withNeeded(sandbox.world, wanted, all, signature, (entry) => targets.get(entry)?.challenge);
  const length = entries.reduce((sum, { body, reply }) => sum + body.length + reply.length, 0);
  if (length > LONGEST)
    failFields([
      {
        field: 'requests',
        message: `have ${length} characters of bodies, and a recording ${LONGEST} at most: choose fewer`,
      },
    ]);
  const names = new Names();
  // An entry that is left out leads to nothing.
  const leading = entries.map((entry) => (leftOut.has(entry) ? { ...entry, caused: undefined } : entry));
  const events = await eventsAfter(sandbox, leading);
  const { knownAt, known, unknown } = await idsUsed(
    entries.map((entry) => (leftOut.has(entry) ? undefined : entry)),
    (i) => idsInEvents(events, i),
  );
  const acts = actsBetween(context, entries, all, 'from' in chosen, (id) => known.has(id) || unknown.has(id));
  notes.push(...acts.notes);
  for (const act of [...acts.before.values()].flat()) for (const id of idsOf(act)) if (!known.has(id)) unknown.add(id);
  const users = new Map<string, number>();
  for (const [i, entry] of entries.entries())
    for (const id of [...usesOf(entry), ...(acts.before.get(i) ?? []).flatMap(idsOf)])
      if (unknown.has(id) && !users.has(id)) users.set(id, i);
  const isKnown = (id: string, before: number): boolean => (knownAt.get(id) ?? before) < before;
  const owned = await lookupsOfOwner(context, users, isKnown, names);
  const found = await lookups(
    context,
    entries,
    [...unknown].filter((id) => names.of(id) === undefined),
    names,
  );
  const later = await lookupsAtUse(context, entries, found.missing, names, usesOf);
  const lookupsAt = (i: number) => [...(owned.get(i) ?? []), ...(later.at.get(i) ?? [])];
  for (const id of later.missing) {
    const maker = [...leftOut.keys()].find((entry) => isMade(entry) && shownFirst(entry).includes(id));
    const users = entries.filter((entry) => !leftOut.has(entry) && usesOf(entry).includes(id));
    const made = `${maker?.operation ?? maker?.path} (${maker?.id}) created`;
    if (!maker) {
      // A call that returned 404 is about something that does not exist.
      if (users.some(({ status }) => status !== 404)) notes.push(missingNote(id, all, entries));
      continue;
    }
    for (const entry of users) {
      if (entry.status >= 300) continue;
      leftOut.set(entry, `it is about what ${made}, which is left out`);
      notes.push(`${entry.operation} (${entry.id}) is left out: it is about what ${made}`);
    }
  }
  const sent = new Texts();
  await inSlices(entries, (entry, i) =>
    sent.add(
      [sentBy(entry), ...(acts.before.get(i) ?? []).flatMap(idsOf), ...lookupsAt(i).map(({ path }) => path)].join('\n'),
    ),
  );
  const decisions = new Map(entries.map((entry) => [entry, decisionOf(sandbox.world, entry)]));
  sent.add([...decisions.values()].map((one) => one?.path ?? '').join('\n'));
  const secrets = new Secrets(names);
  const isPicked = new Set(wanted);
  const sealedTo = new Set([...targets.values()].map(({ bundle }) => bundle));
  const steps = await inSlices(entries, (entry, i): Step => {
    const byHand = (acts.before.get(i) ?? []).map((act) => repeatedAct(act, entries, names));
    const call = stepOf(context, entry, {
      secrets,
      isUsed: (value) => sealedTo.has(value) || sent.isBehind(value, i),
      needed: !isPicked.has(entry),
      leftOut: leftOut.get(entry),
      sealedTo: targets.get(entry)?.bundle,
    });
    const decision = call.leftOut === undefined ? decisions.get(entry) : undefined;
    const step = {
      ...call,
      decides: decision && { ...decision, path: names.template(decision.path) },
      expected: expects === 'all' ? call.expected : onlyNamed(call.expected),
      acts: byHand,
      events: named(events.get(i), names, (value) => sent.isBehind(value, i)),
      lookups: lookupsAt(i).map((one) => ({ ...one, path: names.template(one.path) })),
    };
    if (step.leftOut === undefined && isMaskedIn([step.login, step.headers]))
      notes.push(
        `${step.title} (${entry.id}) was sent with a secret that no call here returns: replace ${MASK} with yours`,
      );
    return step;
  });
  return {
    lookups: found.lookups.map((one) => ({ ...one, path: [one.path] })),
    steps: inTime(steps),
    notes,
    secrets: secrets.unknown,
    entries: entries.filter((entry) => !leftOut.has(entry)),
    given: secrets.given,
  };
}

/** The operation that plays the sender of a payment; the platform's receiver approves or rejects it by its response. */
const RECEIVES = 'sandboxReceive';
const VERBS: Readonly<Record<number, string>> = { 200: 'approve', 403: 'reject' };
/** Responses that leave the decision to a later one. */
const DEFERS: ReadonlySet<number | undefined> = new Set([undefined, 202, 409]);

/** Returns whether a recording has a payment that a receiver decides. */
export const asksReceiver = ({ steps }: Pick<Recording, 'steps'>): boolean =>
  steps.some(({ title, leftOut }) => title === RECEIVES && leftOut === undefined);

/** Returns the call that makes the decision which a receiver's response made about a payment. */
function decisionOf(world: World, { operation, caused }: Entry): { path: string; says: string } | undefined {
  if (operation !== RECEIVES) return undefined;
  const rows = world.rows(DELIVERIES);
  const asked = caused?.events.map((id) => rows.get(id)).find((one) => one?.decision !== undefined);
  // A redelivery that was answered after the decision decides nothing.
  const status = asked?.attempts.find((tried) => !DEFERS.has(tried.status))?.status;
  const verb = VERBS[status ?? 0];
  // A 200 without the mandatory data failed the payment instead.
  if (!asked || verb === undefined || (status === 200 && !asked.decision?.includes('approves the payment')))
    return undefined;
  return {
    path: `/transactions/${asked.subject}/${verb}`,
    says: `The receiver answered ${status}; webhooks are paused here, and this call decides the same`,
  };
}

/**
 * Returns steps whose moments never go back, except at a rewind: the log has overlapping calls in the order of their
 * replies.
 */
function inTime(steps: readonly Step[]): Step[] {
  let now = '';
  const moved = <T extends { readonly at: string }>(one: T): T => {
    now = one.at > now ? one.at : now;
    return { ...one, at: now };
  };
  const all: Step[] = [];
  for (const step of steps) {
    const acts = step.acts.map((one) => {
      // A held clock stood at that moment when the call arrived; a live one was slightly earlier.
      if (one.act.what === 'rewound') now = all[one.act.step]?.at ?? '';
      return moved(one);
    });
    all.push({ ...moved(step), acts });
  }
  return all;
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

/** Returns why a request cannot be part of a recording; undefined if it can. */
function whyNot(entry: Entry, signature: string): string | undefined {
  const operation = OPERATIONS.find(({ id }) => id === entry.operation);
  if (!operation) return 'no operation of the service answers there';
  if (entry.fault) return oneLine(`a fault answered it (${entry.fault})`);
  if (operation.upload && !formOf(entry)) return 'the log does not keep files';
  if (entry.body.length > REMEMBERED_BODY) return 'the log has its body only in part';
  const names = entry.headers.filter((_, i) => i % 2 === 0).map((name) => name.toLowerCase());
  const length = entry.headers[2 * names.indexOf('content-length') + 1] ?? '0';
  if (entry.body === '' && entry.method !== 'GET' && (names.includes('transfer-encoding') || Number(length) > 0))
    return 'the log does not keep its body, which is not text or too long';
  if (entry.status === 401 && names.includes(signature.toLowerCase()))
    return 'its signature was refused, and only the key of its client makes another';
  if (bundleIn(entry) !== undefined && entry.status >= 400)
    return 'its sealed code was refused, and only its client seals such another';
  return undefined;
}

const usesOf = ({ path, query, body, headers }: Entry): string[] =>
  idsIn(decode(`${path}${query}`) + body + headerOf(headers, 'request-id'));

/** Returns the value of a header; empty if it was not sent. */
const headerOf = (headers: readonly string[], name: string): string =>
  headers[2 * headers.filter((_, i) => i % 2 === 0).findIndex((one) => one.toLowerCase() === name) + 1] ?? '';

/** The device code in the path of a redemption, and the token with which an agent calls. */
const SHOWN_ONCE = /"(?:accessToken|code)":"([^"\\]+)"/g;
const agentUses = ({ path, headers }: Entry): string[] => {
  const [, code] = /\/agents\/device-codes\/([^/]+)\/redeem$/.exec(path) ?? [];
  const [, token] = /^bearer (.+)$/i.exec(headerOf(headers, 'authorization')) ?? [];
  return [...(code === undefined ? [] : [decode(code)]), ...(token === undefined ? [] : [token])];
};

/**
 * Returns the ids, codes and tokens that a reply shows and its request did not send: one that was sent existed before.
 */
function shownFirst(entry: Entry): string[] {
  const shown = /agents/.test(entry.path) ? [...entry.reply.matchAll(SHOWN_ONCE)].map(([, value = '']) => value) : [];
  const sent = new Set(sentOf(entry));
  return [...idsIn(entry.reply), ...shown].filter((one) => !sent.has(one));
}

const sentOf = (entry: Entry): string[] => [...usesOf(entry), ...agentUses(entry)];

/** Returns the call that made each id; undefined for one that a call sent or read before any call showed it as new. */
async function makersIn(all: readonly Entry[]): Promise<Map<string, Entry | undefined>> {
  const makers = new Map<string, Entry | undefined>();
  await inSlices(all, (entry) => {
    if (entry.status >= 300) return;
    for (const id of sentOf(entry)) if (!makers.has(id)) makers.set(id, undefined);
    const maker = isMade(entry) ? entry : undefined;
    for (const id of shownFirst(entry)) if (!makers.has(id)) makers.set(id, maker);
  });
  return makers;
}

/** Returns the call that led to the first event about each id. */
function announcersIn(world: World, all: readonly Entry[]): Map<string, Entry> {
  const announced = new Map<string, Entry>();
  const deliveries = world.rows(DELIVERIES);
  for (const entry of all)
    for (const event of entry.caused?.events ?? []) {
      const subject = deliveries.get(event)?.subject;
      if (subject !== undefined && !announced.has(subject)) announced.set(subject, entry);
    }
  return announced;
}

/**
 * Returns the ids that a call funds or starts: the account that it funds, the transaction of the quote that it
 * executes.
 */
function movedBy(entry: Entry): string[] {
  if (!isMade(entry)) return [];
  if (entry.operation === FUNDS) return usesOf(entry).slice(0, 1);
  return entry.operation === EXECUTES ? [...new Set(idsIn(entry.reply))].filter((id) => TRANSACTION.test(id)) : [];
}

/** Returns requests with the earlier ones that made what they use, put money into it, or started it. */
async function withNeeded(
  world: World,
  picked: readonly Entry[],
  all: readonly Entry[],
  signature: string,
  challengeOf: (entry: Entry) => Entry | undefined,
): Promise<Entry[]> {
  const places = new Map(all.map((entry, i) => [entry, i]));
  const makers = await makersIn(all);
  const moves = new Map<string, Entry[]>();
  // A call may be refused because of what another did to the same resource: a second execution, or a call after a
  // deletion.
  const changers = new Map<string, Entry[]>();
  const note = (map: Map<string, Entry[]>, id: string, entry: Entry) => map.set(id, [...(map.get(id) ?? []), entry]);
  for (const entry of all) {
    for (const id of movedBy(entry)) note(moves, id, entry);
    if (isMade(entry)) for (const id of idsIn(entry.path)) note(changers, id, entry);
  }
  const announced = announcersIn(world, all);
  // No reply to the creation of a customer shows its accounts, and only an event shows certain other resources.
  const makersOf = (id: string, depth = 2): (Entry | undefined)[] => {
    const maker = makers.get(id);
    const owner = world.rows(ACCOUNTS).get(id)?.customerId;
    if (owner !== undefined) return [maker, makers.get(owner)];
    if (maker) return [maker];
    if (announced.has(id)) return [announced.get(id)];
    return depth > 0 ? idsBeside(world, id).flatMap((one) => makersOf(one, depth - 1)) : [];
  };
  const chosen = new Set(picked);
  const open = picked.filter((entry) => whyNot(entry, signature) === undefined);
  const placeOf = (entry: Entry): number => places.get(entry) ?? 0;
  for (let entry = open.pop(); entry; entry = open.pop()) {
    if (open.length % SLICE === 0) await tick();
    const used = [...new Set(sentOf(entry))];
    const moving = entry.operation === FUNDS ? [] : used.flatMap((id) => moves.get(id) ?? []);
    const changing = entry.status >= 400 ? idsIn(entry.path).flatMap((id) => changers.get(id) ?? []) : [];
    for (const maker of [...used.flatMap((id) => makersOf(id)), ...moving, ...changing, challengeOf(entry)]) {
      if (!maker || placeOf(maker) >= placeOf(entry) || chosen.has(maker)) continue;
      if (whyNot(maker, signature) !== undefined) continue;
      chosen.add(maker);
      open.push(maker);
    }
  }
  return all.filter((entry) => chosen.has(entry));
}

/** Returns the sentence that says where an id was made, as far as the log knows. */
function missingNote(id: string, all: readonly Entry[], entries: readonly Entry[]): string {
  const chosen = new Set(entries);
  const first = entries.find((entry) => usesOf(entry).includes(id));
  const before = all.slice(0, first && all.indexOf(first));
  const maker = before.find((entry) => !chosen.has(entry) && isMade(entry) && shownFirst(entry).includes(id));
  const made = maker ? `by ${maker.id}, which is left out` : 'by none of these calls, and no list of the API shows it';
  return `${id} was created ${made}: replace it with an id of yours`;
}

/**
 * Returns the ids that requests show, each with the first request that shows it, and the ids that one uses before any
 * shows them.
 */
async function idsUsed(
  entries: readonly (Entry | undefined)[],
  namedBy: (i: number) => readonly string[],
): Promise<{ knownAt: ReadonlyMap<string, number>; known: ReadonlySet<string>; unknown: Set<string> }> {
  const knownAt = new Map<string, number>();
  const known = new Set<string>();
  const know = (id: string, i: number): void => {
    known.add(id);
    if (!knownAt.has(id)) knownAt.set(id, i);
  };
  const unknown = new Set<string>();
  await inSlices(entries, (entry, i) => {
    if (!entry) return;
    for (const id of usesOf(entry)) if (!known.has(id)) unknown.add(id);
    // A reply that the log has only in part cannot be parsed.
    if (entry.status < 300 && jsonIn(entry.reply) !== undefined) for (const id of idsIn(entry.reply)) know(id, i);
    for (const id of namedBy(i)) know(id, i);
  });
  return { knownAt, known, unknown };
}

/** The parts of a step that are not in its log entry. */
interface Making {
  readonly secrets: Secrets;
  isUsed(value: string): boolean;
  readonly needed: boolean;
  readonly leftOut: string | undefined;
  /** The bundle to which a one-time code of the call was sealed. */
  readonly sealedTo: string | undefined;
}

function stepOf(
  context: CommandContext,
  entry: Entry,
  { secrets, isUsed, needed, leftOut, sealedTo }: Making,
): Omit<Step, 'acts' | 'events' | 'lookups' | 'decides'> {
  const { host } = context;
  const { names } = secrets;
  const base = [host.basePath, '/grid/2025-10-13', '/2025-10-13'].find((one) => entry.path.startsWith(`${one}/`)) ?? '';
  const common = {
    id: entry.id,
    title: entry.operation ?? `${entry.method} ${maskPath(entry)}`,
    at: entry.at,
    method: entry.method,
    status: entry.status,
    needed,
    wrong: undefined,
  };
  if (leftOut !== undefined) return { ...common, ...NOTHING_SENT, leftOut };
  const form = formOf(entry, secrets);
  const json = form ? undefined : losslessJson(entry.body);
  const bundle = bundleIn(entry);
  const target = sealedTo === undefined ? undefined : names.of(sealedTo);
  const isSealed = bundle !== undefined && target !== undefined && names.of(bundle) === undefined;
  const sealed = isSealed ? { variable: names.add(bundle, 'encryptedOtpBundle'), to: target } : undefined;
  const before = secrets.unknown.length;
  const again = json === undefined ? undefined : againLegacy(entry, secrets.shown(json, jsonIn(maskSent(entry))));
  const stamped = legacyHeaders(entry, host.profile.walletSignatureHeader);
  const step = {
    ...common,
    path: targetOf(entry, base, names),
    login: loginOf(context, entry, names),
    headers: [...headersOf(entry, json !== undefined, form !== undefined, names), ...stamped],
    json: again === undefined ? undefined : names.node(again.value),
    text: json !== undefined || form || entry.body === '' ? undefined : names.template(maskSent(entry)),
    form,
    sealed,
    says: [
      ...(stamped.length > 0 ? ["The client's key is not here: the sandbox accepts this value as any signature"] : []),
      ...(again?.isAnother ? ['The passkey is not here: the sandbox accepts this value as any assertion'] : []),
      ...(sealed ? ['The one-time code of the sandbox, sealed again for a key that the test creates'] : []),
      ...(form ? ['The log does not keep files: this one is made up, with the same name, type and length'] : []),
      ...secrets.unknown.slice(before).map((secret) => secretNote(secret)),
    ],
    leftOut: undefined,
  };
  // The reply to HEAD has no body, although the log has that of GET.
  const reply = entry.method === 'HEAD' ? undefined : jsonIn(entry.reply);
  // Before the captures: values that this very reply gives have no names yet.
  const same = reply === undefined ? undefined : expected(reply, jsonIn(maskAnswered(entry)), names);
  return { ...step, expected: same, captures: capturesOf(reply, isUsed, names) };
}

/** The parts of a step that is left out. */
const NOTHING_SENT = {
  path: [],
  login: 'none',
  headers: [],
  json: undefined,
  text: undefined,
  form: undefined,
  sealed: undefined,
  says: [],
  expected: undefined,
  captures: [],
} as const;

/** Returns the headers that decide what a call means; the content type only if it is not the default for JSON. */
function headersOf(entry: Entry, isJson: boolean, isForm: boolean, names: Names): Step['headers'] {
  const shown = maskHeaders(entry.headers);
  const headers = entry.headers.flatMap((header, i): Step['headers'] => {
    const name = header.toLowerCase();
    if (i % 2 === 1) return [];
    const value = entry.headers[i + 1] as string;
    if (name === 'authorization' && /^bearer /i.test(value)) {
      const token = value.slice('bearer '.length);
      return [[name, ['Bearer ', ...(names.of(token) ? names.template(token) : [MASK])]]];
    }
    // A form is sent with a boundary of its own.
    if (name === 'content-type' && isForm) return [];
    if (name === 'content-type' && !((isJson || entry.body === '') && value === JSON_TYPE)) return [[name, [value]]];
    return KEPT.test(name) ? [[name, names.template(shown[name] ?? value)]] : [];
  });
  // A client that gets no type for a text makes one up; without a type, the emulator reads JSON.
  if (!isJson && !isForm && entry.body !== '' && !headers.some(([name]) => name === 'content-type'))
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

/** The least length of a captured text: shorter ones match too much else. */
const SHORTEST = 6;

/** Returns the values of a reply that later requests use, and could not know otherwise. */
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
  (/[:\d]/.test(value) || differs(value)) && /^\S+$/.test(value) && !/^\d{4}-\d\d-\d\d/.test(value);

/** Returns every part of a request in which a value of an earlier reply may stand. */
const sentBy = ({ path, query, body, headers }: Entry): string =>
  [decode(path + query), body, ...headers.flatMap((header, i) => (i % 2 === 1 ? [header, basicIn(header)] : []))].join(
    '\n',
  );

const basicIn = (header: string): string => {
  const [, encoded = ''] = /^basic\s+(\S+)$/i.exec(header) ?? [];
  return Buffer.from(encoded, 'base64').toString('utf8');
};
