import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  ClientRequestSchema,
  ErrorCode,
  type JSONRPCMessage,
  type JSONRPCRequest,
} from '@modelcontextprotocol/sdk/types.js';
import { fieldErrors } from '../engine/parse-as.ts';
import { SCHEME } from './resources.ts';
import { TOOLS } from './tools/index.ts';

/** The code that the protocol has for a resource that does not exist; the library has no name for it. */
const RESOURCE_NOT_FOUND = -32002;

/** There is no such resource: the protocol's own error, which clients tell from one of the server. */
export class NoResource extends Error {
  readonly code = RESOURCE_NOT_FOUND;
  readonly data: { readonly uri: string };
  constructor(uri: string) {
    super(`there is no resource ${uri}; resources/list has their names`);
    this.data = { uri };
  }
}

interface Refusal {
  readonly code: number;
  readonly message: string;
  readonly data?: object;
}

/** The form of every request that the protocol knows, by its method. */
const FORMS = new Map(ClientRequestSchema.options.map((form) => [form.shape.method.value as string, form]));

const wrong = (message: string): Refusal => ({ code: ErrorCode.InvalidParams, message });

/**
 * Returns what is wrong with the parameters of a request, before anything is done; the library calls most of it its own
 * failure.
 */
function refusalOf(request: JSONRPCRequest): Refusal | undefined {
  const read = FORMS.get(request.method)?.safeParse(request);
  if (!read) return undefined;
  if (!read.success) {
    const fields = fieldErrors(read.error, request).map(({ field, message }) => `${field}: ${message}`);
    return wrong(fields.join('; '));
  }
  const asked = read.data;
  switch (asked.method) {
    case 'tools/call':
      return TOOLS.some(({ name }) => name === asked.params.name)
        ? undefined
        : wrong(`there is no tool ${asked.params.name}; tools/list has their names`);
    case 'resources/read':
      if (!URL.canParse(asked.params.uri)) return wrong('params.uri: must be a URI');
      return asked.params.uri.startsWith(SCHEME) ? undefined : asError(new NoResource(asked.params.uri));
    case 'tools/list':
    case 'prompts/list':
    case 'resources/list':
    case 'resources/templates/list':
      return asked.params?.cursor === undefined ? undefined : wrong('params.cursor: there is one page, and no cursor');
    default:
      return undefined;
  }
}

const asError = ({ code, message, data }: NoResource): Refusal => ({ code, message, data });

const isRequest = (message: JSONRPCMessage): message is JSONRPCRequest => 'method' in message && 'id' in message;

/** Connects a server, with an answer of the protocol for each request whose parameters are wrong. */
export async function connect({ server }: McpServer, transport: Transport): Promise<void> {
  await server.connect(transport);
  const { onmessage } = transport;
  transport.onmessage = (message, extra) => {
    const error = isRequest(message) ? refusalOf(message) : undefined;
    if (error && isRequest(message))
      transport.send({ jsonrpc: '2.0', id: message.id, error }).catch((failed) => transport.onerror?.(failed));
    else onmessage?.(message, extra);
  };
}
