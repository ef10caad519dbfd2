import { createHash } from 'node:crypto';
import * as z from 'zod';
import { fail } from '../../../contract/errors.ts';
import { limit } from '../../../contract/limit.ts';
import { IdOf, Moment } from '../../../contract/shapes.ts';
import type { Infer } from '../../../declare/operation.ts';
import { drawnApart } from '../../../engine/apart.ts';
import { resource } from '../../../engine/resource.ts';
import { secret } from '../../../engine/secrets.ts';
import { lazyRow, type RowOf } from '../../../engine/table.ts';
import type { World } from '../../../engine/world.ts';
import {
  CUSTOMERS,
  type Customer,
  type CustomerUpdate,
  unverifiedChannels,
  updateCustomer,
} from '../../customers/index.ts';
import { type ReviewPath, reviewPathOf } from '../verifications/magic.ts';
import { askAgain, review } from '../verifications/rules.ts';
import { RedirectUri } from './schema.ts';

const KycLinkRow = lazyRow(() =>
  z.strictObject({
    id: IdOf('KycLink'),
    customerId: z.string(),
    /** The key in the URL, which is the only credential. */
    secret: secret(z.string().min(1)),
    redirectUri: RedirectUri().optional(),
    expiresAt: Moment(),
    usedAt: Moment().optional(),
    /** The number of times that the provider requested another picture. */
    asked: z.int().min(0),
    createdAt: Moment(),
  }),
);

/** A hosted link: good for one use, until it expires. Other links of the same customer do not affect it (spec 4.2). */
export type KycLink = RowOf<typeof KycLinkRow>;

export const KYC_LINKS = resource('kyc-links', {
  row: KycLinkRow,
  indexes: { secret: (l) => l.secret },
  refers: { customerId: 'customers' },
  titles: ['Hosted links', 'Hosted link', 'Links to the hosted identity check'],
  prefix: 'KycLink',
  story: (l) => [
    { at: l.createdAt, what: 'Hosted link handed out', about: l.id },
    ...(l.usedAt ? [{ at: l.usedAt, what: 'Hosted check filled in', tone: 'good' as const, about: l.id }] : []),
  ],
  chapterOf: ['customerId'],
  made: 'createCustomerKycLink',
  columns: { Customer: ['customerId', 'id'], Expires: ['expiresAt', 'time'], Used: ['usedAt', 'time'] },
});

/** The virtual hours for which a link can be used; `limits.kycLinkHours` changes it. */
export const LINK_HOURS = limit('kycLinkHours', 24, 'Virtual hours a hosted link can be used; 24', () =>
  z.number().min(0.01).max(8760),
);

/**
 * Creates a link (spec 4.2); the customer's status does not change. 409 CONFLICT while a contact channel is not
 * `VERIFIED`.
 */
export function createLink(world: World, customer: Customer, redirectUri: string | undefined): KycLink {
  const waiting = unverifiedChannels(customer);
  if (waiting.length > 0)
    fail('CONFLICT', `${waiting.join(' and ')} of ${customer.id} must be VERIFIED first`, {
      details: { unverified: waiting },
      passes: true,
      why: { rule: 'spec 3.2, 7 condition rule 2', seen: customer.contactVerification },
    });
  return world.rows(KYC_LINKS).insert({
    id: world.newId('KycLink'),
    customerId: customer.id,
    secret: freeSecret(world),
    redirectUri,
    expiresAt: new Date(world.clock.now() + world.lasting(LINK_HOURS, 3_600_000)).toISOString(),
    asked: 0,
    createdAt: world.clock.iso(),
  });
}

const isIssuedHere = (world: World, secret: string): boolean =>
  world.holds(KYC_LINKS) && world.rows(KYC_LINKS).find('secret', secret) !== undefined;

/** Returns the secret of a new link; it depends on the world's id, so that sandboxes of one seed issue different URLs. */
function freeSecret(world: World): string {
  const draw = (): string => digest(`${world.id} ${world.ids.hex(16)}`).slice(0, 32);
  return drawnApart(world, draw, isIssuedHere);
}

/**
 * Gives a new secret to every link that another world has, too, because a link leads to one place. Returns the
 * replacements for stored replies, from old secret to new.
 */
export function renewLinks(world: World, others: readonly World[]): ReadonlyMap<string, string> {
  const words = new Map<string, string>();
  const lists = others.map((other) => other.rows(KYC_LINKS)).filter(({ size }) => size > 0);
  if (lists.length === 0) return words;
  const links = world.rows(KYC_LINKS);
  for (const link of [...links.rows()]) {
    if (!lists.some((list) => list.find('secret', link.secret))) continue;
    const secret = digest(`${world.id} ${link.secret}`).slice(0, 32);
    links.put({ ...link, secret });
    words.set(link.secret, secret).set(digest(link.secret), digest(secret));
  }
  return words;
}

const digest = (text: string): string => createHash('sha256').update(text).digest('base64url');
const encoded = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Returns a link as the API shows it; `origin` is this emulator's own. */
export function showLink({ secret, redirectUri, customerId, expiresAt }: KycLink, origin: string) {
  const url = new URL(`${origin}/kyc/${secret}`);
  if (redirectUri !== undefined) url.searchParams.set('redirectUri', redirectUri);
  const token = [
    encoded({ alg: 'none', typ: 'JWT' }),
    encoded({ sub: customerId, exp: Math.floor(Date.parse(expiresAt) / 1000) }),
    digest(secret),
  ].join('.');
  return { kycUrl: url.href, expiresAt, provider: 'KYC_PROVIDER_1' as const, token: `_act-sbx-jwt-${token}` };
}

/** The state of a link. An `unverified` one can be used again once the contact is verified (spec 3.2). */
export type LinkState = 'open' | 'used' | 'expired' | 'gone' | 'unverified';

export function linkState(world: World, link: KycLink): LinkState {
  if (link.usedAt !== undefined) return 'used';
  if (world.clock.now() >= Date.parse(link.expiresAt)) return 'expired';
  const customer = world.rows(CUSTOMERS).get(link.customerId);
  if (!customer || customer.isDeleted) return 'gone';
  return unverifiedChannels(customer).length > 0 ? 'unverified' : 'open';
}

/** The outcomes of the review that the person at the page, who also plays the provider, can choose. */
export const CHOICES = ['approve', 'again', 'reject', 'pending'] as const;
export type Choice = (typeof CHOICES)[number];

/** Returns the choice that the sandbox would make for this customer, for the page to suggest. */
export function suggestedChoice(world: World, customer: Customer): Choice {
  const { path } = reviewPathOf(customer, world.profile.rules.verificationEnds);
  if ('decision' in path) return path.decision;
  return path.kind === 'poor quality' ? 'again' : 'pending';
}

const COURSES: Readonly<Record<Exclude<Choice, 'again'>, ReviewPath>> = {
  approve: { kind: 'decide', decision: 'approve' },
  reject: { kind: 'decide', decision: 'reject' },
  pending: { kind: 'manual' },
};

/**
 * Completes the hosted flow: stores the entries and begins the same review as `POST /verifications`, with the same
 * states and events (spec 3.1, 6 rule 1). If another picture is required, the link stays valid. 409 CONFLICT if the
 * link is used or expired, its customer was deleted, or a contact must be verified first.
 */
export function completeLink(
  world: World,
  link: KycLink,
  change: Infer<typeof CustomerUpdate>,
  choice: Choice,
): KycLink {
  const state = linkState(world, link);
  if (state !== 'open') fail('CONFLICT', `this link is ${state}`, { why: { rule: 'spec 2.2: single use' } });
  const customer = updateCustomer(world, link.customerId, change);
  world.magic(`hosted page: ${choice}`);
  if (choice === 'again') {
    askAgain(world, customer);
    return world.rows(KYC_LINKS).put({ ...link, asked: link.asked + 1 });
  }
  review(world, customer, COURSES[choice]);
  return world.rows(KYC_LINKS).put({ ...link, usedAt: world.clock.iso() });
}
