import { ERRORS } from '../contract/errors.ts';
import type { Operation } from '../declare/operation.ts';
import type { World } from '../engine/world.ts';
import type { CommandContext } from '../sandbox/commands/command.ts';
import { type Documented, documented, documentOf, unfolded } from './document.ts';
import { type Example, exampleOf } from './example.ts';
import { operationNamed } from './operation.ts';

/**
 * Returns an operation with its schemas unfolded, and an example that is valid now. 404 `REFERENCE_NOT_FOUND` with the
 * nearest name.
 */
export async function describe(context: CommandContext, id: string) {
  const { world } = context.sandbox;
  const operation = operationNamed(id);
  const document = await documentOf(context);
  const documentation = documented(document, operation);
  const [[type, sent] = []] = Object.entries(documentation.requestBody?.content ?? {});
  const body = unfolded(document, sent?.schema);
  return {
    id,
    method: operation.method,
    path: operation.path,
    area: operation.tag,
    summary: operation.summary,
    ...(operation.description ? { description: operation.description } : {}),
    auth: operation.auth,
    idempotent: operation.idempotency ?? 'no',
    parameters: unfolded(document, documentation.parameters ?? []) as NonNullable<Documented['parameters']>,
    ...(type === undefined ? {} : { bodyType: type, bodyRequired: documentation.requestBody?.required ?? false, body }),
    replies: repliesOf(documentation).map(({ schema, ...reply }) =>
      schema === undefined ? reply : { ...reply, body: unfolded(document, schema) },
    ),
    example: await exampleNow(world, operation),
  };
}

/** Returns an example for work that is under way, if there is any; otherwise one made from the rows of the world. */
async function exampleNow(world: World, operation: Operation): Promise<Example> {
  const { needs, ...usual } = exampleOf(world, operation);
  const now = await operation.exampleNow?.(world);
  return now ? { ...usual, ...now } : { ...usual, ...(needs === undefined ? {} : { needs }) };
}

/** Returns the successful replies with their schemas, and the refusals with their codes. */
const repliesOf = ({ responses = {} }: Documented) =>
  Object.entries(responses).map(([status, { description = '', content = {} }]) => {
    const codes = description.split(', ').filter((code) => code in ERRORS || code === 'GRID_SWITCH_ERROR');
    const [first] = Object.values(content);
    return codes.length > 0 ? { status: Number(status), codes } : { status: Number(status), schema: first?.schema };
  }) as { status: number; codes?: string[]; schema?: unknown }[];
