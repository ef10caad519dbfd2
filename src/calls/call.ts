import { type FieldError, fail, failFields } from '../contract/errors.ts';
import { jsonOrText } from '../contract/json.ts';
import type { Operation } from '../declare/operation.ts';
import type { CommandContext } from '../sandbox/commands/command.ts';
import { nearOrAll } from '../scenario/nearest.ts';
import { formOf } from './form.ts';
import { nextKey } from './key.ts';
import { operationNamed, pathNames } from './operation.ts';

type Value = string | number | boolean;

/** The input of an operation. */
export interface Sent {
  readonly params?: Readonly<Record<string, string>> | undefined;
  readonly query?: Readonly<Record<string, Value | readonly Value[]>> | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly body?: unknown;
  /** Sends an `Idempotency-Key` with an operation that only takes one, too. */
  readonly keyed?: boolean | undefined;
}

/** The reply to a call; its body is parsed if it is JSON. */
export interface Answered {
  readonly requestId: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
  /** The `Idempotency-Key` that was sent, if any: a retry with the same key returns the same reply. */
  readonly idempotencyKey?: string;
}

/**
 * Calls an operation as a client of the sandbox does, with the sandbox's own credentials unless the headers bring
 * others. 400 `INVALID_INPUT` for a parameter that it does not have, 404 `REFERENCE_NOT_FOUND` for an unknown
 * operation, 503 `SERVICE_UNAVAILABLE` if a fault closed the connection.
 */
export async function call(context: CommandContext, id: string, sent: Sent): Promise<Answered> {
  const operation = operationNamed(id);
  const request = requestOf(context, operation, sent);
  const key = request.headers.get('idempotency-key');
  const again =
    key === null ? '' : `; the same call with Idempotency-Key ${key} answers what happened, and pays nothing twice`;
  const response = await context.host.fetch(request, context.sandbox).catch((error: unknown) => {
    if (!(error instanceof TypeError)) throw error;
    return fail('SERVICE_UNAVAILABLE', `${id} got no reply: ${error.message}${again}`);
  });
  const headers = Object.fromEntries(response.headers);
  const text = await response
    .text()
    .catch((error: Error) => fail('SERVICE_UNAVAILABLE', `${id}: ${error.message}${again}`));
  return {
    requestId: headers['x-request-id'] ?? '',
    status: response.status,
    headers,
    body: text === '' ? null : jsonOrText(text),
    ...(key === null ? {} : { idempotencyKey: key }),
  };
}

/** Returns the request to send. */
function requestOf({ sandbox, baseUrl }: CommandContext, operation: Operation, sent: Sent): Request {
  const { params = {}, query = {}, body } = sent;
  refuseUnknown(operation, params, query);
  if (operation.method === 'GET' && body !== undefined)
    failFields([{ field: 'body', message: `${operation.id} takes none: it is a GET` }]);
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] as string));
  const url = new URL(`${baseUrl}${path}`);
  for (const [name, value] of Object.entries(query))
    for (const one of Array.isArray(value) ? (value as Value[]) : [value as Value])
      url.searchParams.append(name, String(one));
  const headers = new Headers();
  const [login] = sandbox.credentials;
  // An operation without credentials takes them as the choice of a sandbox.
  if (operation.auth !== 'bearer' && login)
    headers.set('authorization', `Basic ${Buffer.from(`${login.tokenId}:${login.secret ?? ''}`).toString('base64')}`);
  const isKeyed = operation.idempotency === 'required' || (sent.keyed && operation.idempotency !== undefined);
  if (isKeyed) headers.set('idempotency-key', nextKey(sandbox.world));
  if (body !== undefined && !operation.upload) headers.set('content-type', 'application/json');
  for (const [name, value] of Object.entries(sent.headers ?? {})) headers.set(name, value);
  const form = operation.upload && body !== undefined ? formOf(operation.upload, body) : undefined;
  if (form) headers.delete('content-type');
  const text = body === undefined || form ? form : JSON.stringify(body);
  return new Request(url, { method: operation.method, headers, ...(text === undefined ? {} : { body: text }) });
}

/** Refuses unknown parameters and a path that lacks one, and names the right ones: 400. */
function refuseUnknown(operation: Operation, params: object, query: object): void {
  const needed = pathNames(operation);
  const known = Object.keys(operation.query?.().shape ?? {});
  const errors: FieldError[] = [];
  for (const name of needed)
    if (!Object.hasOwn(params, name) || (params as Record<string, string>)[name] === '')
      errors.push({ field: `params.${name}`, message: `is missing: the path is ${operation.path}` });
    else if (/\p{Surrogate}/u.test((params as Record<string, string>)[name] as string))
      errors.push({ field: `params.${name}`, message: 'has half of a character, which no URL can hold' });
  const unknown = (group: string, names: readonly string[], right: readonly string[]): void => {
    for (const long of names.filter((one) => !right.includes(one))) {
      const name = long.slice(0, 100);
      const message = `${operation.id} has no such parameter; ${nearOrAll(name, right)}`;
      errors.push({ field: `${group}.${name}`, message });
    }
  };
  unknown('params', Object.keys(params), needed);
  unknown('query', Object.keys(query), known);
  if (errors.length > 0) failFields(errors);
}
