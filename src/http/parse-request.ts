import { getQueryParams } from 'hono/utils/url';
import { fail } from '../contract/errors.ts';
import { fromProfile, type Profile } from '../contract/profile.ts';
import type { Operation, OperationContext, Principal } from '../declare/operation.ts';
import { parseAs } from '../engine/parse-as.ts';
import type { World } from '../engine/world.ts';
import type { Call } from './exchange.ts';
import { streamFile } from './multipart.ts';
import { parseJson } from './parse.ts';
import type { HttpRequest } from './request.ts';

/** Returns the JSON that was sent, parsed; 400 with every bad field. */
export function bodyOf(call: Call, op: Operation): unknown {
  if (!op.body) return undefined;
  if (call.text === '') {
    if (op.bodyOptional) return parseAs(op.body(), {});
    return fail('INVALID_REQUEST_FORMAT', 'a JSON body is required');
  }
  const sent = parseJson(call.text, call.request.header('content-type'));
  const { fieldRules } = op;
  const value = fromProfile(call.host.profile, sent);
  return parseAs(op.body(), value, undefined, fieldRules && ((rest, bad) => fieldRules(call, rest, bad)));
}

/** Queries that were parsed before: clients repeat the same list requests. */
const KNOWN = new WeakMap<NonNullable<Operation['query']>, Map<string, unknown>>();
const [MOST_KNOWN, LONGEST_KNOWN] = [50, 500];

function queryOf(request: HttpRequest, op: Operation, profile: Profile): unknown {
  if (!op.query) return {};
  const { url } = request;
  const mark = url.indexOf('?');
  const text = mark < 0 ? '' : url.slice(mark);
  const known = KNOWN.get(op.query) ?? new Map<string, unknown>();
  KNOWN.set(op.query, known);
  const before = known.get(`${profile.name}${text}`);
  if (before !== undefined) return before;
  const values: Record<string, unknown> = {};
  for (const [name, all] of Object.entries(getQueryParams(url) as Record<string, string[]>))
    values[name] = all.length === 1 ? all[0] : all;
  const query = parseAs(op.query(), fromProfile(profile, values));
  if (text.length > LONGEST_KNOWN) return query;
  if (known.size >= MOST_KNOWN) known.clear();
  known.set(`${profile.name}${text}`, Object.freeze(query));
  return query;
}

/**
 * The context of an operation; a class, because an object with a getter of its own costs a hidden class per request.
 */
class ParsedRequest implements OperationContext {
  readonly #request: HttpRequest;
  readonly #host: Call['host'];
  readonly world: World;
  readonly principal: Principal;
  readonly operation: string;
  readonly params: Call['params'];
  readonly query: unknown;
  readonly body: unknown;
  readonly text: string;
  readonly method: string;
  readonly path: string;
  readonly files: OperationContext['files'];
  readonly #upload: Operation['upload'];

  constructor(call: Call, op: Operation, principal: Principal, body: unknown, files: OperationContext['files']) {
    this.#request = call.request;
    this.#host = call.host;
    this.#upload = op.upload;
    this.files = files;
    this.world = call.world;
    this.principal = principal;
    this.operation = op.id;
    this.params = call.params;
    this.query = queryOf(call.request, op, call.host.profile);
    this.body = body;
    // An unused body is ignored, also when bodies are compared.
    this.text = op.body || op.upload ? call.text : '';
    this.method = op.method;
    this.path = call.path;
  }

  header(name: string): string | undefined {
    return this.#request.header(name);
  }

  get incoming(): AsyncIterable<Uint8Array> {
    if (!this.#upload?.stream) throw new Error('this operation does not stream');
    return streamFile(this.#request, this.#upload);
  }

  get origin(): string {
    return this.#host.rootOf(this.#request.url);
  }
}
const NO_FILES: OperationContext['files'] = Object.freeze({});

/** Returns the context of an operation, from the request; it parses the query here, 400 with every bad field. */
export function contextOf(call: Call, op: Operation, body: unknown, files = NO_FILES): OperationContext {
  const { principal } = call;
  if (!principal) throw new Error('nobody is logged in');
  return new ParsedRequest(call, op, principal, body, files);
}
