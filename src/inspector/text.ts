import { DELIVERIES } from '../areas/webhooks/index.ts';
import { CURRENCIES } from '../kernel/money.ts';
import { find } from './kinds.ts';
import type { Visit } from './visit.ts';

/** What looks like an id of ours anywhere in a text. */
export const ID = /\b[A-Z][A-Za-z]{1,40}:[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g;

/** Characters that would not be seen, or would turn the rest of a line around, made visible. */
export const plain = (text: string): string =>
  text.replaceAll(
    /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g,
    (c) => {
      const code = c.charCodeAt(0);
      return code < 0x20 ? String.fromCharCode(0x2400 + code) : `\\u${code.toString(16).padStart(4, '0')}`;
    },
  );

/** `Customer:019b8d0e-…-0c1f` as `Customer …8d0c1f`. */
export function shortId(id: string): string {
  const colon = id.indexOf(':');
  if (colon < 0 || id.length - colon < 20) return plain(id);
  return `${id.slice(0, colon)} …${id.slice(-6)}`;
}

/** Where an id leads, if what it names exists. */
export function href(visit: Visit, id: string): string | undefined {
  const found = find(visit, id);
  if (found) return visit.to(`/inspector/state/${encodeURIComponent(found.kind.table)}/${encodeURIComponent(id)}`);
  if (id.startsWith('Webhook:') && visit.world.rows(DELIVERIES).get(id))
    return visit.to(`/inspector/webhooks/${encodeURIComponent(id)}`);
  if (id.startsWith('Job:') && visit.world.scheduler.jobs.get(id)) return visit.to('/inspector/jobs', { id });
  if (/^req_\d+$/.test(id) && visit.sandbox.journal.get(id)) return visit.to(`/inspector/requests/${id}`);
  return undefined;
}

/** Members of what the API never shows that are nobody's business either. */
const SECRET = /secret|private|^code$|^otp|^identifier$|seed$|bundle|^key$|hash$/i;

/** A row that no operation shows, its secrets masked. */
export function masked(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(masked);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      SECRET.test(name) && member !== undefined && member !== null && typeof member !== 'object'
        ? '•••'
        : masked(member),
    ]),
  );
}

/** The value of a JSON text, or undefined: what is remembered may have been cut short, or was never JSON. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Minor units of a currency as people write them: `1250 USD` is 12.50 USD. */
export function moneyText(text: string): string {
  const [units, code] = text.split(' ') as [string, string];
  const decimals = CURRENCIES.get(code)?.decimals ?? 0;
  const amount = Number(units) / 10 ** decimals;
  return `${amount.toLocaleString('en-US', { minimumFractionDigits: Math.min(decimals, 2), maximumFractionDigits: decimals })} ${code}`;
}
