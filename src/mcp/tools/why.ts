import * as z from 'zod';
import { jsonOrText } from '../../contract/json.ts';
import { commands } from '../../sandbox/commands/index.ts';
import { ignoredText } from '../../sandbox/ignored.ts';
import { undoneText } from '../../sandbox/undone.ts';
import type { Client } from '../client.ts';
import { fitted, partOf } from '../fit.ts';
import { texts, things, tool } from '../tool.ts';

/** The most requests that are searched for the last refusal. */
const LOOKED_AT = 1000;

/**
 * Returns the newest request that was refused, got no reply, or was hit by a fault. Throws a sentence if there is none.
 */
async function lastRefusal(client: Client): Promise<string> {
  const { data } = await client.ask(commands.requests.list, { limit: LOOKED_AT });
  const refused = data.find(({ status, fault }) => status === 0 || status >= 400 || fault !== undefined);
  if (refused) return refused.id;
  const [newest] = data;
  throw new Error(
    newest
      ? `none of the last ${data.length} requests was refused; request: "${newest.id}" explains the newest`
      : 'this sandbox has received no request yet',
  );
}

export const why = tool(
  'why',
  {
    title: 'Explain a request',
    answers: () => ({
      ...texts('id', 'call', 'operation'),
      status: z.int(),
      ...things('why', 'sent', 'reply', 'caused'),
    }),
    about:
      'Why a request ended as it did: the rule and its section, expected and actual values, every invalid field, magic values and faults that applied, webhooks and jobs that it caused. Without request: the latest refusal. Every reply has its id in the header x-request-id.',
    reads: true,
  },
  () => ({
    request: z.string().max(100).optional().describe('Its x-request-id, such as req_12; default: the latest refusal'),
    path: z.string().max(200).optional().describe('Only this part, in full, such as reply or sent.body'),
  }),
  async (client, { request, path }) => {
    const logged = await client.ask(commands.requests.read, { id: request ?? (await lastRefusal(client)) });
    const {
      id,
      at,
      method,
      path: called,
      operation,
      status,
      code,
      why: reason,
      magic,
      fault,
      ignored,
      caused,
    } = logged;
    const undone = undoneText(logged);
    const whole = {
      ...{ id, at, call: `${method} ${called}`, operation, status, code },
      ...(undone === undefined ? {} : { undone }),
      why: reason,
      ...(magic.length > 0 ? { magic } : {}),
      ...(fault ? { fault } : {}),
      ...(ignored.length > 0 ? { ignored: ignored.map(ignoredText) } : {}),
      sent: { headers: logged.request.headers, body: jsonOrText(logged.request.body) },
      reply: jsonOrText(logged.reply.body),
      caused,
    };
    const part = path === undefined ? whole : partOf(whole, path);
    if (part === undefined) throw new Error(`${id} has no ${path}; it has ${Object.keys(whole).join(', ')}`);
    const { value, short } = fitted(part);
    const hint = undone === undefined ? nextOf(logged) : `it was ${undone}: only the log remembers it`;
    return {
      ...(path === undefined ? (value as object) : { [path]: value }),
      next: short ? `${hint}; path shows a part in full` : hint,
    };
  },
);

interface Outcome {
  readonly operation: string | undefined;
  readonly code?: string | undefined;
  readonly fault?: string | undefined;
  readonly magic: readonly string[];
  readonly why: { readonly outcome: string; readonly fields?: unknown; readonly repeats?: string | undefined };
  readonly caused: { readonly webhooks: readonly { readonly id: string; readonly type?: string }[] };
}

/** The way on after a refusal whose cause lies outside of the call, by its code. */
const WAYS_ON: ReadonlyMap<string, string> = new Map(
  Object.entries({
    INVALID_CURRENCY:
      'getPlatformConfig lists the currencies, updatePlatformConfig {supportedCurrencies} adds one (send all of them); the scenario payouts has eight',
    INSUFFICIENT_BALANCE: 'sandboxFundInternalAccount {accountId, amount} funds the account; then call again',
    WEBHOOK_ENDPOINT_NOT_SET:
      'a receiver has to answer 200: run sandbox-emulator listen, then webhooks {act: "set_endpoint", url}. Without one, createTransferIn or sandboxFundInternalAccount lets money arrive',
    WEBHOOK_DELIVERY_ERROR:
      'a receiver has to answer 200: run sandbox-emulator listen, then webhooks {act: "set_endpoint", url}; webhooks {act: "list"} shows what it answered',
  }),
);

/** Events with which a payment or a customer ends badly. */
const BAD_END = /\.(?:FAILED|RETURNED|REJECTED|KYC_REJECTED|KYB_REJECTED|REFUND_\w+|EXPIRED)$/;

function nextOf({ operation, code, fault, magic, why: { outcome, fields, repeats }, caused }: Outcome): string {
  if (repeats !== undefined)
    return `nothing was done: this Idempotency-Key got the same reply before, in ${repeats}; a new key makes a new call`;
  if (fault) return 'a fault did this on purpose: faults {act: "list"} shows it, faults {act: "clear"} ends it';
  if (outcome === 'done') {
    const bad = caused.webhooks.find(({ type }) => type !== undefined && BAD_END.test(type));
    if (bad === undefined) return 'it was done; webhooks {act: "read", id} shows what it sent';
    const reason = magic.length > 0 ? '; a magic value chose that: see magic' : '';
    return `it was done, and later ended in ${bad.type}: webhooks {act: "read", id: "${bad.id}"} says why${reason}`;
  }
  if (outcome === 'waits for a signature or an approval')
    return 'it waits: sign or confirm as its reply says; sent_codes has the codes';
  if (magic.length > 0) return 'a magic value did this on purpose: read_docs {page: "magic-values"} lists them';
  const onward = WAYS_ON.get(code ?? '');
  if (onward !== undefined) return onward;
  if (fields) return `fix these fields and call again; describe_operation {id: "${operation}"} shows a valid example`;
  return 'fix what differs between expected and seen, and call again; read_state {id} shows the resource as it is';
}
