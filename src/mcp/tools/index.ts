import type { Tool } from '../tool.ts';
import { clock } from './clock.ts';
import { decide } from './decide.ts';
import { readDocs } from './docs.ts';
import { faults } from './faults.ts';
import { callOperation, describeOperation, findOperation } from './operations.ts';
import { play } from './play.ts';
import { record, replay } from './record.ts';
import { scenario } from './scenario.ts';
import { snapshots } from './snapshots.ts';
import { overview, readState, sentCodes } from './state.ts';
import { webhooks } from './webhooks.ts';
import { why } from './why.ts';

/** Every tool, in the order of their list. */
export const TOOLS: readonly Tool[] = [
  overview,
  findOperation,
  describeOperation,
  callOperation,
  why,
  replay,
  readState,
  webhooks,
  clock,
  decide,
  play,
  faults,
  snapshots,
  scenario,
  record,
  sentCodes,
  readDocs,
];
