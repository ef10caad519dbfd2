import { expect } from 'vitest';
import { ERRORS } from '../../src/contract/errors.ts';
import type { Answer } from './sandbox.ts';

/**
 * An answer to made-up input, of which nobody can say what exactly it must be: never a 500; a refusal has the error body
 * (spec 7). Everything else a test asks for by its exact status.
 */
export function sane(answer: Answer, what: string): Answer {
  const wrong = [...complaints(answer)];
  // An expectation costs more than the look; there are many thousands of these.
  if (wrong.length > 0) expect(wrong, what).toEqual([]);
  return answer;
}

/** A page or a reply to made-up input: whatever it says, nothing broke. */
export const unbroken = (status: number, what: string): void => expect(status, what).toBeLessThan(500);

/** What is wrong with an answer, whatever was asked. */
function* complaints({ status, headers, text, body }: Answer): Generator<string> {
  if (status === 500) yield `a 500: ${text}`;
  if (!headers.get('x-sandbox-emulator')) yield 'it does not say whose it is';
  if (status < 400) return;
  if (!headers.get('content-type')?.includes('application/json')) return void (yield 'the refusal is not JSON');
  const { status: told, code, message, details, ...rest } = body as Record<string, unknown>;
  if (told !== status) yield `status ${status}, and ${told} in the body`;
  if (ERRORS[code as keyof typeof ERRORS] !== status) yield `code ${code} with status ${status}`;
  if (typeof message !== 'string') yield 'no message';
  if (Object.keys(rest).length > 0) yield `unknown members ${Object.keys(rest)}`;
  if (/node_modules|\.ts:\d+|at Object\./.test(text)) yield `a stack: ${text}`;
}
