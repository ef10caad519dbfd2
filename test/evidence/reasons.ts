import { EVENTS, type OPERATIONS } from '../../src/areas.ts';

type Operation = (typeof OPERATIONS)[number];

/** Operations that are not GET and change nothing all the same. */
const LOOKS = /^(?:estimateCryptoWithdrawalFee|revealCard|sandboxSimulateCardBalanceInquiry)$/;

/** Returns why no simulation calls an operation. */
export const notInterleaved = ({ id, method }: Operation): string =>
  method === 'GET' || LOOKS.test(id)
    ? 'it changes nothing that another call could meet'
    : 'no random history draws it: only directed tests check it';

/** Returns the events that are declared to follow a call of an operation, where that stands in a plain list. */
const declaredAfter = (id: string): string[] =>
  EVENTS.flatMap(({ after }) =>
    Object.entries(after).flatMap(([type, steps]) => {
      const last = Array.isArray(steps) ? steps.at(-1) : undefined;
      return last === id || last?.call === id ? [type] : [];
    }),
  );

/** Events that leave no trace in the world, so that the record cannot see them; each with the test that does. */
const UNTRACED: Readonly<Record<string, string>> = {
  sendTestWebhook:
    'TEST is sent before the reply and kept nowhere: test/areas/webhooks/send-test.test.ts sees it arrive',
};

/** Begins what is said where a reason is missing; a test looks for it. */
export const UNSEEN = 'not seen: ';

/** Returns why no event was seen after an operation; where one is declared to follow it, that it was not seen. */
export function eventReason({ id, method }: Operation): string {
  const untraced = UNTRACED[id];
  if (untraced !== undefined) return untraced;
  const types = declaredAfter(id);
  if (types.length > 0) return `${UNSEEN}${types.join(', ')} is declared to follow it`;
  return method === 'GET' ? 'a GET emits none' : 'no event is declared to follow it, and none did in any test';
}

/** Returns why no row entered a state by an operation. */
export const stateReason = ({ method }: Operation): string =>
  method === 'GET' ? 'a GET changes none' : 'no row that has a state machine entered a state by it in any test';
