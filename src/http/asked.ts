import type { Context } from 'hono';
import { fail } from '../kernel/errors.ts';
import type { Ask, Operation, Principal } from '../kernel/operation.ts';
import { type Profile, understood } from '../kernel/profile.ts';
import type { World } from '../kernel/world.ts';
import { requirePermission } from './auth.ts';
import { readIgnored, readText } from './body.ts';
import { readForm, streamFile } from './multipart.ts';
import { parseAs, parseJson } from './parse.ts';
import type { Passage } from './passage.ts';

/** What was sent: JSON, or a form, which is not even read for somebody who may not send it. */
export async function received(passage: Passage, op: Operation): Promise<Ask> {
  const { c, principal } = passage;
  if (!op.upload) {
    passage.text = await (op.body ? readText(c) : readIgnored(c));
    return askOf(passage, op, bodyOf(passage, op));
  }
  if (principal) requirePermission(principal, op.permission);
  if (op.upload.stream) return askOf(passage, op, undefined);
  const form = await readForm(c, op, op.upload);
  passage.text = form.note;
  return askOf(passage, op, form.body, form.files);
}

function bodyOf(passage: Passage, op: Operation): unknown {
  if (!op.body) return undefined;
  if (passage.text === '') {
    if (op.bodyOptional) return parseAs(op.body(), {});
    return fail('INVALID_REQUEST_FORMAT', 'a JSON body is required');
  }
  const sent = parseJson(passage.text, passage.c.req.header('content-type'));
  return parseAs(op.body(), understood(passage.host.profile, sent));
}

function queryOf(c: Context, op: Operation, profile: Profile): unknown {
  if (!op.query) return {};
  const values: Record<string, unknown> = {};
  for (const [name, all] of Object.entries(c.req.queries())) values[name] = all.length === 1 ? all[0] : all;
  return parseAs(op.query(), understood(profile, values));
}

/** What an operation is given; a class, because an object with a getter of its own costs a hidden class a request. */
class Asked implements Ask {
  readonly #c: Context;
  readonly world: World;
  readonly principal: Principal;
  readonly params: Passage['params'];
  readonly query: unknown;
  readonly body: unknown;
  readonly text: string;
  readonly method: string;
  readonly path: string;
  readonly files: Ask['files'];
  readonly #upload: Operation['upload'];

  constructor(passage: Passage, op: Operation, principal: Principal, body: unknown, files: Ask['files']) {
    this.#c = passage.c;
    this.#upload = op.upload;
    this.files = files;
    this.world = passage.world;
    this.principal = principal;
    this.params = passage.params;
    this.query = queryOf(passage.c, op, passage.host.profile);
    this.body = body;
    // A body where none is wanted is ignored, by whoever compares bodies as well.
    this.text = op.body || op.upload ? passage.text : '';
    this.method = op.method;
    this.path = passage.path;
  }

  header(name: string): string | undefined {
    return this.#c.req.header(name);
  }

  get incoming(): AsyncIterable<Uint8Array> {
    if (!this.#upload?.stream) throw new Error('this operation does not stream');
    return streamFile(this.#c, this.#upload);
  }

  get origin(): string {
    return new URL(this.#c.req.url).origin;
  }
}
const NO_FILES: Ask['files'] = Object.freeze({});

/** What an operation is given, from what was sent; its query is parsed here, 400 naming every bad field. */
export function askOf(passage: Passage, op: Operation, body: unknown, files = NO_FILES): Ask {
  const { principal } = passage;
  if (!principal) throw new Error('nobody is logged in');
  return new Asked(passage, op, principal, body, files);
}
