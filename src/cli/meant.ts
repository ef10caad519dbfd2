import { invocation } from './invocation.ts';
import { HERE } from './options.ts';

/** Words of other tools for a command, with the equivalent here and an example. */
interface Meant {
  readonly words: string;
  readonly does: string;
  /** The words after the name of this program; or, with `call`, a path of the control API and flags of curl. */
  readonly example: string;
  readonly call?: true;
}

/** Words that people and programs try, by their meaning; none of them is a command. */
export const MEANT: readonly Meant[] = [
  { words: 'mock server serve run dev up launch boot', does: 'start runs the emulator', example: 'start' },
  {
    words: 'stop down kill quit exit shutdown',
    does: 'an emulator stops at Ctrl+C in its terminal, or at SIGTERM; ps lists those that run',
    example: 'ps',
  },
  { words: 'status running processes info doctor', does: 'ps lists the emulators that run', example: 'ps' },
  {
    words: 'record capture codegen',
    does: 'the control API turns calls of the log into a test',
    example: `/record -d '{"requests":{"from":"req_1","to":"req_9"}}'`,
    call: true,
  },
  {
    words: 'replay resend retry repeat',
    does: 'the control API sends a request of the log again',
    example: `/requests/req_12/replay -d '{}'`,
    call: true,
  },
  { words: 'search lookup operations', does: 'find searches by plain words', example: 'find make a payment fail' },
  {
    words: 'test tests verify grade',
    does: 'exam tests how your backend copes, and docs/fixtures.md has fixtures for tests of your own',
    example: 'exam --pay http://127.0.0.1:3000/payments',
  },
  { words: 'check lint', does: 'validate checks scenario files', example: 'validate sandbox.yaml' },
  {
    words: 'new scaffold generate template setup config',
    does: 'init writes a scenario file with every key explained',
    example: 'init sandbox.yaml',
  },
  { words: 'log tail requests history watch', does: 'logs prints the requests', example: 'logs --follow' },
  { words: 'time clock tick skip forward jump sleep', does: 'advance moves the clock', example: 'advance 1h' },
  {
    words: 'request curl send invoke exec api get post',
    does: 'call calls an operation',
    example: 'call createCustomer --example',
  },
  {
    words: 'webhook webhooks hooks receive receiver tunnel',
    does: 'listen receives webhooks',
    example: 'listen --register',
  },
  {
    words: 'event events emit fire simulate',
    does: 'trigger causes an event',
    example: 'trigger OUTGOING_PAYMENT.COMPLETED',
  },
  { words: 'undo back revert rollback', does: 'rewind goes back to before a request', example: 'rewind last' },
  { words: 'save checkpoint', does: 'snapshot saves the state under a name', example: 'snapshot before' },
  { words: 'export dump backup', does: 'capsule writes a sandbox to a file', example: 'capsule mine.sandbox.json.gz' },
  { words: 'import load', does: 'open opens the file of a capsule', example: 'open mine.sandbox.json.gz' },
  { words: 'copy clone branch', does: 'fork copies a sandbox', example: 'fork trial' },
  { words: 'compare changes', does: 'diff shows what differs between two states', example: 'diff before:last' },
  { words: 'explain debug error errors reason', does: 'why explains a response', example: 'why last' },
  {
    words: 'fail failure break chaos inject faults',
    does: 'fault makes calls and webhooks fail',
    example: 'fault add --operation createQuote --status 503',
  },
  { words: 'clear restart wipe clean seed', does: 'reset goes back to the scenario', example: 'reset' },
  { words: 'spec schema swagger docs', does: 'openapi prints the OpenAPI document', example: 'openapi' },
  { words: 'agent agents ai claude cursor', does: 'mcp serves coding agents', example: 'mcp' },
];

const isFile = (word: string): boolean => /\.(?:ya?ml|json)$/i.test(word);

/** Returns the equivalent of another tool's word, with an example to paste; undefined for an unknown word. */
export function meantBy(word: string, env: NodeJS.ProcessEnv = process.env): string | undefined {
  if (isFile(word)) return `a scenario file is the value of --scenario: ${invocation()} --scenario ${word}`;
  const found = MEANT.find(({ words }) => words.split(' ').includes(word.toLowerCase()));
  if (!found) return undefined;
  const { does, example, call } = found;
  const url = env['SANDBOX_EMULATOR_URL'] || HERE;
  return `${does}: ${call ? `curl ${url}/_emulator${example}` : `${invocation()} ${example}`}`;
}
