import {
  McpServer,
  ProtocolErrorCode,
  ResourceNotFoundError,
  type SpecTypeName,
  specTypeSchemas,
  type Transport,
} from '@modelcontextprotocol/server';
import type * as z from 'zod';
import { fieldErrors } from '../engine/parse-as.ts';
import { SCHEME } from './resources.ts';
import { TOOLS } from './tools/index.ts';

/** The form of the protocol: a connection that begins with `initialize`, or requests that each stand alone (2026-07-28). */
export type Era = 'legacy' | 'modern';

/** The code for a resource that does not exist, in the older era; the newer one treats it as a wrong parameter. */
const RESOURCE_NOT_FOUND = -32002;

/** The protocol's own error for an unknown resource, which clients distinguish from an error of the server. */
export class NoResource extends ResourceNotFoundError {
  constructor(uri: string) {
    super(uri, `there is no resource ${uri}; resources/list has their names`);
  }
}

/** Returns a message with the error codes of the older era, which the library no longer has. */
function inLegacy(message: Message): Message {
  if (!('error' in message)) return message;
  const { code, data } = message.error;
  const isMissing =
    code === ProtocolErrorCode.InvalidParams && (data as { uri?: string } | undefined)?.uri !== undefined;
  return isMissing ? { ...message, error: { ...message.error, code: RESOURCE_NOT_FOUND } } : message;
}

interface Refusal {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

type Message = Parameters<NonNullable<Transport['onmessage']>>[0];
type Request = Extract<Message, { method: string; id: unknown }>;

/** The schema of each request with parameters that a client may send, by its method. */
const FORMS: Readonly<Record<string, SpecTypeName>> = {
  initialize: 'InitializeRequest',
  'tools/list': 'ListToolsRequest',
  'tools/call': 'CallToolRequest',
  'resources/list': 'ListResourcesRequest',
  'resources/templates/list': 'ListResourceTemplatesRequest',
  'resources/read': 'ReadResourceRequest',
  'prompts/list': 'ListPromptsRequest',
  'prompts/get': 'GetPromptRequest',
  'completion/complete': 'CompleteRequest',
};

const wrong = (message: string): Refusal => ({ code: ProtocolErrorCode.InvalidParams, message });

/**
 * Returns the faults in the parameters of a request, before anything is done; the library reports some of them as its
 * own failure.
 */
function refusalOf(request: Request): Refusal | undefined {
  const form = Object.hasOwn(FORMS, request.method) ? FORMS[request.method] : undefined;
  if (form === undefined) return undefined;
  const { issues } = specTypeSchemas[form]['~standard'].validate(request);
  if (issues) {
    // The library's schemas are zod's, and so are their issues.
    const fields = fieldErrors({ issues } as unknown as z.ZodError, request);
    return wrong(fields.map(({ field, message }) => `${field}: ${message}`).join('; '));
  }
  const params = (request.params ?? {}) as { name: string; uri: string; cursor?: string };
  switch (request.method) {
    case 'tools/call':
      return TOOLS.some(({ name }) => name === params.name)
        ? undefined
        : wrong(`there is no tool ${params.name}; tools/list has their names`);
    case 'resources/read':
      if (!URL.canParse(params.uri)) return wrong('params.uri: must be a URI');
      return params.uri.startsWith(SCHEME) ? undefined : asError(new NoResource(params.uri));
    case 'tools/list':
    case 'prompts/list':
    case 'resources/list':
    case 'resources/templates/list':
      return params.cursor === undefined ? undefined : wrong('params.cursor: there is one page, and no cursor');
    default:
      return undefined;
  }
}

const asError = ({ code, message, data }: NoResource): Refusal => ({ code, message, data });

const isRequest = (message: Message): message is Request => 'method' in message && 'id' in message;

/** A server that replies with an error of the protocol to each request with wrong parameters. */
export class GatedServer extends McpServer {
  readonly #era: Era;

  constructor(era: Era, ...args: ConstructorParameters<typeof McpServer>) {
    super(...args);
    this.#era = era;
  }

  override async connect(transport: Transport): Promise<void> {
    await super.connect(transport);
    const { onmessage } = transport;
    if (this.#era === 'legacy') {
      const send = transport.send.bind(transport);
      transport.send = (message, options) => send(inLegacy(message), options);
    }
    transport.onmessage = (message, extra) => {
      const error = isRequest(message) ? refusalOf(message) : undefined;
      if (!error || !isRequest(message)) return onmessage?.(message, extra);
      // Later, as a tool's result is: an immediate reply would set the status of the HTTP response.
      queueMicrotask(() => {
        transport.send({ jsonrpc: '2.0', id: message.id, error }).catch((failed) => transport.onerror?.(failed));
      });
    };
  }
}
