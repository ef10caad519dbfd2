import { openHost } from '../emulator.ts';
import { emulatorSide, type Side } from './sides.ts';
import { mediaType, type Send } from './transport.ts';

/** Starts a fresh emulator in this process, without a server, as a side. */
export async function ownSide(profile: 'spec' | 'grid', scenario: string | object): Promise<Side> {
  const host = await openHost({ profile, scenario });
  const send: Send = async ({ method, url, headers, body }) => {
    const init = { method, headers, ...(body === undefined ? {} : { body: body as string }) };
    const answer = await host.fetch(new Request(url, init));
    return { status: answer.status, type: mediaType(answer.headers.get('content-type')), text: await answer.text() };
  };
  const origin = 'http://127.0.0.1:4010';
  return emulatorSide({ name: 'here', profile, origin, send, close: () => host.close() });
}
