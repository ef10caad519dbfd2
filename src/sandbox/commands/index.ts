import { clock } from './clock.ts';
import { events } from './events.ts';
import { faults } from './faults.ts';
import { emulator } from './general.ts';
import { ledger } from './ledger.ts';
import { requests } from './log.ts';
import { operations } from './operations.ts';
import { policies } from './policies.ts';
import { records } from './records.ts';
import { rows } from './rows.ts';
import { sandboxes } from './sandboxes.ts';
import { scenarios } from './scenarios.ts';
import { snapshots, state } from './state.ts';
import { webhooks } from './webhooks.ts';

/** Every act on a sandbox and every question about one, by topic; beside them stand the `decisions` of the areas. */
export const commands = {
  emulator,
  operations,
  sandboxes,
  scenarios,
  state,
  rows,
  snapshots,
  clock,
  records,
  ledger,
  webhooks,
  requests,
  events,
  faults,
  policies,
};

export { type AnswerOf, type Command, type CommandContext, execute, type InputOf, type Members } from './command.ts';
export { decisionFor, decisions } from './decisions.ts';
export { EXPECTATIONS, LANGUAGES, RECORDINGS } from './log.ts';
