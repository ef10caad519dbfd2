import { expect } from 'vitest';

// biome-ignore lint/suspicious/noExplicitAny: a journey says what it expects of a reply, line by line
export type Call = (method: string, path: string, body?: object) => Promise<{ status: number; body: any }>;

/** The status of a call that did what it was asked to: 201 where something was made. */
export const doneWith = (method: string, path: string): number =>
  method === 'POST' &&
  !/\/(?:fund|execute|approve|uma\/receive|authorize|trust|confirm|sca\/factors)(?:\?|$)/.test(path)
    ? 201
    : 200;

/** Calls that must succeed: their body, or the refusal in full. */
export const sure =
  (call: Call) =>
  // biome-ignore lint/suspicious/noExplicitAny: a journey says what it expects of a reply, line by line
  async (method: string, path: string, body?: object): Promise<any> => {
    const answer = await call(method, path, body);
    expect(answer.status, `${method} ${path}: ${JSON.stringify(answer.body)}`).toBe(doneWith(method, path));
    return answer.body;
  };

export interface Parties {
  from: string;
  to: string;
}

/** A quote between them; executing it pays. */
export const quoteOf = (call: Call, { from, to }: Parties, amount = 12_345) =>
  sure(call)('POST', '/quotes', {
    source: { sourceType: 'ACCOUNT', accountId: from },
    destination: { destinationType: 'ACCOUNT', accountId: to },
    lockedCurrencySide: 'SENDING',
    lockedCurrencyAmount: amount,
  });
