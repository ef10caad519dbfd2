import { OPERATIONS } from '../areas.ts';
import { type Call, type Json, SIGNATURE } from '../calls/index.ts';
import { jsonIn } from '../contract/json.ts';
import { PROFILES, type Profile, render } from '../contract/profile.ts';
import type { Answer, Send, Sent } from './transport.ts';
import { Trouble } from './trouble.ts';

/** One account of one side, for one walk. */
export interface Session {
  /** The id of the login, which either side may show. */
  readonly id: string;
  /** Sends a call with its references resolved. */
  call(call: Call): Promise<Answer>;
  /** Lets time pass, so that everything due happens. */
  pass(duration: string): Promise<void>;
  end(): Promise<void>;
}

/** One of the two sides of a comparison. */
export interface Side {
  readonly name: string;
  /** True if each walk has an account of its own there. */
  readonly isolated: boolean;
  /** True if jobs run by themselves there, in real time. */
  readonly live: boolean;
  begin(walk: number, scenario: string | object): Promise<Session>;
  close(): Promise<void>;
}

export interface Login {
  readonly id: string;
  readonly secret: string;
}

const OPERATION = new Map(OPERATIONS.map((op) => [op.id, op]));
/** Returns the method and path of an operation. */
export function endpointOf(operation: string): { method: string; path: string } {
  const op = OPERATION.get(operation);
  if (!op) throw new Error(`there is no operation ${operation}`);
  return { method: op.method, path: op.path };
}

const inUrl = (text: string): string => encodeURIComponent(text);

/** Returns the path of a call with its query, below the base path. */
export function pathOf({ operation, params, query }: Pick<Call, 'operation' | 'params' | 'query'>): string {
  const path = endpointOf(operation).path.replace(/\{(\w+)\}/g, (_, name) => inUrl(params[name] ?? ''));
  const sent = Object.entries(query).map(([name, value]) => `${inUrl(name)}=${inUrl(value)}`);
  return sent.length === 0 ? path : `${path}?${sent.join('&')}`;
}

/** Returns a query with its names in the words of a profile. */
const renamed = (profile: Profile, query: Call['query']): Call['query'] =>
  Object.fromEntries(
    Object.entries(query).map(([name, value]) => [
      profile.members[name] ?? name,
      profile.values[name]?.[value] ?? value,
    ]),
  );

const basic = ({ id, secret }: Login): string => `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`;

function authorization(as: string, login: Login): Record<string, string> {
  if (as === 'none') return {};
  if (as === 'platform') return { authorization: basic(login) };
  if (as === 'wrong') return { authorization: basic({ ...login, secret: 'not the secret' }) };
  return { authorization: `Bearer ${as}` };
}

const BOUNDARY = 'parity-7f3a9c1e';
function formText({ form }: Call): string {
  const part = (name: string, more: string, content: string) =>
    `--${BOUNDARY}\r\ncontent-disposition: form-data; name="${name}"${more}\r\n\r\n${content}\r\n`;
  const fields = Object.entries(form?.fields ?? {}).map(([name, value]) => part(name, '', value));
  const file = form?.file;
  const upload = file && part('file', `; filename="${file.name}"\r\ncontent-type: ${file.type}`, file.content);
  return `${fields.join('')}${upload ?? ''}--${BOUNDARY}--\r\n`;
}

/** Returns a call as one side accepts it: in the names of its profile, at its address, with its credentials. */
export function requestOf(call: Call, profile: Profile, baseUrl: string, login: Login): Sent {
  const { method } = endpointOf(call.operation);
  const headers: Record<string, string> = { ...authorization(call.as, login) };
  for (const [name, value] of Object.entries(call.headers))
    headers[(name === SIGNATURE ? profile.walletSignatureHeader : name).toLowerCase()] = value;
  const url = baseUrl + pathOf({ ...call, query: renamed(profile, call.query) });
  if (call.form) {
    headers['content-type'] = `multipart/form-data; boundary=${BOUNDARY}`;
    return { method, url, headers, body: formText(call) };
  }
  if (call.body === undefined) return { method, url, headers };
  headers['content-type'] = 'application/json';
  return { method, url, headers, body: render(profile, call.body as Json) };
}

const profileOf = (name: 'spec' | 'grid'): Profile => PROFILES[name];

interface EmulatorOptions {
  readonly name: string;
  readonly profile: 'spec' | 'grid';
  /** Its origin, without any path. */
  readonly origin: string;
  /** The token that its control API asks for, if any. */
  readonly controlToken?: string | undefined;
  readonly send: Send;
  readonly close: () => Promise<void> | void;
}

/** A webhook endpoint, which some operations require; nothing is ever sent there. */
const NOWHERE = 'http://127.0.0.1:9/parity';

/** A new sandbox as the control API returns it. */
interface Made {
  readonly id: string;
  readonly credentials: Login;
  readonly baseUrl: string;
}

function isMade(answer: unknown): answer is Made {
  const { id, baseUrl, credentials } = (answer ?? {}) as Partial<Made>;
  return [id, baseUrl, credentials?.id, credentials?.secret].every((text) => typeof text === 'string');
}

/**
 * Returns an emulator as a side, in this process or in another: each walk has a sandbox of its own, whose clock moves
 * only by a call.
 */
export function emulatorSide({ name, profile, origin, controlToken, send, close }: EmulatorOptions): Side {
  const control = async (method: string, path: string, body?: object): Promise<unknown> => {
    const headers = {
      ...(body ? { 'content-type': 'application/json' } : {}),
      ...(controlToken === undefined ? {} : { 'x-control-token': controlToken }),
    };
    const text = body ? { body: JSON.stringify(body) } : {};
    const answer = await send({ method, url: `${origin}/_emulator${path}`, headers, ...text });
    if (answer.status >= 300)
      throw new Trouble(`${name}: ${method} /_emulator${path} answers ${answer.status} ${answer.text.slice(0, 300)}`);
    if (answer.text === '') return undefined;
    const said = jsonIn(answer.text);
    if (said === undefined)
      throw new Trouble(`${name}: ${method} /_emulator${path} answers ${answer.status} with what is not JSON`);
    return said;
  };
  const begin = async (_: number, scenario: string | object): Promise<Session> => {
    const made = await control('POST', '/sandboxes', { scenario, webhookUrl: NOWHERE });
    if (!isMade(made)) throw new Trouble(`${name}: POST /_emulator/sandboxes answers with what is not a sandbox`);
    const named = `?sandbox=${encodeURIComponent(made.id)}`;
    const move = (more: object) => control('POST', `/clock${named}`, more);
    await move({ mode: 'held' });
    await control('POST', `/webhooks/pause${named}`);
    return {
      id: made.credentials.id,
      call: async (call) => {
        const request = requestOf(call, profileOf(profile), made.baseUrl, made.credentials);
        const answer = await send(request);
        // Work that a call causes at once is done before the next call.
        if (request.method !== 'GET' && answer.status < 300) await move({ advance: '0s' });
        return answer;
      },
      pass: async (advance) => void (await move({ advance })),
      end: async () => void (await control('DELETE', `/sandboxes/${encodeURIComponent(made.id)}`)),
    };
  };
  return { name, isolated: true, live: false, begin, close: async () => void (await close()) };
}

interface ServiceOptions {
  readonly name: string;
  readonly profile: 'spec' | 'grid';
  readonly baseUrl: string;
  /** `{n}` in the id is the number of the walk: a token of its own, if the other side accepts any. */
  readonly login: Login;
  readonly send: Send;
  readonly close: () => void;
}

/**
 * Returns a service with one account as a side, in which others may work, too. Only its API is called, and real time
 * passes there.
 */
export function serviceSide({ name, profile, baseUrl, login, send, close }: ServiceOptions): Side {
  const isolated = login.id.includes('{n}');
  const begin = async (walk: number): Promise<Session> => {
    const own = { ...login, id: login.id.replaceAll('{n}', String(walk)) };
    return {
      id: own.id,
      call: (call) => {
        // If any token is accepted, no secret of it is wrong.
        const as = isolated && call.as === 'wrong' ? 'none' : call.as;
        return send(requestOf({ ...call, as }, profileOf(profile), baseUrl, own));
      },
      pass: async () => {},
      end: async () => {},
    };
  };
  return { name, isolated, live: true, begin, close: async () => close() };
}
