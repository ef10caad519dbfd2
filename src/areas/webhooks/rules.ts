import * as z from 'zod';
import { bodyOf, type DomainEvent, type TryResult } from '../../contract/domain-event.ts';
import { fail } from '../../contract/errors.ts';
import type { DeliveryFault } from '../../contract/faults.ts';
import { limit } from '../../contract/limit.ts';
import { policyDelay } from '../../contract/policy.ts';
import { closed } from '../../engine/closed.ts';
import type { Again, Job, JobAnswer } from '../../engine/scheduler.ts';
import { table } from '../../engine/table.ts';
import type { World } from '../../engine/world.ts';
import { webhookTarget } from '../platform/index.ts';
import { Deadline } from './deadline.ts';
import { altered, describeFault, isPaused, REORDER_MS } from './delivery-control.ts';
import { hurryWith } from './patience.ts';
import { expectAttempt, faultOf, jobIdOf } from './places.ts';
import { pauseAfter } from './retry.ts';
import type { Attempt, Delivery } from './row.ts';
import { DeliveryRow } from './row.ts';
import { send } from './send.ts';
import { sharing } from './shared.ts';
import { sign, signWrongly } from './signature.ts';

const settled = (d: Delivery): boolean => d.state !== 'WAITING' && d.state !== 'PENDING';

export const DELIVERIES = table('webhooks', {
  row: DeliveryRow,
  many: 'Webhooks',
  indexes: { settled, queue: (d) => (settled(d) || d.overtaken ? undefined : d.subject) },
});

/** The number of settled deliveries that are remembered; older ones are dropped. Pending ones never are. */
export const REMEMBERED = 5000;
/** The real seconds that a receiver has to respond; `limits.webhookTimeoutSeconds` changes it. */
export const TIMEOUT_SECONDS = limit(
  'webhookTimeoutSeconds',
  30,
  'Real seconds a webhook receiver has to answer; 30',
  () => z.number().min(0.05).max(300),
);

/** Takes an event from the outbox and queues its delivery, behind earlier ones about the same subject. */
export function enqueue(world: World, event: DomainEvent): void {
  const deliveries = world.rows(DELIVERIES);
  const { url, unsent } = webhookTarget(world);
  const sent = url !== undefined && unsent === undefined;
  const waits = sent && deliveries.count('queue', event.subject) > 0;
  const state = !sent ? 'UNSENT' : waits ? 'WAITING' : 'PENDING';
  const data = waits ? sharing(event.data, lastInQueue(world, event.subject)?.data) : event.data;
  const { id, type, timestamp, subject } = event;
  // A complete literal, so that the row is allocated without room for more members.
  const row: Delivery = { id, type, timestamp, subject, data, state, attempts: NONE };
  deliveries.insert(unsent === undefined ? row : { ...row, unsentReason: unsent });
  if (sent) expectAttempt(world, id);
  if (state === 'PENDING') queue(world, event.id);
  if (state === 'UNSENT') forgetOld(world);
}

const NONE: Delivery['attempts'] = [];

/** Returns the newest event about a subject that is not delivered yet. */
const lastInQueue = (world: World, subject: string): Delivery | undefined =>
  world
    .rows(DELIVERIES)
    .newest({ where: { queue: subject } })
    .next().value;

function forgetOld(world: World): void {
  const deliveries = world.rows(DELIVERIES);
  if (deliveries.count('settled', true) <= REMEMBERED) return;
  const oldest = deliveries.find('settled', true);
  if (oldest) deliveries.remove(oldest.id);
}

/**
 * Returns the virtual milliseconds until an attempt: `delayMs`, or later if the policy says so. Held ones wait for a
 * tester.
 */
const waitOf = (world: World, delayMs: number): number =>
  Math.max(delayMs, policyDelay(world.policy('webhook.deliver')));

/**
 * Schedules a delivery for when the policy allows it. Its job has its own id: a receiver's response must not affect the
 * ids drawn later.
 */
const queue = (world: World, id: string): string =>
  world.schedule('webhook.deliver', { webhookId: id }, waitOf(world, 0), jobIdOf(id));

/** Schedules another attempt after a number of virtual milliseconds. */
const again = (world: World, webhookId: string, delayMs: number, tampering?: DeliveryFault): Again => ({
  again: waitOf(world, delayMs),
  payload: { webhookId, ...(tampering ? { tampering } : {}) },
});

/** Returns the job of the next attempt of a delivery, if there is one. */
export const nextTryOf = (world: World, id: string): Job | undefined => world.scheduler.jobs.get(jobIdOf(id));

/** An attempt as it is logged, and its outcome. */
interface Tried {
  readonly tried: Attempt;
  readonly outcome: TryResult['outcome'];
  /** The whole response, if a rule decides by it; the log keeps its beginning. */
  readonly whole?: string | undefined;
}

/** Returns the headers and the exact body of a delivery, signed anew: no two signatures of one text are equal. */
export function sentAs(world: World, event: DomainEvent): { headers: Record<string, string>; body: string } {
  const body = bodyOf(world.profile, event);
  return { headers: { [world.profile.webhookSignatureHeader.toLowerCase()]: sign(world, body) }, body };
}

/**
 * Makes one delivery attempt now, with the effects of a fault; `job` is the job that makes it. Sends; writes nothing. 409 CONFLICT, and the connection
 * is aborted, if this life of the world ends or the emulator closes.
 */
export async function attempt(
  world: World,
  event: DomainEvent,
  url: string,
  tampering?: DeliveryFault,
  job?: string,
): Promise<Tried> {
  const at = world.clock.iso();
  const body = bodyOf(world.profile, event);
  const fault = tampering ? { fault: describeFault(tampering) } : {};
  const { status, drop } = tampering ?? {};
  if (status !== undefined) return { outcome: 'answered', tried: { at, status, ms: 0, ...fault } };
  if (drop) return { outcome: 'failed', tried: { at, error: 'a fault dropped it', ms: 0, ...fault } };
  if (world.outbound.silent)
    return { outcome: 'failed', tried: { at, error: 'nothing is sent here', ms: 0, ...fault } };
  const allowed = world.lasting(TIMEOUT_SECONDS);
  const signature = tampering?.wrongSignature ? signWrongly(body) : sign(world, body);
  const headers = { [world.profile.webhookSignatureHeader.toLowerCase()]: signature };
  const { deadlineMs = Number.POSITIVE_INFINITY, answered } = world.deliveryRule(event.type);
  const deadline = new Deadline(Math.min(allowed, deadlineMs));
  // No advance waits for an attempt by hand.
  const stop =
    job === undefined
      ? () => {}
      : hurryWith(world, deadline, { job, decides: answered !== undefined, since: Date.parse(event.timestamp) });
  const forget = world.scheduler.onClose(() => deadline.end());
  const text = tampering?.alteredBody ? altered(body) : body;
  const { outcome, whole, ...sent } = await send(url, text, headers, deadline, answered !== undefined);
  stop();
  forget();
  if (deadline.wasEnded) throw world.over ?? closed();
  const short = deadline.wasCutShort ? ({ ms: deadline.ms, cutShort: true } as const) : {};
  return { outcome, whole, tried: { at, ...sent, ...short, ...fault } };
}

/**
 * Returns whether a response ends the retries: any 2xx, or 409 for an event that the receiver already knows (spec 6
 * rule 3).
 */
const accepted = (attempt: Attempt): boolean =>
  attempt.status !== undefined && ((attempt.status >= 200 && attempt.status < 300) || attempt.status === 409);

/** Records an attempt; then the delivery is done, given up, or retried after an exponential pause (spec 6 rule 3). */
function record(world: World, id: string, tried: Attempt): Again | undefined {
  const deliveries = world.rows(DELIVERIES);
  const old = deliveries.get(id);
  if (!old) return undefined;
  const attempts = [...old.attempts, tried];
  if (settled(old)) {
    deliveries.put({ ...old, attempts, state: accepted(tried) ? 'DELIVERED' : old.state });
    return undefined;
  }
  const counted = attempts.filter((attempt) => !attempt.byHand && !attempt.duplicate).length;
  const { sentOnce } = world.deliveryRule(old.type);
  const pause = sentOnce ? undefined : pauseAfter(counted, world.profile.rules.longestWebhookPauseMs);
  const state = accepted(tried) ? 'DELIVERED' : pause === undefined ? 'ABANDONED' : 'PENDING';
  deliveries.put({ ...old, attempts, state });
  // The clock stood still during a shortened attempt: the rest of the time that it would have lasted is added to the
  // pause.
  const rest = tried.cutShort ? Math.max(0, Date.parse(tried.at) + tried.ms - world.clock.now()) : 0;
  if (state === 'PENDING') return again(world, id, (pause as number) + rest);
  release(world, old.subject);
  return undefined;
}

/** Changes a delivery, if it is still remembered. */
function change(world: World, id: string, to: (delivery: Delivery) => Partial<Delivery>): Delivery | undefined {
  const delivery = world.rows(DELIVERIES).get(id);
  return delivery && world.rows(DELIVERIES).put({ ...delivery, ...to(delivery) });
}

/** Releases the next event about a subject. */
function release(world: World, subject: string): void {
  const deliveries = world.rows(DELIVERIES);
  const next = deliveries.find('queue', subject);
  if (next?.state === 'WAITING') {
    deliveries.put({ ...next, state: 'PENDING' });
    queue(world, next.id);
  }
  forgetOld(world);
}

/**
 * Records an attempt that was requested by hand: if accepted, it ends the retries; if not, they continue as planned.
 */
function recordByHand(world: World, id: string, tried: Attempt): void {
  const old = world.rows(DELIVERIES).get(id);
  const now = change(world, id, ({ attempts, state }) => ({
    attempts: [...attempts, { ...tried, byHand: true }],
    state: accepted(tried) ? 'DELIVERED' : state,
  }));
  if (old?.state === 'PENDING' && now?.state === 'DELIVERED') release(world, old.subject);
}

/** Runs the job: sends, then records. A delivery that was settled by hand is not sent again. */
export async function deliver(
  world: World,
  { webhookId: id, tampering: earlier }: { webhookId: string; tampering?: DeliveryFault | undefined },
  { id: job, dueAt }: Job,
): Promise<JobAnswer> {
  const delivery = world.rows(DELIVERIES).get(id);
  const { url, unsent } = webhookTarget(world);
  if (!delivery || settled(delivery)) return undefined;
  // It fell due while deliveries are held; a job that is run by hand has no due time.
  if (isPaused(world) && dueAt !== null) return again(world, id, 0, earlier);
  if (unsent !== undefined) return () => keepBack(world, id, unsent);
  const tampering = earlier ?? faultOf(world, world.rows(DELIVERIES), delivery);
  if (!earlier && tampering && (tampering.delayMs || tampering.reorder)) return () => stepAside(world, id, tampering);
  const { tried, outcome, whole }: Tried = url
    ? await attempt(world, delivery, url, tampering, job)
    : { outcome: 'unsent', tried: { at: world.clock.iso(), error: 'no webhook endpoint is set any more', ms: 0 } };
  const repeated = url && tampering?.duplicate ? await attempt(world, delivery, url, tampering, job) : undefined;
  return () => {
    const next = record(world, id, tried);
    if (repeated)
      change(world, id, ({ attempts }) => ({ attempts: [...attempts, { ...repeated.tried, duplicate: true }] }));
    decide(world, delivery, { tried, outcome, whole });
    world.publish({ what: 'delivery', id });
    return next;
  };
}

/** Marks a delivery as unsent, because its endpoint was moved beyond this machine while it was queued. */
function keepBack(world: World, id: string, unsentReason: string): void {
  const delivery = world.rows(DELIVERIES).get(id);
  if (!delivery || settled(delivery)) return;
  world.rows(DELIVERIES).put({ ...delivery, state: 'UNSENT', unsentReason });
  release(world, delivery.subject);
  world.publish({ what: 'delivery', id });
}

/** Delays a delivery because of a fault; with `reorder`, later events about its subject do not wait for it. */
function stepAside(world: World, id: string, tampering: DeliveryFault): Again | undefined {
  const delivery = world.rows(DELIVERIES).get(id);
  // Settled by hand between the fault and this.
  if (!delivery || settled(delivery)) return undefined;
  if (tampering.reorder) {
    world.rows(DELIVERIES).put({ ...delivery, overtaken: true });
    release(world, delivery.subject);
  }
  return again(world, id, tampering.delayMs ?? REORDER_MS, tampering);
}

/**
 * Applies a response as a decision, for the types of events that ask for one. Records it where people look for it: at
 * the delivery, and with the request that caused it.
 */
function decide(world: World, { id, type, subject }: Delivery, { tried, outcome, whole }: Tried): void {
  const result = { ...tried, outcome, ...(whole === undefined ? {} : { body: whole }) };
  const decision = world.deliveryRule(type).answered?.(world, subject, result);
  const changed = decision === undefined ? undefined : change(world, id, () => ({ decision }));
  if (changed) world.magic(`${changed.type} was answered: ${decision}`);
}

/**
 * Sends a delivery once more, now, whatever its state; a response decides as that of any other attempt. 404
 * REFERENCE_NOT_FOUND, and as `endpointOf` refuses.
 */
export async function redeliver(world: World, id: string): Promise<Delivery> {
  const delivery = deliveryOf(world, id);
  const result = await attempt(world, delivery, endpointOf(world));
  world.transact(() => {
    recordByHand(world, id, result.tried);
    // Without a response, an earlier one still holds, such as a 202.
    if (result.outcome === 'answered') decide(world, delivery, result);
    world.publish({ what: 'delivery', id });
  });
  return deliveryOf(world, id);
}

export const deliveryOf = (world: World, id: string): Delivery =>
  world.rows(DELIVERIES).get(id) ??
  fail('REFERENCE_NOT_FOUND', `no webhook ${id}; the last ${REMEMBERED} settled ones are remembered`);

/** Returns the endpoint's URL. 400 WEBHOOK_ENDPOINT_NOT_SET; 400 WEBHOOK_DELIVERY_ERROR if nothing is sent to it. */
export function endpointOf(world: World): string {
  const { url, unsent } = webhookTarget(world);
  if (url === undefined)
    return fail(
      'WEBHOOK_ENDPOINT_NOT_SET',
      'no webhook endpoint is set: PATCH /config {"webhookEndpoint": ...} or start with --webhook-url',
    );
  if (unsent !== undefined)
    return fail('WEBHOOK_DELIVERY_ERROR', `nothing is sent: ${unsent}`, {
      details: { url, error: unsent },
      why: { rule: 'nothing leaves this machine unless the command line allows it', seen: url },
    });
  return url;
}
