import * as z from 'zod';
import { fail } from '../../kernel/errors.ts';
import { bodyOf, type Fact } from '../../kernel/facts.ts';
import type { Tampering } from '../../kernel/faults.ts';
import { limit } from '../../kernel/limit.ts';
import { policyDelay } from '../../kernel/policy.ts';
import type { Job } from '../../kernel/scheduler.ts';
import { type Row, table } from '../../kernel/table.ts';
import type { World } from '../../kernel/world.ts';
import { webhookTarget } from '../platform/index.ts';
import { APPROVAL_MS, answered } from '../transactions/index.ts';
import { Deadline } from './deadline.ts';
import { altered, isPaused, REORDER_MS, saying } from './meddling.ts';
import { hurryWith } from './patience.ts';
import { pauseAfter, SENT_ONCE } from './retry.ts';
import { DeliveryRow } from './row.ts';
import { type Outcome, send } from './send.ts';
import { sharing } from './shared.ts';
import { sign, signWrongly } from './signature.ts';

export interface Attempt extends Outcome {
  /** Virtual time of the try. */
  at: string;
  /** Somebody asked for it; it does not count among the retries. */
  byHand?: true;
  /** The fault that fired on it, and what that changed. */
  fault?: string;
  /** Sent twice by a fault; the second does not count among the retries. */
  duplicate?: true;
  /** The clock was being advanced, so its receiver had less real time than `ms`, the virtual time it is noted with. */
  cutShort?: true;
}

/** An event and what became of it. */
export interface Delivery extends Row, Fact {
  /** `WAITING` behind an earlier event of its subject; `UNSENT` when there was nowhere to send it, or it may not leave. */
  readonly state: 'WAITING' | 'PENDING' | 'DELIVERED' | 'ABANDONED' | 'UNSENT';
  readonly attempts: readonly Attempt[];
  /** What the answer decided, of an event that asks for a decision. */
  readonly decision?: string | undefined;
  /** Why it may not leave this machine. */
  readonly unsentReason?: string | undefined;
  /** A fault made it step aside: later events of its subject do not wait for it. */
  readonly overtaken?: true;
}

const settled = (d: Delivery): boolean => d.state !== 'WAITING' && d.state !== 'PENDING';

export const DELIVERIES = table('webhooks', {
  row: DeliveryRow,
  many: 'Webhooks',
  indexes: { settled, queue: (d) => (settled(d) || d.overtaken ? undefined : d.subject) },
});

/** Settled deliveries that are remembered; older ones go. What is still to be delivered is never dropped. */
export const REMEMBERED = 5000;
/** Real seconds a receiver has to answer; `limits.webhookTimeoutSeconds` changes it. */
export const TIMEOUT_SECONDS = limit(
  'webhookTimeoutSeconds',
  30,
  'Real seconds a webhook receiver has to answer; 30',
  () => z.number().min(0.05).max(300),
);
/** The event whose answer decides on a payment. */
const ASKS = 'INCOMING_PAYMENT.PENDING';

/** Take an event from the outbox and queue its delivery, behind earlier ones of the same subject. */
export function enqueue(world: World, fact: Fact): void {
  const deliveries = world.rows(DELIVERIES);
  const { url, unsent } = webhookTarget(world);
  const sent = url !== undefined && unsent === undefined;
  const waits = sent && deliveries.count('queue', fact.subject) > 0;
  const state = !sent ? 'UNSENT' : waits ? 'WAITING' : 'PENDING';
  const data = waits ? sharing(fact.data, lastInQueue(world, fact.subject)?.data) : fact.data;
  deliveries.insert({ ...fact, data, state, attempts: [], ...(unsent === undefined ? {} : { unsentReason: unsent }) });
  if (state === 'PENDING') queue(world, fact.id, 0);
  if (state === 'UNSENT') forgetOld(world);
}

/** The newest event of a subject that is not delivered yet. */
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

/** Try a delivery after a while of virtual milliseconds, or as the policy says if that is later: held ones wait to be told. */
function queue(world: World, id: string, delayMs: number, tampering?: Tampering): void {
  const wait = Math.max(delayMs, policyDelay(world.policy('webhook.deliver')));
  // One job a webhook, whatever becomes of its tries: a receiver's answer must not move the ids that are drawn next.
  world.later('webhook.deliver', { webhookId: id, ...(tampering ? { tampering } : {}) }, wait, jobIdOf(id));
}

const jobIdOf = (id: string): string => id.replace(/^Webhook:/, 'Job:');

/** The job that tries a delivery next, if there is one. */
export const nextTryOf = (world: World, id: string): Job | undefined => world.scheduler.jobs.get(jobIdOf(id));

/** One try at a delivery now, with whatever a fault does to it. Sends; writes nothing. */
export async function attempt(world: World, fact: Fact, url: string, tampering?: Tampering): Promise<Attempt> {
  const at = world.clock.iso();
  const body = bodyOf(world.profile, fact);
  if (tampering?.status !== undefined) return { at, status: tampering.status, ms: 0, fault: saying(tampering) };
  if (tampering?.drop) return { at, error: 'a fault dropped it', ms: 0, fault: saying(tampering) };
  const seconds = world.limit(TIMEOUT_SECONDS);
  const signature = tampering?.wrongSignature ? signWrongly(body) : sign(world, body);
  const headers = { [world.profile.webhookSignatureHeader.toLowerCase()]: signature };
  const deadline = new Deadline(fact.type === ASKS ? Math.min(seconds * 1000, APPROVAL_MS) : seconds * 1000);
  const stop = hurryWith(world, deadline);
  const outcome = await send(url, tampering?.alteredBody ? altered(body) : body, headers, deadline);
  stop();
  const short = deadline.wasCutShort ? ({ ms: deadline.ms, cutShort: true } as const) : {};
  return { at, ...outcome, ...short, ...(tampering ? { fault: saying(tampering) } : {}) };
}

/** Whether a receiver's answer ends the retries: any 2xx, or 409 for one it knows already (spec 6 rule 3). */
const accepted = (attempt: Attempt): boolean =>
  attempt.status !== undefined && ((attempt.status >= 200 && attempt.status < 300) || attempt.status === 409);

/** Note a try; then done, given up, or tried again after an exponential pause (spec 6 rule 3). */
export function record(world: World, id: string, tried: Attempt): void {
  const deliveries = world.rows(DELIVERIES);
  const old = deliveries.get(id);
  if (!old) return;
  const attempts = [...old.attempts, tried];
  if (settled(old)) {
    deliveries.put({ ...old, attempts, state: accepted(tried) ? 'DELIVERED' : old.state });
    return;
  }
  const counted = attempts.filter((attempt) => !attempt.byHand && !attempt.duplicate).length;
  const pause = SENT_ONCE.has(old.type) ? undefined : pauseAfter(counted, world.profile.rules.longestWebhookPauseMs);
  const state = accepted(tried) ? 'DELIVERED' : pause === undefined ? 'ABANDONED' : 'PENDING';
  deliveries.put({ ...old, attempts, state });
  // The clock stood still for a try that was cut short: what it would have lasted counts before the pause.
  if (state === 'PENDING') queue(world, id, (pause as number) + (tried.cutShort ? tried.ms : 0));
  else release(world, old.subject);
}

/** The next event of a subject may go. */
function release(world: World, subject: string): void {
  const deliveries = world.rows(DELIVERIES);
  const next = deliveries.find('queue', subject);
  if (next?.state === 'WAITING') {
    deliveries.put({ ...next, state: 'PENDING' });
    queue(world, next.id, 0);
  }
  forgetOld(world);
}

/** Note a try that somebody asked for: accepted, it ends the retries; if not, they go on as they were planned. */
function recordByHand(world: World, id: string, tried: Attempt): void {
  const deliveries = world.rows(DELIVERIES);
  const old = deliveries.get(id);
  if (!old) return;
  const state = accepted(tried) ? 'DELIVERED' : old.state;
  deliveries.put({ ...old, attempts: [...old.attempts, { ...tried, byHand: true }], state });
  if (old.state === 'PENDING' && state === 'DELIVERED') release(world, old.subject);
}

/** The job: try, then record. One that was settled by hand meanwhile is not sent again. */
export async function deliver(world: World, job: Job): Promise<(() => void) | undefined> {
  const { webhookId: id, tampering: earlier } = job.payload as { webhookId: string; tampering?: Tampering };
  const delivery = world.rows(DELIVERIES).get(id);
  const { url, unsent } = webhookTarget(world);
  if (!delivery || settled(delivery)) return undefined;
  // Fell due while deliveries are held; one that somebody runs by hand has no due time.
  if (isPaused(world) && job.dueAt !== null) return () => queue(world, id, 0, earlier);
  if (unsent !== undefined) return () => keepBack(world, id, unsent);
  const tampering = earlier ?? world.tamper(delivery, delivery.attempts.length);
  if (!earlier && tampering && (tampering.delayMs || tampering.reorder)) return () => stepAside(world, id, tampering);
  const tried: Attempt = url
    ? await attempt(world, delivery, url, tampering)
    : { at: world.clock.iso(), error: 'no webhook endpoint is set any more', ms: 0 };
  const again = url && tampering?.duplicate ? await attempt(world, delivery, url, tampering) : undefined;
  return () => {
    record(world, id, tried);
    if (again) note(world, id, { ...again, duplicate: true });
    if (delivery.type === ASKS) noteDecision(world, id, answered(world, delivery.subject, tried));
    world.say({ what: 'delivery', id });
  };
}

/** The endpoint was moved beyond this machine while it was queued. */
function keepBack(world: World, id: string, unsentReason: string): void {
  const delivery = world.rows(DELIVERIES).get(id);
  if (!delivery || settled(delivery)) return;
  world.rows(DELIVERIES).put({ ...delivery, state: 'UNSENT', unsentReason });
  release(world, delivery.subject);
  world.say({ what: 'delivery', id });
}

/** A fault holds a delivery back for a while; with `reorder`, later events of its subject need not wait for it. */
function stepAside(world: World, id: string, tampering: Tampering): void {
  const delivery = world.rows(DELIVERIES).get(id);
  // Settled by hand between the fault and this.
  if (!delivery || settled(delivery)) return;
  if (tampering.reorder) {
    world.rows(DELIVERIES).put({ ...delivery, overtaken: true });
    release(world, delivery.subject);
  }
  queue(world, id, tampering.delayMs ?? REORDER_MS, tampering);
}

/** Keep what an answer decided where people look for it: at the delivery, and with the request that caused it. */
function noteDecision(world: World, id: string, decision: string | undefined): void {
  const delivery = world.rows(DELIVERIES).get(id);
  if (!delivery || decision === undefined) return;
  world.rows(DELIVERIES).put({ ...delivery, decision });
  world.magic(`${delivery.type} was answered: ${decision}`);
}

/** Add a try to the list that decides nothing. */
function note(world: World, id: string, tried: Attempt): void {
  const delivery = world.rows(DELIVERIES).get(id);
  if (delivery) world.rows(DELIVERIES).put({ ...delivery, attempts: [...delivery.attempts, tried] });
}

/** Send once more, now, whatever came of it before. 404 `REFERENCE_NOT_FOUND`, and what `endpointOf` says. */
export async function redeliver(world: World, id: string): Promise<Delivery> {
  const delivery = deliveryOf(world, id);
  const tried = await attempt(world, delivery, endpointOf(world));
  world.transact(() => {
    recordByHand(world, id, tried);
    world.say({ what: 'delivery', id });
  });
  return deliveryOf(world, id);
}

export const deliveryOf = (world: World, id: string): Delivery =>
  world.rows(DELIVERIES).get(id) ??
  fail('REFERENCE_NOT_FOUND', `no webhook ${id}; the last ${REMEMBERED} settled ones are remembered`);

/** Where webhooks go; 400 `WEBHOOK_ENDPOINT_NOT_SET`, 400 `WEBHOOK_DELIVERY_ERROR` for one that nothing is sent to. */
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
