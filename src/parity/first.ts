import type { Call } from '../calls/index.ts';
import { jsonIn } from '../contract/json.ts';
import type { Side } from './sides.ts';
import type { Send } from './transport.ts';
import { Trouble } from './trouble.ts';

/** Milliseconds for all calls that find out which service is there, so that a wrong address is reported at once. */
const FIRST_MS = 3000;

/** Sends like `send`, but all of its calls together have three seconds from now. */
export function firstAsked(send: Send): Send {
  const until = performance.now() + FIRST_MS;
  return (sent) =>
    send(sent, until - performance.now()).catch((error: unknown) => {
      throw performance.now() < until
        ? error
        : new Trouble(`${new URL(sent.url).host} does not answer within ${FIRST_MS / 1000} s`);
    });
}

/** Returns whether a `sandbox-emulator` is there: it gets one request for its health, and no other. */
export async function isEmulator(against: URL, send: Send): Promise<boolean> {
  const { status, text } = await send({ method: 'GET', url: `${against.origin}/_emulator/health`, headers: {} });
  return status === 200 && typeof (jsonIn(text) as { sandboxes?: unknown } | null | undefined)?.sandboxes === 'number';
}

/** A call that every service supports and that changes nothing. */
const QUESTION: Call = {
  name: 'first',
  operation: 'listCustomers',
  params: {},
  query: { limit: '1' },
  headers: {},
  as: 'platform',
};

const ASKED = 'GET /customers is answered';

/** Returns the fault in a reply to that call, if it is not a page of a list. */
function wrongOf(address: string, status: number, text: string): string | undefined {
  const another = (how: string) => `what answers at ${address} is not the service: ${ASKED} ${status} ${how}`;
  if (text === '') return another('without a body');
  const body = jsonIn(text);
  if (body === undefined) return another('with what is not JSON');
  const { data, hasMore, code, message } = (body ?? {}) as Record<string, unknown>;
  if (status === 200 && Array.isArray(data) && typeof hasMore === 'boolean') return undefined;
  if (status < 400 || typeof code !== 'string' || typeof message !== 'string')
    return another('with JSON that the contract does not know');
  const advice = status === 401 || status === 403 ? '; check --credentials' : '';
  return `${address} refuses the first call, so there is nothing to compare: ${ASKED} ${status} ${code}, ${message}${advice}`;
}

/**
 * Sends one read to a side before anything is written there. Rejects with a sentence if the reply does not follow the
 * contract, or is a refusal: every later call would be refused, too.
 */
export async function mustBeService(side: Side, address: string): Promise<void> {
  const { status, text } = await (await side.begin(1, 'default')).call(QUESTION);
  const wrong = wrongOf(address, status, text);
  if (wrong !== undefined) throw new Trouble(wrong);
}
