import * as z from 'zod';
import { OPERATIONS } from '../../src/areas.ts';
import type { Shape } from '../../src/contract/lazy.ts';
import { CONTROLS } from '../../src/control/index.ts';
import type { Operation } from '../../src/declare/operation.ts';

/** A JSON schema, as far as the generator reads it. */
export interface Schema {
  $ref?: string;
  $defs?: Record<string, Schema>;
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: Schema | boolean;
  items?: Schema;
  minItems?: number;
  format?: string;
  pattern?: string;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
}

/** One thing that can be asked. */
export interface Target {
  readonly name: string;
  readonly kind: 'api' | 'control';
  readonly method: string;
  /** With `{name}` for its parameters. */
  readonly path: string;
  readonly body: Schema | undefined;
  readonly query: Schema | undefined;
  readonly operation: Operation | undefined;
}

const schemaOf = (shape: Shape | undefined): Schema | undefined =>
  shape && (z.toJSONSchema(shape(), { io: 'input', unrepresentable: 'any' }) as Schema);

let made: readonly Target[] | undefined;

/** Every operation and every control, with the schemas of what they take; streams are left out, for they do not end. */
export const targets = (): readonly Target[] =>
  (made ??= [
    ...OPERATIONS.map((operation) => ({
      name: operation.id,
      kind: 'api' as const,
      method: operation.method,
      path: operation.path,
      body: schemaOf(operation.body),
      query: schemaOf(operation.query),
      operation,
    })),
    ...CONTROLS.filter(({ path }) => path !== '/events').map(({ method, path, body, query }) => ({
      name: `${method} ${path}`,
      kind: 'control' as const,
      method,
      path: path.replaceAll(/:(\w+)/g, '{$1}'),
      body: schemaOf(body),
      query: schemaOf(query),
      operation: undefined,
    })),
  ]);

/** The schema that a reference names. */
export function resolved(schema: Schema, root: Schema): Schema {
  if (schema.$ref === undefined) return schema;
  return schema.$ref === '#' ? root : (root.$defs?.[schema.$ref.split('/').at(-1) as string] ?? {});
}
