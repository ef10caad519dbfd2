import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import type * as z from 'zod';
import { CONTRACT, type ContractShape } from './contract.ts';
import { generators } from './generators.ts';

/** What a call of a generated client resolves with. */
export interface Answered {
  // biome-ignore lint/suspicious/noExplicitAny: a test says what it expects of a reply
  readonly data?: any;
  readonly error?: unknown;
  readonly response: Response;
}

/** A program that a generator made of the public contract. */
export interface GeneratedClient {
  /** Its operations. Each refuses, at run time, a request or a reply that is not as the contract says. */
  readonly sdk: Readonly<Record<string, (options: object) => Promise<Answered>>>;
  /** Its schemas by name. */
  readonly schemas: Readonly<Record<string, z.ZodType>>;
  createClient(options: {
    baseUrl: string;
    auth: () => string;
    fetch: (request: Request) => Promise<Response>;
  }): object;
}

/** The public contract as an OpenAPI document without a word for people. */
function contractDocument(): object {
  const json = (shape: ContractShape, type = 'application/json') => ({ content: { [type]: { schema: shape } } });
  const paths: Record<string, Record<string, object>> = {};
  for (const [operationId, { method, path, query, body, replies }] of Object.entries(CONTRACT.operations)) {
    const item = (paths[path] ??= {});
    const parameters = [
      ...[...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
        name,
        in: 'path',
        required: true,
        schema: { type: 'string' },
      })),
      ...Object.entries(query).map(([name, schema]) => ({ name, in: 'query', required: false, schema })),
    ];
    item[method.toLowerCase()] = {
      operationId,
      parameters,
      ...(body ? { requestBody: { required: body.required, ...json(body.shape, body.type) } } : {}),
      responses: Object.fromEntries(
        Object.entries(replies).map(([status, shape]) => [status, { description: '', ...(shape ? json(shape) : {}) }]),
      ),
    };
  }
  const webhooks = Object.entries(CONTRACT.events).map(([type, shape]) => [
    type,
    { post: { operationId: type, requestBody: json(shape), responses: { 200: { description: '' } } } },
  ]);
  const document = {
    openapi: '3.1.0',
    info: { title: '', version: '' },
    security: [{ BasicAuth: [] }],
    paths,
    webhooks: Object.fromEntries(webhooks),
    components: { schemas: CONTRACT.$defs, securitySchemes: { BasicAuth: { type: 'http', scheme: 'basic' } } },
  };
  // Each alternative says itself which words are its own.
  const text = JSON.stringify(document, (key, value) => (key === 'discriminator' ? undefined : value));
  return JSON.parse(text.replaceAll('"#/$defs/', '"#/components/schemas/'));
}

const CONFIG = {
  input: 'contract.json',
  output: 'client',
  plugins: ['@hey-api/client-fetch', 'zod', { name: '@hey-api/sdk', validator: true }],
};

/** Generates a client, with validation at run time, of what the repository has of the public contract, and loads it. */
export async function generatedClient(): Promise<GeneratedClient> {
  const { folder, run, remove } = generators();
  try {
    writeFileSync(join(folder, 'contract.json'), JSON.stringify(contractDocument()));
    writeFileSync(join(folder, 'openapi-ts.config.mjs'), `export default ${JSON.stringify(CONFIG)};`);
    await run('@hey-api/openapi-ts', '-f', 'openapi-ts.config.mjs');
    const exported = [
      "export * as sdk from './client/sdk.gen';",
      "export * as schemas from './client/zod.gen';",
      "export { createClient } from './client/client';",
    ];
    const outfile = join(folder, 'client.mjs');
    await build({
      stdin: { contents: exported.join('\n'), resolveDir: folder },
      outfile,
      bundle: true,
      platform: 'node',
      format: 'esm',
      external: ['zod'],
      logLevel: 'error',
    });
    return await import(pathToFileURL(outfile).href);
  } finally {
    remove();
  }
}

/** Returns the schema of a generated client for an event. */
export function schemaOfEvent({ schemas }: GeneratedClient, type: string): z.ZodType {
  const schema = schemas[`z${CONTRACT.events[type]?.$ref?.split('/').at(-1)}`];
  if (!schema) throw new Error(`the contract has no event ${type}`);
  return schema;
}
