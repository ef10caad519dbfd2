import { clockControls } from './clock.ts';
import { codeControls } from './codes.ts';
import type { Control } from './control.ts';
import { decisionControls } from './decisions.ts';
import { eventControls } from './events.ts';
import { faultControls } from './faults.ts';
import { generalControls } from './general.ts';
import { logControls } from './log.ts';
import { sandboxControls } from './sandboxes.ts';
import { stateControls } from './state.ts';
import { transactionControls } from './transactions.ts';
import { walletControls } from './wallet.ts';
import { webhookControls } from './webhooks.ts';

/** Every door of the control API, in the order in which they are documented. */
export const CONTROLS: readonly Control[] = [
  ...generalControls,
  ...sandboxControls,
  ...stateControls,
  ...clockControls,
  ...codeControls,
  ...walletControls,
  ...webhookControls,
  ...logControls,
  ...eventControls,
  ...faultControls,
  ...transactionControls,
  ...decisionControls,
];

export type { Control, ControlAsk } from './control.ts';
