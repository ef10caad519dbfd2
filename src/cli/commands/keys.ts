import { webhookKey } from '../../areas/webhooks/index.ts';
import { Host } from '../../sandbox/host.ts';
import type { KeysFlags } from '../options.ts';

/** Prints the key with which a start with the same seed signs: it makes such a start, without a port. */
export async function keys({ seed, json }: KeysFlags): Promise<void> {
  const host = await Host.start({ seed });
  const { pem, jwk, der } = webhookKey(host.default.world);
  host.close();
  process.stdout.write(json ? `${JSON.stringify({ pem, jwk, der })}\n` : `${pem}\n${JSON.stringify(jwk, null, 2)}\n`);
}
