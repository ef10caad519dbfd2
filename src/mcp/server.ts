import {
  type CallToolResult,
  type McpServer,
  ResourceTemplate,
  type ServerContext,
} from '@modelcontextprotocol/server';
import * as z from 'zod';
import { OPERATIONS } from '../areas.ts';
import { fieldErrors } from '../engine/parse-as.ts';
import { commands } from '../sandbox/commands/index.ts';
import { VERSION } from '../version.ts';
import { type Client, Refused } from './client.ts';
import { fitted, MOST } from './fit.ts';
import { type Era, GatedServer, NoResource } from './gate.ts';
import { PROMPTS } from './prompts.ts';
import { documents } from './resources.ts';
import { type Tool, type ToolAnswer, unknownMembers } from './tool.ts';
import { TOOLS } from './tools/index.ts';

const INSTRUCTIONS = `A payments API on this machine, with all of its state, time and failures under your control.
Start with overview: base URL and credentials for the code under test. find_operation, describe_operation and call_operation reach every operation.
When a call is refused, why names the rule and what would have been right. You never have to wait: clock {act: "advance"} moves time, webhooks {act: "wait"} returns an event.
Every answer says in "next" what to do next. Long answers are shortened; cursor, skip or path shows the rest.`;

/** A stub that validates nothing, because this server sends its clients no questions. */
const NO_VALIDATOR = {
  getValidator: () => () => ({ valid: false as const, data: undefined, errorMessage: 'nothing is validated here' }),
};

/** The lists stay the same as long as the process lives. */
const SAME = { listChanged: false };

/** Returns a server for one connection or one request, over the commands of one sandbox, in an era of the protocol. */
export function serverFor(client: Client, era: Era): McpServer {
  const server = new GatedServer(
    era,
    { name: 'sandbox-emulator', title: 'Sandbox emulator of a payments API', version: VERSION },
    {
      instructions: INSTRUCTIONS,
      jsonSchemaValidator: NO_VALIDATOR,
      capabilities: { tools: SAME, prompts: SAME, resources: SAME },
    },
  );
  for (const one of TOOLS) addTool(server, client, one);
  for (const { name, title, about, args, text } of PROMPTS)
    server.registerPrompt(name, { title, description: about, argsSchema: z.object(args) }, (given) => ({
      messages: [{ role: 'user', content: { type: 'text', text: text(given as Record<string, string>) } }],
    }));
  addResources(server, client);
  return server;
}

type Validate = z.ZodObject['~standard']['validate'];

/**
 * Returns a schema without its self-evident parts, such as the protocol's own dialect: they are a tenth of a tool's
 * description.
 */
function bare(schema: z.ZodObject, validate: Validate = schema['~standard'].validate) {
  const { jsonSchema, ...standard } = schema['~standard'];
  const without = (made: Record<string, unknown>) => {
    const { $schema: _, additionalProperties: more, ...rest } = made;
    // Additional members are allowed by default.
    return more === false ? { ...rest, additionalProperties: false } : rest;
  };
  return {
    '~standard': {
      ...standard,
      validate,
      jsonSchema: {
        input: (how: Parameters<typeof jsonSchema.input>[0]) => without(jsonSchema.input(how)),
        output: (how: Parameters<typeof jsonSchema.output>[0]) => without(jsonSchema.output(how)),
      },
    },
  };
}

/** Returns the check of a tool's input, which reports mistakes in the words of the control API. */
const validated =
  (schema: z.ZodObject): Validate =>
  (sent) => {
    const { data, error } = schema.safeParse(sent, { error: unknownMembers });
    if (data !== undefined) return { value: data };
    return {
      issues: fieldErrors(error as z.ZodError, sent).map(({ field, message }) => ({
        message,
        path: field === '' ? [] : [field],
      })),
    };
  };

function addTool(server: McpServer, client: Client, tool: Tool): void {
  const { name, title, about, reads, destroys, most, input, output, run } = tool;
  const annotations = reads
    ? { readOnlyHint: true, openWorldHint: false }
    : { readOnlyHint: false, destructiveHint: destroys, openWorldHint: false };
  const declared = {
    title,
    description: about,
    inputSchema: bare(input(), validated(input())),
    outputSchema: bare(output()),
    annotations,
  };
  server.registerTool(name, declared, async (input, { mcpReq }) => {
    const stop = reportProgress(mcpReq);
    try {
      const answer = bounded(await run(client.until(mcpReq.signal), input), most);
      return { ...said(JSON.stringify(answer)), structuredContent: answer as Record<string, unknown> };
    } catch (error) {
      return { ...said((error as Error).message), isError: true };
    } finally {
      stop();
    }
  });
}

const said = (text: string): CallToolResult => ({ content: [{ type: 'text', text }] });

/**
 * Reports each second how long a call has taken, if it carries a progress token. Returns the function that stops it.
 */
function reportProgress({ _meta, notify }: ServerContext['mcpReq']): () => void {
  const token = _meta?.progressToken;
  if (token === undefined) return () => {};
  let seconds = 0;
  const timer = setInterval(() => {
    seconds += 1;
    const params = { progressToken: token, progress: seconds, message: `${seconds} s` };
    // A client that left receives nothing more, and its call ends by itself.
    notify({ method: 'notifications/progress', params }).catch(() => {});
  }, 1000);
  timer.unref();
  return () => clearInterval(timer);
}

/** Returns a result that fits, whatever it is; it never leaves `next` out. */
function bounded({ next, ...rest }: ToolAnswer, most = MOST + 1000): object {
  const { value, short } = fitted(rest, most);
  const nextStep = short ? (next ?? 'it is shortened: request less at once') : next;
  return { ...(value as object), ...(nextStep === undefined ? {} : { next: nextStep }) };
}

/** Adds documents as resources, and those of operations by their ids. */
function addResources(server: McpServer, client: Client): void {
  server.registerResource(
    'operation',
    new ResourceTemplate('sandbox-emulator://operations/{id}', {
      list: undefined,
      complete: { id: (typed) => OPERATIONS.map(({ id }) => id).filter((id) => id.startsWith(typed)) },
    }),
    {
      title: 'One operation',
      description: 'Its parameters, schemas, replies and an example; whole, unlike describe_operation',
    },
    async (uri, { id }) => ({
      contents: [
        {
          uri: uri.href,
          mimeType: 'application/json',
          text: await client.text(commands.operations.describe, { id: String(id) }).catch((error: unknown) => {
            throw error instanceof Refused && error.status === 404 ? new NoResource(uri.href) : error;
          }),
        },
      ],
    }),
  );
  const shown = async () =>
    (await documents()).map(({ name, uri, title, about, mimeType }) => ({
      ...{ name, uri, title, mimeType },
      ...(about === undefined ? {} : { description: about }),
    }));
  server.registerResource(
    'documents',
    new ResourceTemplate('sandbox-emulator://{+name}', {
      list: async () => ({ resources: await shown() }),
      complete: {
        name: async (typed) =>
          (await documents())
            .map(({ uri }) => uri.replace('sandbox-emulator://', ''))
            .filter((name) => name.startsWith(typed)),
      },
    }),
    { title: 'Documentation, scenarios, OpenAPI', description: 'By the names that resources/list has' },
    async (uri) => {
      const document = (await documents()).find((one) => one.uri === uri.href);
      if (!document) throw new NoResource(uri.href);
      const text = await document.read(client);
      return { contents: [{ uri: uri.href, mimeType: document.mimeType, text }] };
    },
  );
}
