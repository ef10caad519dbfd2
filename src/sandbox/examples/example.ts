import type { Operation } from '../../declare/operation.ts';
import type { CommandContext } from '../commands/command.ts';
import { pathNames } from './operation.ts';
import { sampleOf } from './sample.ts';

/** What to call an operation with. */
export interface Example {
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** The operation that makes what the sandbox lacks for it; until then the example is refused. */
  readonly needs?: string;
}

/** An example of a call, made from what the sandbox has now. */
export function exampleOf(_: CommandContext, operation: Operation, body: unknown): Example {
  return {
    params: Object.fromEntries(pathNames(operation).map((name) => [name, `<${name}>`])),
    query: {},
    headers: operation.idempotency === 'required' ? { 'Idempotency-Key': 'example-1' } : {},
    ...(body === undefined ? {} : { body: sampleOf(body) }),
  };
}
