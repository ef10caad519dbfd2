import * as z from 'zod';

/** A prompt that a person picks in a client. */
export interface Prompt {
  readonly name: string;
  readonly title: string;
  readonly about: string;
  readonly args: Readonly<Record<string, z.ZodType<string | undefined>>>;
  text(given: Readonly<Record<string, string | undefined>>): string;
}

export const PROMPTS: readonly Prompt[] = [
  {
    name: 'integrate',
    title: 'Integrate the payments API',
    about: 'Build and prove an integration against the emulator, step by step',
    args: {
      goal: z.string().max(2000).optional().describe('What should work in the end, such as "pay suppliers in EUR"'),
    },
    text: ({ goal = 'create a customer and send a payment' }) =>
      `Integrate the payments API that the sandbox emulator stands in for. Goal: ${goal}.

1. overview has base URL, credentials and clock. Put base URL and credentials into configuration, not into code.
2. find_operation and describe_operation for each step of the goal; call_operation with the example first, to see it work.
3. snapshots {act: "keep", name: "before"}; then write the code, and run it against the base URL.
4. For a refusal, why; for what happens later, webhooks {act: "wait"}, and clock {act: "advance"} instead of waiting.
5. Prove that it copes: faults for 503s, timeouts and duplicate webhooks; the magic values (read_docs {page: "magic-values"}) for payments that fail.
6. Leave a test that starts the emulator by itself: record makes one from logged calls, and read_docs {query: "test fixture"} has the fixtures.`,
  },
  {
    name: 'find_why',
    title: 'Find out why a request failed',
    about: 'From a refusal to its cause, and to the proof that it is fixed',
    args: { request: z.string().max(100).optional().describe('Its x-request-id; default: the latest refusal') },
    text: ({ request }) =>
      `Find out why ${request === undefined ? 'the latest refused request' : `request ${request}`} failed, fix the cause, and prove it.

1. why${request === undefined ? '' : ` {request: "${request}"}`}: the rule, what was expected and seen, the fields, faults and magic values.
2. read_state {id} of what it is about, and describe_operation of the operation, for a valid example.
3. replay it with another body in a fork, to see that the fix is right; then change the code that this value comes from.
4. Run it again; webhooks {act: "wait"} for the event that says it is done.
5. Leave a test that fails without the change.`,
  },
];
