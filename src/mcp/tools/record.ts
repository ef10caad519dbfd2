import * as z from 'zod';
import { commands } from '../../sandbox/commands/index.ts';
import { fitted, linesThatFit } from '../fit.ts';
import { JsonObject, texts, tool } from '../tool.ts';

/** The most characters of a recorded text in one result. */
const PIECE = 20_000;

export const record = tool(
  'record',
  {
    title: 'Record calls as a test',
    answers: () => ({ ...texts('text'), lines: z.int() }),
    about:
      'Turn logged calls into code that repeats them, with ids as variables: a Vitest test (run once before you get it), a shell script, a scenario file or a Bruno collection. Write the text to a file.',
    reads: true,
    most: 2 * PIECE,
  },
  () => ({
    requests: z
      .union([z.array(z.string()).min(1).max(1000), z.strictObject({ from: z.string(), to: z.string() })])
      .describe('Request ids, or {from, to}: a span with both ends'),
    as: z.enum(['vitest', 'shell', 'scenario', 'bruno']).default('vitest').describe('What to make of them'),
    expect: z
      .enum(['all', 'status and ids'])
      .default('all')
      .describe('What a test expects of each reply: all that is the same in every run, or its status and ids only'),
    line: z.int().min(0).default(0).describe('Continue from this line of a long text'),
  }),
  async (client, { requests, as, expect, line }) => {
    const lines = (await client.text(commands.requests.record, { requests, as, expect })).split('\n');
    const piece = linesThatFit(lines, line, PIECE);
    const end = line + piece.length;
    const more = lines.length - end;
    return {
      text: piece.join('\n'),
      lines: lines.length,
      next:
        more > 0
          ? `line: ${end} shows the remaining ${more} lines; expect: "status and ids" makes a test shorter`
          : 'write it to a file and run it; comments on top say what it cannot repeat',
    };
  },
);

export const replay = tool(
  'replay',
  {
    title: 'Send a request again',
    about:
      'Send a logged request again, unchanged or with another body or headers, and compare both replies. It runs in the current state, in the state before the request, or in a fork, which leaves this sandbox as it is. Use it to try out a fix.',
  },
  () => ({
    request: z.string().max(100).describe('Its x-request-id, such as req_12'),
    against: z.enum(['now', 'before', 'fork']).default('fork').describe('The state to run in'),
    body: JsonObject().optional().describe('Another JSON body'),
    headers: z.record(z.string(), z.string().nullable()).optional().describe('Headers to change; null leaves one out'),
  }),
  async (client, { request, against, body, headers }) => {
    const replayed = await client.ask(commands.requests.replay, { id: request, against, body, headers });
    const { value, short } = fitted(replayed);
    return {
      ...(value as object),
      next: short
        ? 'it is shortened: why {request} shows a reply in full'
        : 'change the code that makes this call in the same way',
    };
  },
);
