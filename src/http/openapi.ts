import * as z from 'zod';
import { envelope } from '../areas/webhooks/index.ts';
import { EVENTS, OPERATIONS } from '../areas.ts';
import { ERRORS, type ErrorCode } from '../contract/errors.ts';
import type { Profile } from '../contract/profile.ts';
import { codesOf, errorShape } from '../contract/shapes.ts';
import type { EventGroup } from '../declare/event-group.ts';
import type { Operation, ProofHeader } from '../declare/operation.ts';
import { VERSION } from '../version.ts';
import { formSchema } from './multipart.ts';

type Json = Record<string, unknown>;
/** Writes a schema as JSON Schema, in its input or output form, with its other parts. */
type Shaped = (schema: z.ZodType, io: 'input' | 'output', whole?: (written: Json) => Json) => Json;

const made = new Map<Profile, Json>();

/**
 * Returns the OpenAPI 3.1 document of the operations, from the same records that are mounted; built once per profile.
 */
export function openApiDocument(profile: Profile, servers: readonly string[]): Json {
  let document = made.get(profile);
  if (!document) made.set(profile, (document = describeAll(profile)));
  return { ...document, servers: servers.map((url) => ({ url })) };
}

/** Returns the document of some operations, without servers. */
export function describeAll(profile: Profile, operations = OPERATIONS): Json {
  const schemas: Record<string, Json> = {};
  const shape: Shaped = (schema, io, whole) => toJson(schema, io, schemas, profile, whole);
  const paths: Record<string, Json> = {};
  for (const op of operations) {
    const item = paths[op.path] ?? {};
    item[op.method.toLowerCase()] = describe(op, profile, shape);
    paths[op.path] = item;
  }
  const webhooks: Json = {};
  for (const group of EVENTS) {
    webhooks[group.name] = {
      post: {
        summary: group.summary,
        tags: ['Webhooks'],
        parameters: [
          {
            name: profile.webhookSignatureHeader,
            in: 'header',
            required: true,
            description: 'JSON {"v": "1", "s": "<base64>"}: ECDSA P-256 over SHA-256 of the raw body, DER',
            schema: { type: 'string' },
          },
        ],
        requestBody: { required: true, content: json(shape(envelope(toldIn(profile, group), group.data()), 'output')) },
        responses: { 200: { description: 'Taken' }, 409: { description: 'Known already; not sent again' } },
      },
    };
  }
  const answered = Object.values(paths).flatMap((item) =>
    Object.values(item).map((op) => (op as { responses: Json }).responses),
  );
  takePatternsOff([answered, webhooks], schemas, new Set());
  return {
    openapi: '3.1.0',
    info: {
      title: 'sandbox-emulator',
      version: VERSION,
      description: 'The operations of the payments API that this emulator offers, as it offers them.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [],
    security: [{ [SCHEMES.basic.name]: [] }],
    tags: [...new Set(operations.map((op) => op.tag))].map((name) => ({ name })),
    paths,
    webhooks,
    components: {
      securitySchemes: Object.fromEntries(
        operations.flatMap(({ auth }) => (auth === 'none' ? [] : [[SCHEMES[auth].name, SCHEMES[auth].described]])),
      ),
      schemas,
    },
  };
}

/** Removes the patterns from replies, as far as references lead: a reader needs none, and its dialect may differ. */
function takePatternsOff(node: unknown, schemas: Readonly<Record<string, Json>>, seen: Set<unknown>): void {
  if (typeof node !== 'object' || node === null || seen.has(node)) return;
  seen.add(node);
  const part = node as Json;
  if (typeof part['pattern'] === 'string') delete part['pattern'];
  if (typeof part['$ref'] === 'string')
    takePatternsOff(schemas[part['$ref'].split('/').at(-1) as string], schemas, seen);
  for (const value of Object.values(part)) takePatternsOff(value, schemas, seen);
}

/** Returns the types of a group that a profile emits. */
function toldIn({ absent }: Profile, { types }: EventGroup): EventGroup['types'] {
  const [first, ...rest] = types;
  return [first, ...rest.filter((type) => !absent['events']?.includes(type))];
}

const json = (schema: Json) => ({ 'application/json': { schema } });

/** The authentication of each scheme. */
const SCHEMES = {
  basic: {
    name: 'BasicAuth',
    described: { type: 'http', scheme: 'basic', description: 'API token id and client secret' },
  },
  bearer: {
    name: 'BearerAuth',
    described: { type: 'http', scheme: 'bearer', description: 'Access token of an agent' },
  },
} as const;

/**
 * Returns an operation as a profile offers it: with those parts of its authorizer's declaration that the profile has.
 */
function offered(op: Operation, profile: Profile): { op: Operation; headers: readonly ProofHeader[] } {
  const { authorize } = op;
  if (!authorize) return { op, headers: [] };
  const offer = authorize.offeredIn(profile);
  const isAbsent = (status: string): boolean => status in authorize.replies && !(status in offer.replies);
  const replies = Object.fromEntries(Object.entries(op.replies).filter(([status]) => !isAbsent(status)));
  const refuses = op.refuses.filter((code) => offer.refuses.includes(code) || !authorize.refuses.includes(code));
  return { op: { ...op, replies, refuses }, headers: offer.headers };
}

function describe(declared: Operation, profile: Profile, shape: Shaped): Json {
  const { op, headers } = offered(declared, profile);
  const schema = { type: 'string' };
  const named = op.path.matchAll(/\{(\w+)\}/g);
  const parameters: Json[] = [...named].map(([, name]) => ({ name, in: 'path', required: true, schema }));
  if (op.query) {
    const query = shape(op.query(), 'input') as { properties?: Record<string, Json>; required?: string[] };
    for (const [name, { description, ...schema }] of Object.entries(query.properties ?? {}))
      parameters.push({
        name,
        in: 'query',
        required: query.required?.includes(name) ?? false,
        ...(description ? { description } : {}),
        schema,
      });
  }
  for (const { name, description } of headers)
    parameters.push({ name, in: 'header', required: false, description, schema });
  if (op.idempotency)
    parameters.push({
      name: 'Idempotency-Key',
      in: 'header',
      required: op.idempotency === 'required',
      schema: { type: 'string', maxLength: 255 },
    });
  const responses: Json = {};
  for (const [status, reply] of Object.entries(op.replies))
    responses[status] = reply
      ? { description: 'Done', content: json(shape(reply(), 'output')) }
      : { description: 'Done' };
  for (const [status, codes] of refusals(op))
    responses[status] = {
      description: codes.join(', '),
      content: json(shape(errorShape(status, codesOf(status)), 'output')),
    };
  return {
    operationId: op.id,
    tags: [op.tag],
    summary: op.summary,
    ...(op.description ? { description: op.description } : {}),
    ...(op.auth === 'basic' ? {} : { security: op.auth === 'none' ? [] : [{ [SCHEMES[op.auth].name]: [] }] }),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(op.body || op.upload ? { requestBody: { required: !op.bodyOptional, content: contentOf(op, shape) } } : {}),
    responses,
  };
}

/**
 * Returns the content of a body. The files of a form are not in the schema of its text parts, so they are added to it.
 */
function contentOf({ body, upload }: Operation, shape: Shaped): Json {
  if (!upload) return body ? json(shape(body(), 'input')) : {};
  const form = (parts?: Json): Json => formSchema(upload, parts);
  return { 'multipart/form-data': { schema: body ? shape(body(), 'input', form) : form() } };
}

/** The codes with which each authentication may refuse a caller; an agent's permissions are declared by its area. */
const KNOWN_BY: Readonly<Record<Operation['auth'], readonly ErrorCode[]>> = {
  basic: ['UNAUTHORIZED', 'FORBIDDEN'],
  bearer: ['UNAUTHORIZED'],
  none: [],
};

/** Returns the statuses with which an operation refuses, and the codes of each. */
export function refusals(op: Operation): Map<number, ErrorCode[]> {
  const codes: ErrorCode[] = [...KNOWN_BY[op.auth]];
  codes.push('INTERNAL_ERROR', ...op.refuses);
  if (op.body || op.query || op.upload) codes.push('INVALID_INPUT');
  if (op.body || op.upload) codes.push('INVALID_REQUEST_FORMAT');
  if (op.idempotency) codes.push('CONFLICT', 'INVALID_INPUT');
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of new Set(codes)) byStatus.set(ERRORS[code], [...(byStatus.get(ERRORS[code]) ?? []), code]);
  return new Map([...byStatus].sort(([a], [b]) => a - b));
}

/**
 * Returns whether a text has to match a regular expression with a flag, which JSON Schema cannot express: without it,
 * the meaning changes.
 */
function isFlagged({ _zod: { def } }: z.core.$ZodType): boolean {
  const checks: readonly z.core.$ZodCheck[] = def.checks ?? [];
  return checks.some((check) => (check._zod.def as { pattern?: RegExp }).pattern?.flags);
}

/** Returns one schema as JSON Schema; named ones move to the components, under their names. */
function toJson(
  schema: z.ZodType,
  io: 'input' | 'output',
  schemas: Record<string, Json>,
  profile: Profile,
  whole: (written: Json) => Json = (written) => written,
): Json {
  const made = z.toJSONSchema(schema, {
    io,
    target: 'draft-2020-12',
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      const meta = z.globalRegistry.get(zodSchema as unknown as z.ZodType) as { wire?: Json } | undefined;
      if (meta?.wire) {
        const { description } = jsonSchema;
        for (const key of Object.keys(jsonSchema)) delete (jsonSchema as Json)[key];
        Object.assign(jsonSchema, meta.wire, description ? { description } : {});
      }
      if (jsonSchema.format !== undefined || isFlagged(zodSchema)) delete jsonSchema.pattern;
    },
  }) as Json & { $defs?: Record<string, Json> };
  const { $schema, $defs, ...rest } = made;
  const renamed = (node: unknown): unknown => rename(node, profile);
  for (const [name, definition] of Object.entries($defs ?? {})) {
    const { id, $schema: _, ...plain } = definition;
    const written = renamed(inProfile(plain, name, profile)) as Json;
    const value = rest['$ref'] === `#/$defs/${name}` ? whole(written) : written;
    const known = schemas[name];
    if (known === undefined || JSON.stringify(known) === JSON.stringify(value)) schemas[name] = value;
  }
  const { id, ...top } = rest;
  if (typeof id === 'string') {
    const value = whole(renamed(inProfile(top, id, profile)) as Json);
    if (schemas[id] === undefined) schemas[id] = value;
    if (JSON.stringify(schemas[id]) === JSON.stringify(value)) return { $ref: `#/components/schemas/${id}` };
    return value;
  }
  return '$ref' in top ? (renamed(top) as Json) : whole(renamed(top) as Json);
}

/**
 * Returns a named schema for a profile: an enum without the values that never occur, an object with the members
 * required there.
 */
function inProfile(definition: Json, name: string, { absent, required }: Profile): Json {
  const { enum: values, required: always } = definition;
  const never = absent[name] ?? [];
  const more = required[name] ?? [];
  return {
    ...definition,
    ...(Array.isArray(values) ? { enum: values.filter((value) => !never.includes(value as string)) } : {}),
    ...(more.length > 0 ? { required: [...((always as string[] | undefined) ?? []), ...more] } : {}),
  };
}

/**
 * Returns an enum value in the names of the profile; a component of its own belongs to no field, so any field's name
 * will do.
 */
const valueIn = ({ values }: Profile, field: string, value: unknown): unknown =>
  (field === '' ? Object.assign({}, ...Object.values(values)) : (values[field] ?? {}))[value as string] ?? value;

/** Renames references to point into the components, and enum values to the names of the profile. */
function rename(node: unknown, profile: Profile, key = ''): unknown {
  if (Array.isArray(node)) return node.map((item) => rename(item, profile, key));
  if (typeof node !== 'object' || node === null) return node;
  const out: Json = {};
  for (const [name, value] of Object.entries(node)) {
    if (name === '$ref' && typeof value === 'string') out[name] = value.replace('#/$defs/', '#/components/schemas/');
    else if (name === 'enum' && Array.isArray(value)) out[name] = value.map((v) => valueIn(profile, key, v));
    else if (name === 'const') out[name] = valueIn(profile, key, value);
    else if (name === 'wire') continue;
    else if (name === 'required' && Array.isArray(value))
      out[name] = value.map((v) => profile.members[v as string] ?? v);
    else
      out[profile.members[name] ?? name] = rename(
        value,
        profile,
        name === 'properties' ? '' : ['items', 'anyOf', 'oneOf', 'allOf'].includes(name) ? key : name,
      );
  }
  return out;
}
