import { WalletClient } from '../../../src/testkit/index.ts';
import type { Kit } from '../../kit/sandbox.ts';

/** Lets a card spend from a wallet, as the wallet's owner does: three calls, two of them signed. */
export type Delegate = (cardId: string) => Promise<unknown>;

/** The owner of a wallet, who logs in by email whenever the last session has ended. Rejects with `WalletError` where refused. */
export function delegateOf({ host, sandbox, call }: Kit, accountId: string): Delegate {
  const [login] = sandbox.credentials;
  const prefix = `http://test${host.basePath}`;
  const wallet = new WalletClient({
    baseUrl: prefix,
    authorization: `Basic ${btoa(`${login?.tokenId}:${login?.secret}`)}`,
    accountId,
    seed: 'a wallet that pays for cards',
    now: () => sandbox.world.clock.now(),
    fetch: async (url, { method, headers, body }) => {
      const raw = body === undefined ? {} : { raw: body };
      const { status, text } = await call(method, url.slice(prefix.length), undefined, { headers, ...raw });
      return { status, text: async () => text };
    },
  });
  return async (cardId) => {
    const { session } = wallet;
    if (!session || Date.parse(session.expiresAt) <= sandbox.world.clock.now()) await wallet.loginWithOtp();
    return wallet.delegateKey(cardId);
  };
}
