import { relative } from 'node:path';
import { afterAll, expect } from 'vitest';
import { type Machine, stateName } from '../../src/engine/machine.ts';
import type { World } from '../../src/engine/world.ts';
import { explain } from '../../src/sandbox/explain.ts';
import { type Entry, RequestLog } from '../../src/sandbox/request-log.ts';
import { flushNotes, isNoting, noteLine } from '../kit/seen.ts';
import { DRAWN } from './notes.ts';

/**
 * Notes, for every call that any test makes to any sandbox of this process: its answer, the rule of its refusal, the events and
 * states that it led to, and the test file. What a fault answered is not evidence and is left out.
 */

/** A call and the work that goes back to it; what it led to waits until its operation is known. */
interface Root {
  operation?: string | undefined;
  waiting: string[];
  /** The latest event of each subject. */
  readonly latest: Map<string, string>;
}

/** What is known of the calls to one sandbox. */
interface Follower {
  readonly file: string;
  profile: string;
  readonly open: Map<string, Root>;
  readonly jobs: Map<string, Root>;
}

/** Calls whose answer never gets into a log, such as those of a life that is over, must not pile up. */
const MOST_OPEN = 1000;
/** Files in whose worlds states are counted: what a world publishes for it would be in the way of tests that watch it. */
const COUNTED = /^test\/(?:areas|evidence)\//;
const followers = new WeakMap<RequestLog, Follower>();

/** The test file that runs, as a path from the root of the repository. */
const presentFile = (): string =>
  relative(process.cwd(), expect.getState().testPath ?? 'no test').replaceAll('\\', '/');

function followerOf(log: RequestLog): Follower {
  let known = followers.get(log);
  if (!known) {
    known = { file: presentFile(), profile: '', open: new Map(), jobs: new Map() };
    followers.set(log, known);
  }
  return known;
}

function rootOf({ open, jobs }: Follower, cause: string): Root | undefined {
  const known = jobs.get(cause) ?? open.get(cause);
  if (known || !cause.startsWith('req_')) return known;
  if (open.size >= MOST_OPEN) open.clear();
  const root: Root = { waiting: [], latest: new Map() };
  open.set(cause, root);
  return root;
}

/** Notes something that a call led to, at once or when its operation is known. */
function lead(root: Root, what: string): void {
  if (root.operation === undefined) root.waiting.push(what);
  else noteLine(`${root.operation} ${what}`);
}

/** Follows what happens in a world, by the call that it goes back to. */
function follow(follower: Follower, world: World): void {
  follower.profile = world.profile.name;
  if (DRAWN.test(follower.file)) return;
  if (COUNTED.test(follower.file)) world.countsStates = true;
  world.watch((happening, cause) => {
    if (happening.what === 'ended') follower.jobs.delete(happening.id);
    const root = cause === undefined ? undefined : rootOf(follower, cause);
    if (!root) return;
    if (happening.what === 'scheduled') follower.jobs.set(happening.id, root);
    else if (happening.what === 'entered')
      lead(root, `state ${stateName(happening.machine as Machine<string, string>, happening.state)}`);
    else if (happening.what === 'event') {
      const { type, subject } = happening.event;
      lead(root, `event ${world.profile.name} ${type} ${root.latest.get(subject) ?? '-'}`);
      root.latest.set(subject, type);
    }
  });
}

/** Notes an answer, and what has waited for it. */
function answered(follower: Follower, entry: Entry): void {
  const { operation, status, code } = entry;
  const root = follower.open.get(entry.id);
  follower.open.delete(entry.id);
  if (operation === undefined) return;
  if (root) {
    root.operation = operation;
    for (const what of root.waiting) noteLine(`${operation} ${what}`);
    root.waiting = [];
  }
  // The first answer to an idempotency key that is given again has no code: it refuses nothing anew.
  if (entry.fault !== undefined || (status >= 400 && code === undefined)) return;
  if (code === undefined) noteLine(`${operation} success ${status} ${follower.profile} ${follower.file}`);
  else noteLine(`${operation} refusal ${status}/${code} ${follower.file} ${entry.why?.rule ?? explain(entry).rule}`);
}

const RECORDED = Symbol.for('sandbox-emulator evidence');
type Marked = { [RECORDED]?: true };

/** Puts itself before the request logs of this process, once for each time that the modules are loaded. */
function record(): void {
  const logs = RequestLog.prototype as RequestLog & Marked;
  if (logs[RECORDED]) return;
  logs[RECORDED] = true;
  const { add, follow: followWorld } = logs;
  logs.add = function (entry) {
    answered(followerOf(this), entry);
    add.call(this, entry);
  };
  logs.follow = function (world) {
    followWorld.call(this, world);
    follow(followerOf(this), world);
  };
}

if (isNoting()) {
  record();
  afterAll(flushNotes);
}
