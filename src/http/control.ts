import type { Context, Hono } from 'hono';
import { CONTROLS, type Control } from '../control/index.ts';
import type { Host } from '../host/host.ts';
import { fail } from '../kernel/errors.ts';
import { readIgnored, readText } from './body.ts';
import { asFailure, failureHeaders, failureText, refusalOf, replyHeaders, replyOf } from './failures.ts';
import type { Gate } from './gate.ts';
import { parseAs, parseJson } from './parse.ts';

/** Serve `/_emulator/...`, and the OpenAPI document also at the root. */
export function mountControl(app: Hono, host: Host, gate: Gate): void {
  for (const door of CONTROLS) {
    app.on(door.method, `/_emulator${door.path}`, (c) => serve(host, gate, door, c));
    if (door.path === '/openapi.json') app.get('/openapi.json', (c) => serve(host, gate, door, c));
  }
}

async function serve(host: Host, gate: Gate, door: Control, c: Context): Promise<Response> {
  const headers = replyHeaders(host.nextRequestId());
  try {
    gate.control(c);
    const text = await sentTo(door, c);
    const { sandbox: named, ...query } = c.req.query();
    const { origin } = new URL(c.req.url);
    const sandbox =
      named === undefined
        ? host.default
        : (host.find(named) ?? fail('REFERENCE_NOT_FOUND', `there is no sandbox ${named}`));
    const value = await door.run({
      host,
      sandbox,
      params: c.req.param() as Record<string, string>,
      query: door.query ? parseAs(door.query(), query) : query,
      body: door.body ? parseAs(door.body(), text === '' ? {} : parseJson(text, undefined)) : undefined,
      origin,
      openApi: async () =>
        (await import('./built-openapi.ts')).openApiText(host.profile, [`${origin}${host.basePath}`]),
    });
    if (door.method !== 'GET') sandbox.written = true;
    if (value instanceof Response) {
      // Only the head of it is wanted: a stream that nobody reads would never be left.
      if (c.req.method === 'HEAD') await value.body?.cancel();
      for (const name of ['x-sandbox-emulator', 'x-request-id']) value.headers.set(name, headers[name] as string);
      return value;
    }
    return replyOf(c, value === undefined ? 204 : 200, value === undefined ? '' : JSON.stringify(value), headers);
  } catch (error) {
    const failure = asFailure(error);
    if (failure !== error) host.broken(`${door.method} /_emulator${door.path}`, error);
    return refusalOf(c, failure.status, failureText(host.profile, failure), failureHeaders(failure, headers));
  }
}

/** The body of a call; one that nobody wants is ignored, whatever it is. */
async function sentTo(door: Control, c: Context): Promise<string> {
  if (door.method === 'GET') return '';
  return door.body ? readText(c, door.limit) : readIgnored(c);
}
