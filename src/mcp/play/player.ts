import { PROFILES } from '../../contract/profile.ts';
import { commands } from '../../sandbox/commands/index.ts';
import type { Fetch } from '../../testkit/index.ts';
import type { Client } from '../client.ts';
import type { Held } from '../people.ts';
import type { ToolAnswer } from '../tool.ts';

/** The request of an agent to a person who is played. */
export interface PlayInput {
  readonly act: string;
  readonly of?: string | undefined;
  readonly with?: string | undefined;
  readonly code?: string | undefined;
  readonly quote?: string | undefined;
  readonly payment?: string | undefined;
  readonly amount?: number | undefined;
  readonly merchant?: string | undefined;
  readonly call?: { readonly id: string } | undefined;
}

/** An act of a person who is played. */
export type Act = (player: Player, input: PlayInput) => Promise<ToolAnswer>;

/** The other side of the API in one sandbox: what people hold, and how their clients reach the service. */
export interface Player {
  readonly client: Client;
  readonly held: Held;
  readonly target: { baseUrl: string; authorization: string; signatureHeader: string; fetch: Fetch };
  /** Calls the API as the platform does, to look things up for an act. */
  // biome-ignore lint/suspicious/noExplicitAny: its shape depends on the operation
  call(method: string, path: string, body?: unknown): Promise<any>;
}

/** Returns the player for the sandbox of a client; the clients of the test kit send through that client. */
export async function playerOf(client: Client): Promise<Player> {
  const [{ id, baseUrl, credentials, clock }, { profile }, { WalletClient }] = await Promise.all([
    client.ask(commands.sandboxes.present, {}),
    client.ask(commands.emulator.health, {}),
    import('../../testkit/index.ts'),
  ]);
  const held = client.people.of(id);
  held.line.call = (url, init) => client.call(url, init);
  held.line.now = clock.now;
  const [login] = credentials;
  const fetch: Fetch = async (url, init) => {
    const { status, text } = await held.line.call(url, init);
    return { status, text: () => Promise.resolve(text) };
  };
  const basic = Buffer.from(`${login?.id}:${login?.secret ?? 'any'}`).toString('base64');
  const target = {
    baseUrl,
    authorization: `Basic ${basic}`,
    signatureHeader: PROFILES[profile].walletSignatureHeader,
    fetch,
  };
  const platform = new WalletClient({ ...target, accountId: '' });
  const call: Player['call'] = async (method, path, body) => (await platform.call(method, path, body)).body;
  return { client, held, target, call };
}

/** Returns the only element of a list, or the named one. Throws a sentence that names all if there are several. */
export function theOne<T extends { readonly id: string }>(
  all: readonly T[],
  id: string | undefined,
  what: string,
  labelOf: (one: T) => string,
): T {
  const found = id === undefined ? all : all.filter((one) => labelOf(one).split(' ').includes(id));
  const [one] = found;
  if (one && found.length === 1) return one;
  const names = all.slice(0, 10).map(labelOf).join('; ');
  if (all.length === 0) throw new Error(`there is no ${what}`);
  if (id === undefined) throw new Error(`there are several ${what}s: of names one, such as ${names}`);
  throw new Error(`no ${what} is called ${id}; there are ${names}`);
}
