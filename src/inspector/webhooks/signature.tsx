import { createSign, createVerify } from 'node:crypto';
import { webhookKey } from '../../areas/webhooks/index.ts';
import { shellQuote } from '../../calls/code/curl.ts';
import { commands } from '../../sandbox/commands/index.ts';
import { Command, Hint } from '../frame/act.tsx';
import type { PageContext } from '../frame/page-context.ts';
import { Badge, Facts, Panel } from '../frame/parts.tsx';
import { escapeControlChars } from '../frame/text.ts';

interface Signed {
  readonly header: string;
  readonly verifies: boolean;
  readonly pem: string;
}

/** Returns the exact bytes, signed, and verified as a receiver would. */
export function signed({ world }: PageContext, body: string): Signed {
  const { privateKey, pem } = webhookKey(world);
  const s = createSign('SHA256').update(body).sign(privateKey, 'base64');
  return {
    header: JSON.stringify({ v: '1', s }),
    verifies: createVerify('SHA256').update(body).verify(pem, s, 'base64'),
    pem: pem.trim(),
  };
}

/** Returns a line for a terminal that sends the same event, with a valid signature, to a receiver. */
export function replay({ world }: PageContext, body: string, header: string, endpoint: string | null): string {
  return (
    `curl -s -X POST ${shellQuote(endpoint ?? 'http://127.0.0.1:3000/hooks')} \\\n  -H 'content-type: application/json' \\\n` +
    `  -H ${shellQuote(`${world.profile.webhookSignatureHeader}: ${header}`)} \\\n  --data-raw ${shellQuote(body)}`
  );
}

/** The result of the signature check, and everything needed to repeat it. */
export const SignatureCard = ({ visit, of: { header, verifies, pem } }: { visit: PageContext; of: Signed }) => (
  <Panel id="signature" title="Signature">
    <p>
      <Badge of={verifies ? 'verifies' : 'does not verify'} tone={verifies ? 'good' : 'bad'} /> against the key of this
      sandbox
    </p>
    <Facts
      rows={[
        ['Header', <code>{visit.world.profile.webhookSignatureHeader}</code>],
        ['Value', <code class="small">{escapeControlChars(header)}</code>],
      ]}
    />
    <details>
      <summary>Public key</summary>
      <Command text={pem} label="Copy the public key" />
      <Hint call={visit.call(commands.webhooks.key)} />
    </details>
  </Panel>
);
