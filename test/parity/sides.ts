import { onTestFinished } from 'vitest';
import { openHost } from '../../src/emulator.ts';
import { emulatorSide, type Side } from '../../src/parity/sides.ts';
import type { Answer, Send, Sent } from '../../src/parity/transport.ts';

const ORIGIN = 'http://127.0.0.1:4010';

/** Stands between the comparison and an emulator, and may change what goes either way. */
export type Tamper = (sent: Sent, pass: Send) => Promise<Answer>;

/** An emulator in this process as the other side, with somebody in between who changes what it says. */
export async function tampered(
  tamper: Tamper = (sent, pass) => pass(sent),
  profile: 'spec' | 'grid' = 'spec',
): Promise<Side> {
  const host = await openHost({ profile });
  onTestFinished(() => host.close());
  const pass: Send = async ({ method, url, headers, body }) => {
    const init = { method, headers, ...(body === undefined ? {} : { body: body as string }) };
    const answer = await host.fetch(new Request(url, init));
    const type = answer.headers.get('content-type')?.split(';')[0] ?? null;
    return { status: answer.status, type, text: await answer.text() };
  };
  const send: Send = (sent) => (sent.url.includes('/_emulator/') ? pass(sent) : tamper(sent, pass));
  return emulatorSide({ name: 'there', profile, origin: ORIGIN, send, close: () => {} });
}
