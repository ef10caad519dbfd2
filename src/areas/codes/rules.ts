import * as z from 'zod';
import { IdOf, Moment } from '../../contract/shapes.ts';
import { secret } from '../../engine/secrets.ts';
import { lazyRow, type RowOf, table } from '../../engine/table.ts';
import type { World } from '../../engine/world.ts';

const CodeRow = lazyRow(() =>
  z.strictObject({
    id: IdOf('Code'),
    channel: z.enum(['email', 'phone', 'agent']),
    /** The email address or phone number, or the name of the agent whose code it is. */
    to: z.string(),
    code: secret(z.string()),
    /** Its purpose, in a few words. */
    purpose: z.string(),
    /** The id of the resource that it is about. */
    subject: z.string(),
    sentAt: Moment(),
  }),
);

/** A one-time code that would have been sent; nothing leaves the machine, `GET /_emulator/codes` shows it. */
export type SentCode = RowOf<typeof CodeRow>;

export const CODES = table('codes', { row: CodeRow, many: 'Sent codes', indexes: { subject: (c) => c.subject } });

/** The most codes that are remembered; older ones are dropped. */
const REMEMBERED = 1000;

/** Records a code as sent. A repeated code is another row: people look for the newest. */
export function sendCode(world: World, code: Omit<SentCode, 'id' | 'sentAt'>): SentCode {
  const codes = world.rows(CODES);
  const sent = codes.insert({ id: world.newId('Code'), ...code, sentAt: world.clock.iso() });
  if (codes.size > REMEMBERED) codes.remove((codes.first() as SentCode).id);
  return sent;
}
