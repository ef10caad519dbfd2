import type { Call } from '../calls/index.ts';
import type { Side } from './sides.ts';
import type { Send } from './transport.ts';
import { Trouble } from './trouble.ts';

/** Milliseconds for all that is asked to find out who answers there: whoever named a wrong address hears of it at once. */
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

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** Whether an emulator of ours answers there: it is asked for its health, and for nothing else. */
export async function isEmulator(against: URL, send: Send): Promise<boolean> {
  const { status, text } = await send({ method: 'GET', url: `${against.origin}/_emulator/health`, headers: {} });
  return status === 200 && typeof (parsed(text) as { sandboxes?: unknown } | null | undefined)?.sandboxes === 'number';
}

/** What every service answers, and what changes nothing there. */
const QUESTION: Call = {
  name: 'first',
  operation: 'listCustomers',
  params: {},
  query: { limit: '1' },
  headers: {},
  as: 'platform',
};

/** What is wrong with an answer to the question, where it is neither a page of a list nor a refusal of the contract. */
function wrongOf(status: number, text: string): string | undefined {
  if (text === '') return 'without a body';
  const body = parsed(text);
  if (body === undefined) return 'with what is no JSON';
  const { data, hasMore, code, message } = (body ?? {}) as Record<string, unknown>;
  const isPage = status === 200 && Array.isArray(data) && typeof hasMore === 'boolean';
  const isRefusal = status >= 400 && typeof code === 'string' && typeof message === 'string';
  return isPage || isRefusal ? undefined : 'with JSON that the contract does not know';
}

/** Asks a side one question before anything is written there. Rejects with a sentence when the answer is none of the contract. */
export async function mustBeService(side: Side, address: string): Promise<void> {
  const { status, text } = await (await side.begin(1, 'default')).call(QUESTION);
  const wrong = wrongOf(status, text);
  if (wrong !== undefined)
    throw new Trouble(`what answers at ${address} is not the service: GET /customers is answered ${status} ${wrong}`);
}
