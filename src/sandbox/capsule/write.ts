import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { BULK_JOBS, BULK_PIECES, type BulkJob, type BulkPiece } from '../../areas/bulk/index.ts';
import { CHALLENGES, type Challenge } from '../../areas/signing/index.ts';
import { OPERATIONS, TABLES } from '../../areas.ts';
import type { Faults } from '../../contract/faults.ts';
import { FIRST_ANSWERS, type FirstAnswer, fingerprintOf } from '../../declare/first-answers.ts';
import { linksIn, maskText } from '../../engine/masking.ts';
import { isSecretAs, isSecretName, isSecretOf, plainName } from '../../engine/secrets.ts';
import type { Settings } from '../../engine/settings.ts';
import { eachOf, inSlices, type Steps } from '../../engine/slices.ts';
import type { Row, Write } from '../../engine/table.ts';
import type { Snapshot } from '../../engine/world.ts';
import { VERSION } from '../../version.ts';
import type { Host } from '../host.ts';
import { answeredSecrets, hiddenIn, isEverAnswered, maskShown, sentSecrets } from '../mask.ts';
import type { Entry } from '../request-log.ts';
import type { Sandbox } from '../sandbox.ts';
import { withoutSecretCells } from './cells.ts';
import { FORMAT } from './schema.ts';
import { StandIns } from './stand-ins.ts';

const zip = promisify(gzip);
const KNOWN_OPERATIONS: ReadonlySet<string> = new Set(OPERATIONS.map(({ id }) => id));

/**
 * Returns a sandbox as a file that opens elsewhere: its state, its log with reasons, its faults, deliveries and jobs.
 * It includes enough of the past for a rewind to the first request. Secrets have stand-ins. The file is made in slices,
 * so that other calls are served in between.
 */
export async function capsuleOf(host: Host, sandbox: Sandbox): Promise<Buffer> {
  const lines: string[] = [];
  await inSlices(linesOf(host, sandbox, lines), () => {}, host.closing);
  const hash = createHash('sha256');
  const content = lines.join('\n');
  const first = JSON.stringify({ capsule: FORMAT, version: VERSION, sha256: hash.update(content).digest('hex') });
  return zip(Buffer.from(`${first}\n${content}`));
}

/** Values that many moments share; each is kept once. */
class Shared<T extends object> {
  readonly list: T[] = [];
  readonly #places = new Map<T, number>();

  placeOf(value: T): number {
    const known = this.#places.get(value);
    if (known !== undefined) return known;
    this.#places.set(value, this.list.length);
    return this.list.push(value) - 1;
  }
}

function* linesOf(host: Host, sandbox: Sandbox, lines: string[]): Steps {
  // Later changes, between slices, are not in it: rows are values, and the log is a list of its own.
  const state = sandbox.world.snapshotAsStored();
  const entries = [...sandbox.requestLog.newest()].reverse();
  const acts = [...sandbox.requestLog.acts];
  const changes = changesSinceFirst(sandbox, entries);
  const faultsNow = sandbox.faults.state();
  const base = firstMoment(sandbox, entries)?.at ?? 0;
  const standIns = new StandIns();
  const settings = new Shared<Settings>();
  const faults = new Shared<Faults>();
  for (const { secret } of sandbox.credentials) if (secret !== undefined) standIns.of(secret);
  const made: unknown[] = [];
  yield* eachOf(entries, (entry) => {
    made.push(['entry', entryLine(sandbox, entry, base, standIns, settings, faults)]);
  });
  for (const act of acts) made.push(['act', standIns.within(act, isSecretName)]);
  const rowOf = rowsWith(entries, standIns, state);
  for (const { name, rows, seqs } of state.tables) {
    let i = 0;
    yield* eachOf(rows, (row) => {
      made.push(['row', name, seqs?.[i] ?? i, rowOf(name, row)]);
      i += 1;
    });
  }
  yield* eachOf(changes, ({ table, seq, before }) => {
    made.push(['was', table.name, seq, before ? rowOf(table.name, before) : null]);
  });
  const [login] = sandbox.credentials;
  const head = {
    profile: host.profile.name,
    id: sandbox.id,
    seed: sandbox.seed,
    keySeed: sandbox.world.keySeed,
    ...(host.options.now === undefined ? {} : { now: host.options.now }),
    ...(sandbox.options.webhookUrl === undefined ? {} : { webhookUrl: sandbox.options.webhookUrl }),
    permissions: [...(login?.permissions ?? [])],
    scenario: standIns.within(
      {
        ...sandbox.scenario,
        credentials: [{ id: sandbox.id, secret: 'any', permissions: [...(login?.permissions ?? [])] }],
      },
      isSecretName,
    ),
    clock: state.clock,
    ids: state.ids,
    settings: state.settings,
    tables: state.tables.map(({ name, next }) => ({ name, next })),
    faults: faultsNow,
    pastSettings: settings.list,
    pastFaults: faults.list.map((one) => one.state()),
  };
  yield* eachOf([['head', head], ...made], (line) => {
    lines.push(JSON.stringify(standIns.cleaned(line)));
  });
}

/**
 * Returns how a row is written, its secrets replaced by name. Three kinds contain foreign text. The first answer to an
 * idempotency key, and a body that waits for its signature, are written as the log has them. The rows of a waiting
 * import lose the cells of secret columns.
 */
function rowsWith(entries: readonly Entry[], standIns: StandIns, { tables }: Snapshot) {
  const byReply = new Map(entries.map((entry) => [entry.reply, entry]));
  const headers = new Map(
    (tables.find(({ name }) => name === BULK_JOBS.name)?.rows as BulkJob[] | undefined)?.map((job) => [
      job.id,
      job.header,
    ]),
  );
  return (table: string, row: Row): unknown => {
    if (table === FIRST_ANSWERS.name) return answerOf(row as FirstAnswer, byReply, standIns);
    if (table === CHALLENGES.name) return waitingOf(row as Challenge, standIns);
    if (table === BULK_PIECES.name) return withoutSecretCells(row as BulkPiece, headers, standIns);
    return standIns.within(row, isSecretOf(TABLES.get(table)));
  };
}

function answerOf(answer: FirstAnswer, byReply: ReadonlyMap<string, Entry>, standIns: StandIns): FirstAnswer {
  const entry = byReply.get(answer.text);
  const isSecret = entry ? answeredSecrets(entry) : isEverAnswered;
  const sent = entry ? maskText(entry.body, sentSecrets(entry.operation), undefined, standIns.ofRaw) : '';
  return {
    ...answer,
    text: maskText(answer.text, isSecret, undefined, standIns.ofRaw),
    fingerprint:
      entry && fingerprintOf(entry.body) === answer.fingerprint
        ? fingerprintOf(standIns.clean(sent))
        : answer.fingerprint,
  };
}

function waitingOf({ body, ...challenge }: Challenge, standIns: StandIns): unknown {
  const rest = standIns.within(challenge, isSecretName) as Omit<Challenge, 'body'>;
  return { ...rest, body: maskText(body, sentSecrets(challenge.operation), undefined, standIns.ofRaw) };
}

/** Returns the oldest of the moments before requests that can still be restored. */
const firstMoment = (sandbox: Sandbox, entries: readonly Entry[]) =>
  entries.find((entry) => sandbox.changesSince(entry) !== undefined)?.before?.moment;

function changesSinceFirst(sandbox: Sandbox, entries: readonly Entry[]): Write[] {
  const moment = firstMoment(sandbox, entries);
  const { history } = sandbox.world;
  return moment && history ? [...history.changes(moment)].reverse() : [];
}

function entryLine(
  sandbox: Sandbox,
  entry: Entry,
  base: number,
  standIns: StandIns,
  settings: Shared<Settings>,
  faults: Shared<Faults>,
) {
  const { before, caused, ...rest } = entry;
  const known = entry.operation !== undefined && KNOWN_OPERATIONS.has(entry.operation) ? entry.operation : undefined;
  for (const link of linksIn(entry.path)) standIns.of(link);
  // As the log masks them: a secret of the request, wherever it stands in the request and its reply.
  const hidden = hiddenIn(entry).filter(StandIns.isFindable);
  const without = (text: string): string => hidden.reduce((left, one) => left.replaceAll(one, standIns.of(one)), text);
  const restorable = before && sandbox.changesSince(entry) !== undefined ? before : undefined;
  const moment = restorable?.moment;
  return {
    ...rest,
    path: without(entry.path),
    headers: headersOf(entry.headers, standIns).map(without),
    query: without(queryOf(entry.query, sentSecrets(known), standIns)),
    body: without(maskText(entry.body, sentSecrets(known), undefined, standIns.ofRaw)),
    reply: without(maskText(entry.reply, answeredSecrets(entry), undefined, standIns.ofRaw)),
    ...(entry.why ? { why: maskShown(entry, entry.why) } : {}),
    ...(caused
      ? {
          caused: {
            events: caused.events,
            jobs: caused.jobs,
            magic: maskShown(entry, caused.magic),
            ...(caused.undone ? { undone: [...caused.undone] } : {}),
          },
        }
      : {}),
    ...(moment
      ? {
          before: {
            turn: moment.turn,
            at: moment.at - base,
            ids: moment.ids,
            clock: moment.clock,
            settings: settings.placeOf(moment.settings),
            ...(restorable.faults ? { faults: faults.placeOf(restorable.faults) } : {}),
          },
        }
      : {}),
  };
}

/** Returns headers with stand-ins; Basic credentials keep their id, which shows the caller. */
function headersOf(raw: readonly string[], standIns: StandIns): string[] {
  return raw.map((value, i) => {
    const plain = i % 2 === 0 ? '' : plainName(raw[i - 1] as string);
    if (!isSecretName(plain) && !plain.endsWith('signature')) return value;
    const [, scheme, rest = ''] = /^(\w+)\s+(.*)$/.exec(value) ?? [];
    if (plain !== 'authorization' || scheme === undefined) return standIns.of(value);
    if (scheme.toLowerCase() !== 'basic') return `${scheme} ${standIns.of(rest)}`;
    const [id = '', ...secret] = Buffer.from(rest, 'base64').toString('utf8').split(':');
    return `${scheme} ${Buffer.from(`${id}:${standIns.of(secret.join(':'))}`).toString('base64')}`;
  });
}

function queryOf(query: string, isSecret: (plain: string) => boolean, standIns: StandIns): string {
  return query.replaceAll(/([?&;]?)([^?&;=]+)=([^&;]*)/g, (whole, sign: string, name: string, value: string) =>
    isSecretAs(name, isSecret) ? `${sign}${name}=${standIns.of(value)}` : whole,
  );
}
