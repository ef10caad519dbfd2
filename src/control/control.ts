import type * as z from 'zod';
import type { Shape } from '../contract/lazy.ts';
import type { Host } from '../sandbox/host.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';

/** One request to the control API, parsed. */
export interface ControlAsk<B = unknown, Q = unknown> {
  readonly host: Host;
  /** The sandbox that `?sandbox=` names; the default one without it. */
  readonly sandbox: Sandbox;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Q;
  readonly body: B;
  readonly origin: string;
  /** The OpenAPI document as JSON text, for the door that shows it. */
  readonly openApi: () => Promise<string>;
}

/** One door of the control API (`docs/control-api.md`). */
export interface Control {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly summary: string;
  readonly body?: Shape | undefined;
  readonly query?: Shape | undefined;
  /** Largest body in bytes. */
  readonly limit?: number | undefined;
  readonly run: (ask: ControlAsk) => unknown;
}

/** The typed way to declare one; what it returns is the JSON of a 200, `undefined` answers 204, a `Response` is itself. */
export const control = <B extends Shape, Q extends Shape>(
  method: Control['method'],
  path: string,
  summary: string,
  run: (ask: ControlAsk<z.output<ReturnType<B>>, z.output<ReturnType<Q>>>) => unknown,
  options: { body?: B; query?: Q; limit?: number } = {},
): Control => ({ method, path, summary, run: run as Control['run'], ...options });
