import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { OPERATIONS } from '../../src/areas.ts';
import { findOperations, findTopics, listedOperations, TOPICS, waysTo } from '../../src/calls/index.ts';
import { commandLine, declared } from '../../src/cli/commands.ts';
import { CONTROLS } from '../../src/control/index.ts';

const ROOT = join(import.meta.dirname, '../..');
const namesFor = (question: string): string[] => findTopics(question).map(({ name }) => name);

/** Questions in a user's words about what is not an operation, and the topics that answer them: one is among the first three. */
const QUESTIONS: Readonly<Record<string, string>> = {
  'make a payment fail': 'Magic values|Decide how a payment ends',
  'verify webhook signature': 'Verify the signature of a webhook',
  'advance the clock': 'Clock',
  clock: 'Clock',
  'resend a webhook': 'Webhooks and their redelivery',
  'approve a pending customer': 'Decide on a customer',
  'why was my payment rejected': 'Why a request was refused',
  'payout that failed': 'OUTGOING_PAYMENT.FAILED',
  faults: 'Faults',
  QUOTE_EXPIRED: 'QUOTE_EXPIRED',
  'time travel': 'Clock',
  'skip ahead three days': 'Clock',
  'simulate an outage': 'Faults',
  'return a 503': 'Faults',
  'undo the last call': 'Rewind',
  'save the state and go back': 'Snapshots|Rewind',
  'start over with a clean sandbox': 'Reset|Sandboxes',
  'isolate parallel tests': 'Sandboxes',
  'see the one-time code': 'Sent codes',
  'test data for a sandbox': 'Scenarios',
  'turn calls into a test': 'Record a test',
  'export to bruno': 'Record a test',
  'send the request again': 'Replay',
  'set the webhook url': 'Receive webhooks',
  'receive webhooks on localhost': 'Receive webhooks',
  'wait for an event in a test': 'Wait for an event',
  'send a sample webhook': 'Trigger an event',
  'list of error codes': 'Error codes',
  'list of event types': 'Event types',
  'does the ledger sum to zero': 'Ledger',
  'what has my suite never tested': 'Coverage',
  'activate a card': 'Decide on a card',
  'what changed between two states': 'Compare states',
  'run it in docker for the team': 'A shared emulator',
  'connect claude': 'Coding agents',
  'opentelemetry spans': 'Traces',
  'insufficient balance': 'INSUFFICIENT_BALANCE',
  'kyc approved event': 'CUSTOMER.KYC_APPROVED',
  'getting started': 'First payment',
  'pytest fixture': 'Test helpers',
  iban: 'Magic values',
  'wrong iban': 'Magic values',
};

test('the search finds the right topic among the first three for each of 40 questions that are not about an operation', () => {
  const all = Object.entries(QUESTIONS);
  expect(all.length).toBeGreaterThanOrEqual(40);
  const missed = all.flatMap(([question, right]) => {
    const first = namesFor(question).slice(0, 3);
    return right.split('|').some((name) => first.includes(name)) ? [] : [`${question}: ${first.join(', ')}`];
  });
  expect(missed).toEqual([]);
});

test('every place that a topic leads to exists', () => {
  const controls = CONTROLS.map(({ method, path }) => `${method} ${path}`);
  const missing = TOPICS.flatMap(({ name, control, docs }) => {
    const [file = '', section] = docs.split('#');
    const text = existsSync(join(ROOT, file)) ? readFileSync(join(ROOT, file), 'utf8') : '';
    return [
      ...(control !== undefined && !controls.includes(control) ? [`${name}: ${control}`] : []),
      ...(text === '' || (section !== undefined && !text.includes(`# ${section}\n`)) ? [`${name}: ${docs}`] : []),
    ];
  });
  expect(missing).toEqual([]);
  expect(new Set(TOPICS.map(({ name }) => name)).size).toBe(TOPICS.length);
});

test('the search finds an error code or an event type first by its name, in any case, and leads to where it is listed', () => {
  for (const name of ['INSUFFICIENT_BALANCE', 'quote_expired', 'OUTGOING_PAYMENT.FAILED'])
    expect(namesFor(name)[0]).toBe(name.toUpperCase());
  const [event] = findTopics('OUTGOING_PAYMENT.FAILED');
  expect(event && waysTo(event)).toEqual([
    'npx sandbox-emulator trigger OUTGOING_PAYMENT.FAILED',
    'POST /_emulator/trigger',
    '/inspector/webhooks?q=OUTGOING_PAYMENT.FAILED',
    'docs/events.md',
  ]);
});

test('the search finds no topic for unknown words, and topics do not displace operations', () => {
  expect([namesFor('xyzzyplugh'), namesFor('how do I'), namesFor('')]).toEqual([[], [], []]);
  expect(findOperations(listedOperations(), 'clock').length).toBeLessThan(OPERATIONS.length);
});

test.each(TOPICS.flatMap(({ cli }) => (cli === undefined ? [] : [cli])))(
  'the command of a topic, `%s`, is one that the terminal takes',
  async (cli) => {
    let command = commandLine();
    const words = cli.split(' ');
    for (let next = command.commands.find((one) => one.name() === words[0]); next; ) {
      command = next;
      words.shift();
      await declared(command);
      next = command.commands.find((one) => one.name() === words[0]);
    }
    expect(command.name()).not.toBe(commandLine().name());
    const { operands, unknown } = command.parseOptions(words);
    expect(unknown).toEqual([]);
    const required = command.registeredArguments.filter((argument) => argument.required).length;
    expect(operands.length).toBeGreaterThanOrEqual(required);
    expect(operands.length).toBeLessThanOrEqual(command.registeredArguments.length);
  },
);
